import Foundation
import TestSupport
import Testing

/// Songs of different loudness are measured by the service and then played equally loud.
@Suite("loudness", .waiting, .timeLimit(.minutes(5)))
struct LoudnessTests {
    private let fixtures: Fixtures
    private let service: RunningService
    private let names = ["loud", "middle", "soft"]

    init() throws {
        fixtures = try Fixtures()
        try fixtures.folder.makeFolder("music")
        // Without an album name each is one by itself.
        for (name, volume) in zip(names, ["0.8", "0.2", "0.05"]) {
            let (wave, path) = (
                fixtures.folder.path("\(name).wav"), fixtures.folder.path("music/\(name).mp3")
            )
            for words in [
                ["sox", "-n", "-r", "44100", "-c", "2", wave, "synth", "4", "sine", "1000", "vol", volume],
                ["lame", "--quiet", "-b", "128", wave, path],
            ] {
                let report = try ChildProcess.run(words, environment: ["PATH": "/usr/bin:/bin"])
                try #require(report.exit == .code(0), "\(report.errorText)")
            }
        }
        service = try RunningService([], music: fixtures.folder.path("music"))
        try service.waitForLibrary(names.count)
    }

    /// The peak of what is heard of a song.
    private func peak(_ name: String, _ options: String...) throws -> Double {
        let target = fixtures.folder.path("heard.wav")
        let path = fixtures.folder.path("music/\(name).mp3")
        let report = try service.tianlai(["render", "-o", target] + options + [path])
        try #require(report.exit == .code(0), "\(report.errorText)")
        // The first tenths are the encoder's swinging in.
        let words = ["sox", target, "-n", "trim", "1", "2", "stat"]
        let said = try ChildProcess.run(words, environment: ["PATH": "/usr/bin:/bin"]).errorText
        let line = said.split(separator: "\n").first { $0.hasPrefix("Maximum amplitude") }
        return try #require(line?.split(separator: " ").last.flatMap { Double($0) })
    }

    @Test("scan --loudness measures, and what is measured is played; files stay as they are")
    func measures() throws {
        func contents() throws -> [Data] {
            try names.map {
                try Data(contentsOf: URL(fileURLWithPath: fixtures.folder.path("music/\($0).mp3")))
            }
        }
        let before = try contents()
        for (name, volume) in zip(names, [0.8, 0.2, 0.05]) {
            // Nothing is known of them yet.
            #expect(abs(try peak(name, "--gain", "track") - volume) < volume * 0.05)
        }
        // It is done when nothing else has anything to do.
        let scan = try service.tianlai(["library", "scan", "--loudness"], within: .seconds(200))
        try #require(scan.exit == .code(0), "\(scan.errorText)")
        // A sine of -18 LUFS in both channels has a peak of -18 dBFS.
        for name in names { #expect(abs(try peak(name, "--gain", "track") - 0.1259) < 0.004, "\(name)") }
        #expect(abs(try peak("loud", "--gain", "album") - 0.1259) < 0.004)
        #expect(abs(try peak("loud") - 0.8) < 0.04)
        #expect(try contents() == before)
        #expect(
            try Set(FileManager.default.contentsOfDirectory(atPath: fixtures.folder.path("music"))).count == 3
        )
    }
}
