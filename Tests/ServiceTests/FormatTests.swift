import Foundation
import TestSupport
import Testing

/// Which decoder takes a file is decided by what is in it, and what follows each other is joined without a seam.
///
/// All through `tianlai render`, which has the deck of the service.
@Suite("formats", .waiting, .timeLimit(.minutes(5)))
struct FormatTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func run(_ words: String...) throws {
        let report = try ChildProcess.run(words, environment: ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"])
        guard report.exit == .code(0) else { throw TestFailure("\(words): \(report.errorText)") }
    }

    private struct Rendered: Decodable {
        var samples: Int?
        var rate: Int?
        var channels: Int?
        var error: String?
    }

    private func render(_ files: [String]) throws -> [Rendered] {
        let report = try ChildProcess.run(
            [Tianlai.path, "render", "--json", "-o", folder.path("out.wav")] + files,
            environment: ["PATH": "/usr/bin:/bin", "HOME": folder.path]
        )
        return try report.outputText.split(separator: "\n").map {
            try JSONDecoder().decode(Rendered.self, from: Data($0.utf8))
        }
    }

    /// The samples of a WAV file as 16-bit numbers, through sox.
    private func samples(of path: String) throws -> [UInt8] {
        let raw = folder.path("samples.raw")
        try run("sox", "-D", path, "-b", "16", "-e", "signed", "-L", raw)
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: raw)))
    }

    private func makeWave(_ name: String, _ options: String...) throws -> String {
        let path = folder.path(name)
        let words =
            ["sox", "-R", "-D", "-n", "-b", "16"] + options + [
                path, "synth", "2", "sine", "300:900", "vol", "0.5",
            ]
        let report = try ChildProcess.run(words, environment: ["PATH": "/usr/bin:/bin"])
        guard report.exit == .code(0) else { throw TestFailure(report.errorText) }
        return path
    }

    @Test("names do not matter")
    func content() throws {
        let wave = try makeWave("a.wav", "-r", "44100", "-c", "2")
        try run("flac", "-s", "-o", folder.path("a.flac"), wave)
        try run("lame", "--quiet", wave, folder.path("a.mp3"))
        try run("opusenc", "--quiet", wave, folder.path("a.opus"))
        let bytes = { (name: String) in [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.path(name))))
        }
        let mp3 = try bytes("a.mp3")
        func little(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        let riff =
            Array("RIFF".utf8) + little(mp3.count + 36) + Array("WAVEfmt ".utf8) + little(16) + [
                0x55, 0, 2, 0,
            ]
            + little(44_100) + little(16_000) + [1, 0, 0, 0] + Array("data".utf8) + little(mp3.count) + mp3
        let files = try [
            folder.write("flac.mp3", bytes("a.flac")), folder.write("mp3.flac", mp3),
            folder.write("riff.wav", riff), folder.write("wave.ogg", bytes("a.wav")),
            folder.write("opus", bytes("a.opus")),
            folder.write("tagged.mp3", Array("ID3".utf8) + [3, 0, 0, 0, 0, 0, 0] + bytes("a.flac")),
        ]
        let rendered = try render(files)
        #expect(rendered.map(\.error) == [nil, nil, nil, nil, nil, nil])
        #expect(rendered.map(\.rate) == [44_100, 44_100, 44_100, 44_100, 48_000, 44_100])
        #expect(rendered.map(\.samples) == [88_200, 88_200, rendered[2].samples, 88_200, 96_000, 88_200])
        // Without the room for the trim in front of RIFF the encoder's silence may stay.
        #expect(88_200...90_720 ~= rendered[2].samples ?? 0)
    }

    @Test("a sound cut in two is joined again without a seam", arguments: ["flac", "wav", "aiff", "oga"])
    func gapless(suffix: String) throws {
        let wave = try makeWave("whole.wav", "-r", "44100", "-c", "2")
        var parts: [String] = []
        for (number, trim) in [["0", "=34567s"], ["34567s", "=88200s"]].enumerated() {
            let part = folder.path("part-\(number).wav")
            try run("sox", "-D", wave, part, "trim", trim[0], trim[1])
            let target = folder.path("part-\(number)x.\(suffix)")
            switch suffix {
            case "flac": try run("flac", "-s", "-o", target, part)
            case "oga": try run("flac", "-s", "--ogg", "-o", target, part)
            default: try run("sox", "-D", part, target)
            }
            parts.append(target)
        }
        #expect(try render(parts).map(\.samples) == [34_567, 53_633])
        #expect(try samples(of: folder.path("out.wav")) == samples(of: wave))
    }

    @Test("what is lossy joins with as many samples as went in", arguments: ["ogg", "opus"])
    func gaplessLossy(suffix: String) throws {
        let wave = try makeWave("whole.wav", "-r", "48000", "-c", "2")
        var parts: [String] = []
        for (number, trim) in [["0", "=34567s"], ["34567s", "=96000s"]].enumerated() {
            let part = folder.path("part-\(number).wav")
            try run("sox", "-D", wave, part, "trim", trim[0], trim[1])
            let target = folder.path("part-\(number).\(suffix)")
            if suffix == "ogg" { try run("oggenc", "-Q", "-q", "9", "-o", target, part) }
            if suffix == "opus" { try run("opusenc", "--quiet", "--bitrate", "256", part, target) }
            parts.append(target)
        }
        #expect(try render(parts).map(\.samples) == [34_567, 61_433])
        let (heard, wanted) = (try samples(of: folder.path("out.wav")), try samples(of: wave))
        #expect(heard.count == wanted.count)
        func value(_ bytes: [UInt8], _ index: Int) -> Int {
            Int(Int16(bitPattern: UInt16(bytes[2 * index]) | UInt16(bytes[2 * index + 1]) << 8))
        }
        // Each part fades a little into what is not there any more.
        let away = (0..<wanted.count / 4).filter { abs($0 - 34_567) > 500 && $0 > 500 && $0 < 95_500 }
        let largest = away.reduce(0) { max($0, abs(value(heard, 2 * $1) - value(wanted, 2 * $1))) }
        // One sample too many or too few would make a difference of nearly two thousand.
        #expect(largest < 500, "\(largest)")
    }

    @Test(
        "renders of any format have a right header",
        arguments: [(8_000, 1), (44_100, 1), (192_000, 2), (48_000, 6), (192_000, 8), (96_000, 4)]
    )
    func header(rate: Int, channels: Int) throws {
        let wave = try makeWave("in.wav", "-r", "\(rate)", "-c", "\(channels)")
        let odd = folder.path("odd.wav")
        try run("sox", "-D", wave, odd, "trim", "0", "=12345s")
        #expect(try render([odd]).map(\.samples) == [12_345])
        #expect(try samples(of: folder.path("out.wav")) == samples(of: odd))
        let out = folder.path("out.wav")
        for (option, wanted) in [("-r", "\(rate)"), ("-c", "\(channels)"), ("-s", "12345"), ("-b", "24")] {
            let report = try ChildProcess.run(["soxi", option, out], environment: ["PATH": "/usr/bin:/bin"])
            #expect(report.outputText == "\(wanted)\n")
            #expect(report.errorText.isEmpty, "\(report.errorText)")
        }
        // The size at the front is that of all that follows.
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: out)))
        #expect((4..<8).reduce(0) { $0 | Int(bytes[$1]) << (8 * ($1 - 4)) } == bytes.count - 8)
    }
}
