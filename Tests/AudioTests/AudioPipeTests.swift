import AudioTestSupport
import EventLoop
import Music
import Synchronization
import Testing

@testable import Audio

@Suite(.timeLimit(.minutes(5)))
struct AudioPipeTests {
    private func mark(_ wish: WishNumber, rate: Int32 = 8, channels: Int32 = 1) -> Mark {
        let track = DeckTrack(id: TrackID(1), location: ScriptedDecoder.Script(number: 1, frames: 1).location)
        let format = StreamFormat(rate: rate, channels: channels)
        return Mark(wish: wish, kind: .sound(of: track, from: .zero, format))
    }

    /// Holds a second of sound, that is 8 samples behind a plain mark.
    private func makePipe(marks: Int = 64) -> AudioPipe {
        AudioPipe(holding: .seconds(1), atLeast: 1, marks: marks)
    }

    private func write(_ values: [Float], to pipe: AudioPipe) {
        var rest = values[...]
        while !rest.isEmpty {
            let space = pipe.space(for: rest.count)
            _ = space.update(fromContentsOf: rest.prefix(space.count))
            pipe.add(space.count)
            rest = rest.dropFirst(space.count)
        }
    }

    private func read(_ count: Int, from pipe: AudioPipe) -> [Float] {
        Array(unsafeUninitializedCapacity: count) { buffer, initialized in
            initialized = pipe.read(into: buffer)
        }
    }

    @Test("samples are read up to the next mark, round the end of the ring")
    func marksDivide() {
        let pipe = makePipe()
        #expect(pipe.write(mark(1)))
        write([1, 2, 3, 4, 5, 6], to: pipe)
        #expect(pipe.nextMark() == mark(1))
        #expect(read(8, from: pipe) == [])
        pipe.passMark()
        #expect(read(4, from: pipe) == [1, 2, 3, 4])
        write([7, 8], to: pipe)
        #expect(pipe.write(mark(2)))
        write([9, 10], to: pipe)
        #expect(read(8, from: pipe) == [5, 6, 7, 8])
        #expect(pipe.nextMark() == mark(2))
        pipe.passMark()
        #expect(pipe.skip() == 2)
        #expect(!pipe.hasSamples)
    }

    @Test("a full pipe has no room, and tells when the writer must be woken")
    func full() {
        let pipe = makePipe()
        #expect(pipe.write(mark(1)))
        pipe.passMark()
        write([1, 2, 3, 4, 5, 6, 7], to: pipe)
        #expect(!pipe.hasRoom(for: 2))
        #expect(!pipe.takeWriterWaits(), "more than half is still full")
        #expect(read(4, from: pipe).count == 4)
        #expect(pipe.takeWriterWaits())
        #expect(!pipe.takeWriterWaits(), "told once")
    }

    @Test("as many marks as fit, and no more")
    func marksFill() {
        let pipe = makePipe(marks: 2)
        #expect(pipe.write(mark(1)) && pipe.write(mark(2)))
        #expect(!pipe.write(mark(3)))
        pipe.passMark()
        #expect(pipe.write(mark(3)))
    }

    @Test("it holds a time, not a number of samples, in whatever format, and several formats at once")
    func formats() {
        let pipe = makePipe()
        var next: Float = 0
        var written: [[Float]] = []
        // The second has as many samples as all that is held at once of the third; the last is small again.
        for (rate, channels) in [(8, 1), (24, 8), (48, 2), (8, 3)] as [(Int32, Int32)] {
            #expect(pipe.write(mark(1, rate: rate, channels: channels)))
            let room = Int(rate * channels)
            #expect(!pipe.hasRoom(for: room + 1))
            let values = (0..<5 * Int(channels)).map { next + Float($0) }
            next += Float(values.count)
            guard pipe.hasRoom(for: values.count) else {
                #expect(room == 24, "only where little is held")
                continue
            }
            write(values, to: pipe)
            written.append(values)
        }
        for values in written {
            #expect(pipe.nextMark() != nil)
            pipe.passMark()
            #expect(read(1000, from: pipe) == values)
        }
        #expect(pipe.takeWriterWaits())
        #expect(pipe.hasRoom(for: 24))
    }

    @Test("everything arrives in order between two threads that wake each other")
    func twoThreads() throws {
        let pipe = AudioPipe(holding: .seconds(1), atLeast: 1, marks: 4)
        #expect(pipe.write(mark(0, rate: 1000)))
        let (writerWork, readerWork) = (Semaphore(), Semaphore())
        let total = 200_000
        let thread = try WorkerThread(name: "writer") {
            var next = 0
            while next < total {
                let chunk = (next..<min(total, next + 97)).map(Float.init)
                while !pipe.hasRoom(for: chunk.count) { writerWork.wait() }
                if next % 970 == 0 {
                    while !pipe.write(Mark(wish: UInt64(next), kind: .end)) { writerWork.wait() }
                }
                write(chunk, to: pipe)
                next += chunk.count
                if pipe.takeReaderWaits() { readerWork.signal() }
            }
        }
        var expected = 0
        var marks = 0
        pipe.passMark()
        while expected < total {
            if let mark = pipe.nextMark() {
                #expect(mark.wish == UInt64(expected))
                marks += 1
                pipe.passMark()
            }
            let samples = read(53, from: pipe)
            for sample in samples {
                guard sample == Float(expected) else {
                    Issue.record("\(sample) instead of \(expected)")
                    return
                }
                expected += 1
            }
            if pipe.takeWriterWaits() { writerWork.signal() }
            if samples.isEmpty, pipe.waitForSound() { readerWork.wait() }
        }
        thread.join()
        #expect(marks == (total + 969) / 970)
    }
}
