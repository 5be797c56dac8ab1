import EventLoop
import Music
import Synchronization
import Testing

@testable import Audio

@Suite(.timeLimit(.minutes(5)))
struct AudioPipeTests {
    private func mark(_ generation: UInt64) -> Mark {
        Mark(generation: generation, kind: .end)
    }

    private func write(_ values: [Float], to pipe: AudioPipe) {
        values.withUnsafeBufferPointer(pipe.write)
    }

    private func read(_ count: Int, from pipe: AudioPipe) -> [Float] {
        Array(unsafeUninitializedCapacity: count) { buffer, initialized in
            initialized = pipe.read(into: buffer)
        }
    }

    @Test("samples are read up to the next mark, round the end of the ring")
    func marksDivide() {
        let pipe = AudioPipe(capacity: 8)
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
        let pipe = AudioPipe(capacity: 8)
        write([1, 2, 3, 4, 5, 6, 7], to: pipe)
        #expect(!pipe.hasRoom(for: 2))
        #expect(!pipe.takeWriterWaits(), "more than half is still full")
        #expect(read(4, from: pipe).count == 4)
        #expect(pipe.takeWriterWaits())
        #expect(!pipe.takeWriterWaits(), "told once")
    }

    @Test("as many marks as fit, and no more")
    func marksFill() {
        let pipe = AudioPipe(capacity: 8, markCapacity: 2)
        #expect(pipe.write(mark(1)) && pipe.write(mark(2)))
        #expect(!pipe.write(mark(3)))
        pipe.passMark()
        #expect(pipe.write(mark(3)))
    }

    @Test("everything arrives in order between two threads that wake each other")
    func twoThreads() throws {
        let pipe = AudioPipe(capacity: 1000, markCapacity: 4)
        let (writerWork, readerWork) = (Semaphore(), Semaphore())
        let total = 200_000
        let thread = try WorkerThread(name: "writer") {
            var next = 0
            while next < total {
                let chunk = (next..<min(total, next + 97)).map(Float.init)
                while !pipe.hasRoom(for: chunk.count) { writerWork.wait() }
                if next % 970 == 0 {
                    while !pipe.write(Mark(generation: UInt64(next), kind: .end)) { writerWork.wait() }
                }
                chunk.withUnsafeBufferPointer(pipe.write)
                next += chunk.count
                if pipe.takeReaderWaits() { readerWork.signal() }
            }
        }
        var expected = 0
        var marks = 0
        while expected < total {
            if let mark = pipe.nextMark() {
                #expect(mark.generation == UInt64(expected))
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
