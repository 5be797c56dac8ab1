import Foundation
import Testing
import TestSupport

/// `tianlai` as a command, against the service that runs.
@Suite("tianlai commands", .waiting, .timeLimit(.minutes(5)))
struct CommandTests {
    private let fixtures: Fixtures
    private let service: RunningService

    init() throws {
        fixtures = try Fixtures()
        service = try RunningService(try fixtures.makeTones(3, seconds: 40, rate: 16_000))
    }

    /// Runs a command that must succeed without a word.
    private func run(_ line: String) throws {
        let report = try service.tianlai(line.split(separator: " ").map(String.init))
        #expect(report.exit == .code(0), "\(line): \(report.errorText)")
        #expect(report.output.isEmpty && report.errors.isEmpty, "\(line): \(report)")
    }

    /// What `status --json` says under `name`.
    private func status<Value>(_ name: String, as type: Value.Type = Value.self) throws -> Value? {
        let report = try service.tianlai("status", "--json")
        #expect(report.exit == .code(0))
        let object = try JSONSerialization.jsonObject(with: Data(report.output)) as? [String: Any]
        return object?[name] as? Value
    }

    @Test("play, pause, toggle, next, previous and stop")
    func transport() throws {
        #expect(try status("status") == "Paused")
        try run("play")
        #expect(try status("status") == "Playing")
        try run("pause")
        #expect(try status("status") == "Paused")
        try run("toggle")
        #expect(try status("status") == "Playing")
        try run("next")
        try service.wait(until: "Playing", "tone-1.mp3")
        try run("previous")
        try service.wait(until: "Playing", "tone-0.mp3")
        try run("stop")
        #expect(try status("status") == "Stopped")
        #expect(try status("position_us") == 0)
    }

    @Test("seek")
    func seek() throws {
        for (line, position) in [("seek 0:30", 30), ("seek +5.5", 35.5), ("seek -0:10", 25.5), ("seek 7", 7)]
        {
            try run(line)
            #expect(try status("position_us") == Int(position * 1e6), "\(line)")
        }
        let beyond = try service.tianlai("seek", "5:00")
        #expect(beyond.exit == .code(1))
        #expect(beyond.errorText.split(separator: "\n").count == 1)
        #expect(try status("position_us") == 7_000_000)
        #expect(try service.tianlai("seek", "soon").exit == .code(2))
    }

    @Test("volume, shuffle and loop")
    func modes() throws {
        for (line, volume) in [("volume 40%", 0.4), ("volume +5%", 0.45), ("volume -15%", 0.3)] {
            try run(line)
            #expect(try status("volume") == volume, "\(line)")
        }
        for (line, isShuffled) in [("on", true), ("off", false), ("toggle", true)] {
            try run("shuffle \(line)")
            #expect(try status("shuffle") == isShuffled, "\(line)")
        }
        for (word, loop) in [("none", "None"), ("track", "Track"), ("playlist", "Playlist")] {
            try run("loop \(word)")
            #expect(try status("loop") == loop)
        }
        try run("shuffle off")
        try run("loop none")
        try run("next")
        try run("next")
        try service.wait(until: "Paused", "tone-2.mp3")
        let beyond = try service.tianlai("next")
        #expect(beyond.exit == .code(1))
        #expect(beyond.errorText.split(separator: "\n").count == 1)
    }

    @Test("status for people, following, and its end with quit")
    func followsAndQuits() throws {
        let follower = try service.start("status", "--follow", "--json")
        func follow(_ text: String) -> Bool {
            follower.waitForOutput(within: .seconds(60)) { $0.outputText.contains(text) ? true : nil } == true
        }
        #expect(follow("\"Paused\""))
        try run("play")
        #expect(follow("\"Playing\""))
        #expect(try service.tianlai("status").outputText.contains("Playing  0:0"))
        try run("next")
        #expect(follow("tone-1.mp3"))
        try run("quit")
        #expect(service.process.wait(within: .seconds(60))?.exit == .code(0))
        try service.waitForName(isOwned: false)
        for command in ["status", "pause", "quit"] {
            let report = try service.tianlai(command)
            #expect(report.exit == .code(1))
            #expect(report.errorText.contains("not running"), "\(command): \(report.errorText)")
        }
    }

    @Test("play PATH makes it the queue and plays it")
    func playPath() throws {
        try run("play \(fixtures.folder.path("tone-2.mp3"))")
        try service.wait(until: "Playing", "tone-2.mp3")
        try run("loop none")
        #expect(try status("canGoNext") == false)
        #expect(try status("canGoPrevious") == false)
    }
}
