import Testing
import TestSupport

/// What is written in `config.ini` is what happens.
@Suite("settings of the service", .waiting, .timeLimit(.minutes(5)))
struct SettingsOnTheBusTests {
    private let paths: [String]
    private let fixtures: Fixtures

    init() throws {
        let fixtures = try Fixtures()
        self.fixtures = fixtures
        paths = try (0..<2).map { try fixtures.makeTone(MeasuringTone(band: $0, seconds: 20)) }
    }

    @Test("position-interval tells the position while it plays, and only then")
    func positionInterval() throws {
        let service = try RunningService(paths, settings: "[bus]\nposition-interval = 0.1\n")
        let start = try service.monitor.settle()
        try service.playerctl("play")
        let told = service.monitor.wait(since: start) { signals in
            signals.filter { $0.summary == "PropertiesChanged Position" }.count >= 3 ? true : nil
        }
        #expect(told == true)
        try service.playerctl("pause")
        try service.wait(until: "Paused")
        let mark = try service.monitor.settle()
        try service.playerctl("volume", "0.5")
        _ = service.monitor.wait(since: mark) { $0.isEmpty ? nil : true }
        let later = service.monitor.wait(since: mark, within: .seconds(0.5)) { signals in
            signals.contains { $0.summary == "PropertiesChanged Position" } ? true : nil
        }
        #expect(later == nil, "a position that rests is not told")
    }

    @Test("previous-restarts-after begins the song again, and goes back from its beginning")
    func previousRestarts() throws {
        let service = try RunningService(paths, settings: "[playback]\nprevious-restarts-after = 3\n")
        try service.playerctl("next")
        try service.wait(until: "Paused", "tone-1.mp3")
        try service.playerctl("position", "10")
        try service.playerctl("previous")
        #expect(try service.get("Position")?.integer == 0)
        #expect(try service.fileName() == "tone-1.mp3")
        try service.playerctl("previous")
        try service.wait(until: "Paused", "tone-0.mp3")
    }
}
