import Glibc
import Music
import Synchronization
import TestSupport
import Testing

@testable import Library

/// A meter that says what the test wants, and keeps what it is asked.
private final class ScriptedMeter: Sendable {
    private let state = Mutex<[[String]]>([])

    /// The names of the files that were measured together, in this order.
    var asked: [[String]] { state.withLock(\.self) }

    /// The gain of a file is the number in its name, that of an album the number of its files.
    ///
    /// What is measured as number `stuckFrom` takes for ever.
    func measure(stuckFrom: Int = .max) -> MeasureLoudness {
        { [self] paths, shouldStop, done in
            let names = paths.map { String(decoding: $0.name, as: UTF8.self) }
            let count = state.withLock { asked in
                asked.append(names)
                return asked.count
            }
            while count >= stuckFrom {
                if shouldStop() { return nil }
                usleep(1000)
            }
            return names.map { name in
                done()
                let number = Double(name.first?.wholeNumberValue ?? 0)
                guard number > 0 else { return ReplayGain() }
                return ReplayGain(trackGain: -number, trackPeak: 0.5, albumGain: -Double(paths.count) / 4)
            }
        }
    }
}

@Suite(.timeLimit(.minutes(5)))
struct LoudnessScanTests {
    private let files: MusicFolders
    private let meter = ScriptedMeter()

    init() throws { files = try MusicFolders() }

    private func run() throws -> RunningLibrary {
        let running = try files.library(measure: meter.measure())
        try running.scan()
        return running
    }

    private func measure(_ running: RunningLibrary) throws {
        running.library.measureLoudness()
        try running.wait("the end of the measuring") { running.library.status.scan == nil }
    }

    private func gain(_ running: RunningLibrary, _ name: String) throws -> ReplayGain? {
        running.library.reader.lookup(try files.path(name))?.replayGain
    }

    @Test("what has one album name in one folder is measured together, the rest by itself")
    func groups() throws {
        try files.write("x/1.mp3", album: "A", track: 1)
        try files.write("x/2.mp3", album: "A", track: 2)
        try files.write("x/3.mp3", album: "B")
        try files.write("x/4.mp3")
        try files.write("x/5.mp3")
        try files.write("y/6.mp3", album: "A")
        let running = try run()
        #expect(meter.asked.isEmpty)
        try measure(running)
        #expect(Set(meter.asked) == [["1.mp3", "2.mp3"], ["3.mp3"], ["4.mp3"], ["5.mp3"], ["6.mp3"]])
        #expect(try gain(running, "x/2.mp3") == ReplayGain(trackGain: -2, trackPeak: 0.5, albumGain: -0.5))
        #expect(try gain(running, "y/6.mp3") == ReplayGain(trackGain: -6, trackPeak: 0.5, albumGain: -0.25))
        #expect(running.library.status.problem == nil)
        // Others see the same without a library at work.
        let reader = IndexReader(cacheFolder: try #require(FilePath(files.cache)))
        #expect(reader.lookup(try files.path("x/3.mp3"))?.measured.trackGain == -3)
    }

    @Test("what has been measured, what has tags and what cannot be read is not measured")
    func skips() throws {
        try files.write("1.mp3")
        try files.write("0.mp3")
        let tag = ID3Bytes.tag(ID3Bytes.text("TXXX", "replaygain_album_gain", "-7 dB"))
        try files.folder.write("music/2.mp3", tag + ID3Bytes.silence(frames: 1))
        let running = try run()
        try measure(running)
        #expect(Set(meter.asked) == [["0.mp3"], ["1.mp3"]])
        #expect(try gain(running, "2.mp3") == ReplayGain(albumGain: -7))
        #expect(try gain(running, "0.mp3") == ReplayGain())
        try measure(running)
        try measure(try run())
        #expect(meter.asked.count == 2)
    }

    @Test(
        "a file that has changed is measured again, one that was moved is not, one that has gone is forgotten"
    )
    func changes() throws {
        try files.write("1.mp3")
        try files.write("2.mp3")
        try files.write("3.mp3")
        let running = try run()
        try measure(running)
        try files.write("1.mp3", title: "Another")
        files.move("2.mp3", "4.mp3")
        try files.remove("3.mp3")
        try running.scan()
        #expect(try gain(running, "1.mp3") == ReplayGain())
        #expect(try gain(running, "4.mp3")?.trackGain == -2)
        try measure(running)
        #expect(meter.asked.dropFirst(3) == [["1.mp3"]])
        #expect(try gain(running, "1.mp3")?.trackGain == -1)
        let index = try Database(try #require(FilePath("\(files.cache)/library.db")), for: .write)
        #expect(try index.number("SELECT count(*) FROM loudness") == 2)
    }

    @Test("an album that gets another track is measured as a whole again")
    func growingAlbum() throws {
        try files.write("1.mp3", album: "A", track: 1)
        try files.write("2.mp3", album: "B", track: 2)
        let running = try run()
        try measure(running)
        try files.write("3.mp3", album: "A", track: 3)
        try measure(running)
        #expect(meter.asked.last == ["1.mp3", "3.mp3"])
        #expect(meter.asked.count == 3)
        #expect(try gain(running, "1.mp3")?.albumGain == -0.5)
    }

    @Test("it ends at once when the library does, and goes on where it was")
    func resumes() throws {
        for number in 1...3 { try files.write("\(number)/\(number).mp3", album: "A") }
        let first = try files.library(measure: meter.measure(stuckFrom: 2))
        try first.scan()
        first.library.measureLoudness()
        try first.wait("the second album") { meter.asked.count == 2 }
        try first.wait("the first album") { try gain(first, "1/1.mp3")?.isKnown == true }
        first.library.stop()
        #expect(try gain(first, "2/2.mp3") == ReplayGain())
        let second = try run()
        try measure(second)
        #expect(meter.asked.dropFirst(2) == [["2.mp3"], ["3.mp3"]])
    }

    @Test("while it goes on, folders are looked through, and how far it is is told")
    func goesOn() throws {
        try files.write("1.mp3")
        let running = try files.library(measure: meter.measure(stuckFrom: 1))
        try running.scan()
        running.library.measureLoudness()
        try running.wait("the measuring") { meter.asked.count == 1 }
        try running.wait("progress") { running.library.status.scan?.measuresLoudness == true }
        try running.wait("how much there is") { running.library.status.scan?.total == 1 }
        try files.write("2.mp3")
        running.library.scan()
        try running.wait("the scan") { running.library.status.trackCount == 2 }
        try running.wait("progress") { running.library.status.scan?.measuresLoudness == true }
        // It stops with the library, although it would measure for ever.
        running.library.stop()
    }
}
