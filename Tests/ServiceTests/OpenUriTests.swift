import Foundation
import Testing
import TestSupport

/// What other programs hand over to be played.
@Suite("OpenUri", .waiting, .timeLimit(.minutes(5)))
struct OpenUriTests {
    private let fixtures: Fixtures
    private let service: RunningService
    private let path: String

    init() throws {
        fixtures = try Fixtures()
        path = try fixtures.makeTone(MeasuringTone(band: 0, seconds: 20), rate: 16_000)
        service = try RunningService([path])
    }

    private func open(_ uri: String) throws -> Bus.Answer {
        try service.call("\(Bus.player).OpenUri", "string:\(uri)")
    }

    /// The names are bytes, percent-encoded as in a URI, so that they need not be text.
    @Test(
        "a file with an odd name",
        arguments: [
            "50%25%20%23%3F%20off.mp3", "%E5%A4%A9%E7%B1%9F%20%C3%BC.mp3", "%FF%FE%80.mp3",
            "%22a%22'b'%5C.mp3",
            "line%0Abreak.mp3", "file%3A%2E%2E.mp3", "-.mp3", "%2520.mp3",
        ]
    )
    func oddName(name: String) throws {
        let bytes = try #require(percentDecoded(name))
        try copy(to: Array(fixtures.folder.path("").utf8) + bytes)
        #expect(try open("file://\(fixtures.folder.path)/\(name)") == .values([]))
        try service.wait(for: "playing \(name)") {
            let url = try service.get("Metadata")?["xesam:url"]?.text
            let playing = url.flatMap { percentDecoded($0.split(separator: "/").last ?? "") }
            return try playing == bytes && service.get("PlaybackStatus") == .text("Playing")
        }
        #expect(service.process.report.errors.isEmpty)
    }

    private func copy(to bytes: [UInt8]) throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        let file = (bytes + [0]).withUnsafeBytes {
            $0.withMemoryRebound(to: CChar.self) { $0.baseAddress.map { fopen($0, "w") } ?? nil }
        }
        guard let file else { throw TestFailure("no such file can be made: \(errno)") }
        defer { fclose(file) }
        data.withUnsafeBytes { _ = fwrite($0.baseAddress, 1, $0.count, file) }
    }

    private func percentDecoded(_ text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(code)
            rest = rest.dropFirst(2)
        }
        return bytes
    }

    @Test("a folder: what is in it comes behind the current track, as people number things")
    func folder() throws {
        try fixtures.folder.makeFolder("album")
        for number in [10, 2, 1] {
            try copy(to: Array(fixtures.folder.path("album/\(number).mp3").utf8))
        }
        try fixtures.folder.write("album/notes.txt", "no music".utf8)
        #expect(try open("file://\(fixtures.folder.path)/album") == .values([]))
        try service.wait(until: "Playing", "1.mp3")
        for name in ["2.mp3", "10.mp3", "tone-0.mp3", "1.mp3"] {
            try service.playerctl("next")
            try service.wait(until: "Playing", name)
        }
    }

    @Test("a file that is not there is reported, and what plays goes on")
    func missing() throws {
        try service.playerctl("play")
        let missing = fixtures.folder.path("missing.mp3")
        _ = try open("file://\(missing)")
        #expect(service.process.waitForComplaints(1).contains(missing))
        try service.wait(until: "Playing", "tone-0.mp3")
    }
}
