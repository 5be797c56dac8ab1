import Foundation
import Testing
import TestSupport

/// Files that cannot be played are named with the reason, once, and passed over.
@Suite("bad input", .waiting, .timeLimit(.minutes(5)))
struct BadInputTests {
    private let fixtures: Fixtures

    init() throws {
        fixtures = try Fixtures()
    }

    /// One file of each kind that does not play, the kind as its name.
    private func makeBadFiles() throws -> [String] {
        let folder = fixtures.folder
        let fifo = folder.path("fifo.mp3")
        guard mkfifo(fifo, 0o600) == 0 else { throw TestFailure("no FIFO: \(errno)") }
        return [
            folder.path("missing.mp3"),
            try folder.write("empty.mp3", []),
            try folder.write("text.mp3", "This is a letter and no music.\n".utf8),
            fifo,
        ]
    }

    /// Expects one line for each path that names it and says why.
    private func expectOneLine(for paths: [String], by process: ChildProcess) {
        let errors = process.waitForComplaints(paths.count)
        let lines = errors.split(separator: "\n")
        for path in paths {
            let own = lines.filter { $0.hasPrefix("tianlai: \(path): ") }
            #expect(own.count == 1, "\(path): \(errors)")
            #expect(own.allSatisfy { $0.count > path.count + 25 }, "no reason: \(own)")
        }
        #expect(lines.count == paths.count, "\(errors)")
    }

    @Test("what does not play is skipped, and the good file among it plays")
    func skips() throws {
        let bad = try makeBadFiles()
        let good = try fixtures.makeTone(MeasuringTone(band: 4, seconds: 20), rate: 16_000)
        let service = try RunningService(["--play"] + bad + [good])
        try service.wait(until: "Playing", "tone-4.mp3")
        expectOneLine(for: bad, by: service.process)
        // Round the list once more, without a further word.
        try service.playerctl("next")
        try service.wait(until: "Playing", "tone-4.mp3")
        try service.playerctl("previous")
        try service.wait(until: "Playing", "tone-4.mp3")
        expectOneLine(for: bad, by: service.process)
    }

    @Test("where nothing plays it stops after one round, and still answers")
    func nothingPlays() throws {
        let bad = try makeBadFiles()
        let service = try RunningService(["--play"] + bad)
        try service.wait(until: "Stopped")
        expectOneLine(for: bad, by: service.process)
        let good = try fixtures.makeTone(MeasuringTone(band: 4, seconds: 20), rate: 16_000)
        #expect(try service.call("\(Bus.player).OpenUri", "string:file://\(good)").error == nil)
        try service.wait(until: "Playing", "tone-4.mp3")
    }

    @Test("a folder without music is named too, though it is called like a file")
    func emptyFolder() throws {
        let folder = try fixtures.folder.makeFolder("folder.mp3")
        let good = try fixtures.makeTone(MeasuringTone(band: 4, seconds: 20), rate: 16_000)
        let service = try RunningService(["--play", folder, good])
        try service.wait(until: "Playing", "tone-4.mp3")
        expectOneLine(for: [folder], by: service.process)
    }

    @Test("commands where the only file is missing do nothing")
    func onlyMissing() throws {
        let service = try RunningService(["--play", fixtures.folder.path("missing.mp3")])
        try service.wait(until: "Stopped")
        for command in ["play", "next", "previous", "pause", "stop"] {
            _ = try service.playerctl.run([command])
        }
        #expect(try service.get("PlaybackStatus") == .text("Stopped"))
        #expect(try service.get("Position") == .integer(0))
    }
}
