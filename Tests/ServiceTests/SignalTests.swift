import Testing
import TestSupport

/// Each change is told once, and nothing else is.
@Suite("signals", .waiting, .timeLimit(.minutes(5)))
struct SignalTests {
    private let fixtures: Fixtures
    private let service: RunningService
    private let monitor: BusMonitor
    private let playerctl: Playerctl

    init() throws {
        fixtures = try Fixtures()
        service = try RunningService([
            try fixtures.makeTone(MeasuringTone(band: 0, seconds: 2)),
            try fixtures.makeTone(MeasuringTone(band: 1, seconds: 2)),
            try fixtures.makeTone(MeasuringTone(band: 2, seconds: 20), rate: 16_000),
        ])
        monitor = service.monitor
        playerctl = service.playerctl
    }

    /// What is told from `mark` on until a signal says `summary`, and what came with it.
    private func signals(since mark: Int, until summary: String) throws -> [String] {
        let found = monitor.wait(since: mark) { $0.contains { $0.summary == summary } ? true : nil }
        let signals = try monitor.playerSignals(since: mark).map(\.summary)
        #expect(found != nil, "\(signals)")
        return signals
    }

    @Test("a track that follows by itself is one PropertiesChanged")
    func advance() throws {
        try playerctl("play")
        let mark = try monitor.settle()
        #expect(
            try signals(since: mark, until: "PropertiesChanged Metadata Position")
                == ["PropertiesChanged Metadata Position"]
        )
        #expect(try service.get("PlaybackStatus") == .text("Playing"))
        #expect(try service.fileName() == "tone-1.mp3")
    }

    @Test("at the end of the list without a loop it stops, the first track current")
    func end() throws {
        try playerctl("loop", "None")
        for _ in 0..<2 { try playerctl("next") }
        try service.wait(until: "Paused", "tone-2.mp3")
        try playerctl("position", "19")
        try playerctl("play")
        let mark = try monitor.settle()
        let end = "PropertiesChanged PlaybackStatus CanGoNext CanGoPrevious Metadata Position"
        #expect(try signals(since: mark, until: end) == [end])
        #expect(try service.get("PlaybackStatus") == .text("Stopped"))
        #expect(try service.fileName() == "tone-0.mp3")
        #expect(try service.get("Position") == .integer(0))
        #expect(try service.get("CanGoNext") == .flag(true))
        #expect(try service.get("CanGoPrevious") == .flag(false))
        try playerctl("play")
        try service.wait(until: "Playing", "tone-0.mp3")
    }

    @Test("a jump is one PropertiesChanged with the position and one Seeked", arguments: [true, false])
    func jump(isPlaying: Bool) throws {
        try playerctl("previous")
        try service.wait(until: "Paused", "tone-2.mp3")
        if isPlaying { try playerctl("play") }
        for words in [["position", "7"], ["position", "3+"], ["position", "2-"]] {
            let mark = try monitor.settle()
            #expect(try playerctl.run(words).exit == .code(0))
            let signals = try monitor.playerSignals(since: mark)
            #expect(signals.map(\.summary) == ["PropertiesChanged Position", "Seeked"], "\(words)")
            #expect(signals.first?.changes?["Position"] == signals.last?.arguments.first)
        }
        let position = try #require(try service.get("Position")?.integer)
        #expect(isPlaying ? position > 8_000_000 : position == 8_000_000)
    }

    @Test("the wrap of a track that repeats is a jump to its beginning")
    func wrap() throws {
        try playerctl("loop", "Track")
        try playerctl("play")
        let mark = try monitor.settle()
        #expect(try signals(since: mark, until: "Seeked") == ["PropertiesChanged Position", "Seeked"])
        #expect(try service.fileName() == "tone-0.mp3")
        #expect(try service.get("Position")?.integer.map { $0 < 1_000_000 } == true)
    }

    @Test("while a track plays on nothing is told")
    func steady() throws {
        try playerctl("previous")
        try playerctl("play")
        try service.wait(until: "Playing", "tone-2.mp3")
        let mark = try monitor.settle()
        let early = monitor.wait(since: mark, within: .seconds(5)) { signals in
            signals.first { $0.path == Bus.path }
        }
        #expect(early == nil)
        #expect(try monitor.playerSignals(since: mark) == [])
        #expect(try service.get("Position")?.integer.map { $0 >= 5_000_000 } == true)
    }

    @Test("a setting is told once, and not at all where it is what it was")
    func settings() throws {
        let mark = try monitor.settle()
        for words in [["volume", "0.4"], ["loop", "Track"], ["shuffle", "On"], ["play"], ["pause"]] {
            for _ in 0..<2 { #expect(try playerctl.run(words).exit == .code(0)) }
        }
        #expect(
            try monitor.playerSignals(since: mark).map(\.summary)
                == ["Volume", "LoopStatus", "Shuffle", "PlaybackStatus", "PlaybackStatus"]
                .map { "PropertiesChanged \($0)" }
        )
    }
}
