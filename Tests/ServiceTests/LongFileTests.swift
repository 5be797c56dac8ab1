import Foundation
import TestSupport
import Testing

/// A file of a quarter of an hour: to go to a place in it, little of it is read.
@Suite("places in long files", .waiting, .timeLimit(.minutes(5)))
struct LongFileTests {
    private let fixtures: Fixtures
    private let path: String
    private let size: Int
    private let telling = "[bus]\nposition-interval = 0.1\n"

    init() throws {
        fixtures = try Fixtures()
        try fixtures.folder.makeFolder("music")
        let piece = try fixtures.makeTone(MeasuringTone(band: 0, seconds: 10))
        // All frames of the piece but the first, which says how many there are.
        let sound = try Data(contentsOf: URL(fileURLWithPath: piece))
        let header = try #require(sound.firstRange(of: Data([0xFF, 0xFB])))
        let info = try #require(sound.firstRange(of: Data("Info".utf8)))
        let second = try #require(sound[info.upperBound...].firstRange(of: Data([0xFF, 0xFB])))
        let frames = sound[second.lowerBound...].dropLast(128)
        #expect(info.lowerBound - header.lowerBound == 36)
        path = try fixtures.folder.write("music/long.mp3", Data(repeatElement(frames, count: 90).joined()))
        size = frames.count * 90
    }

    @Test("once its length is counted, a seek reads little, in this process and in the next")
    func seeksReadLittle() throws {
        let service = try RunningService([], music: fixtures.folder.path("music"), settings: telling)
        try service.waitForLibrary(1)
        try expectShortSeek(service)

        // The length and the places are known now, so that hardly anything is read at all.
        try service.run("quit")
        try service.waitForName(isOwned: false)
        try service.restart([])
        try expectShortSeek(service)
        #expect(try bytesRead(by: service) < size / 2)
    }

    @Test("outside the library too, as long as the process lives")
    func outsideTheLibrary() throws {
        try expectShortSeek(try RunningService([], settings: telling))
    }

    /// Plays it, goes near its end and sees how much that read.
    private func expectShortSeek(_ service: RunningService) throws {
        try service.run("play", path)
        try service.wait(until: "Playing", "long.mp3")
        let length = try #require(try service.get("Metadata")?["mpris:length"]?.integer)
        #expect(length > 890_000_000)
        let before = try bytesRead(by: service)
        try service.run("seek", "\(length / 1_000_000 - 20)")
        // It is there when it goes on from there.
        try service.wait(for: "the place") {
            (try service.get("Position")?.integer ?? 0) > length - 19_700_000
        }
        #expect(try bytesRead(by: service) - before < size / 8)
    }

    /// What the process has read from files so far, from memory or disk.
    private func bytesRead(by service: RunningService) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(service.process.pid)/io", encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("rchar: ") })
        return try #require(Int(line.dropFirst(7)))
    }
}
