import BusTestSupport
import DBus
import TestSupport
import Testing

/// Who else plays on the same bus.
@Suite("other players", .waiting, .timeLimit(.minutes(5)))
struct OtherPlayersTests {
    private let fixtures: Fixtures
    private let path: String
    private let loop: TestLoop
    private static let pauseOthers = "[playback]\npause-others = yes\n"
    private static let pauseSelf = "[playback]\npause-when-others-play = yes\n"
    private static let both = pauseOthers + "pause-when-others-play = yes\n"

    init() throws {
        fixtures = try Fixtures()
        path = try fixtures.makeTone(MeasuringTone(band: 0, seconds: 60), rate: 8000)
        loop = try TestLoop()
    }

    private func player(_ name: String, _ status: String, _ service: RunningService) throws -> StandInPlayer {
        try StandInPlayer(name, status, on: service.bus, loop)
    }

    @Test("pause-others pauses those that play, once, and nobody else", arguments: [pauseOthers, both])
    func pausesOthers(settings: String) throws {
        let service = try RunningService([path], settings: settings)
        let playing = try player("aaa", "Playing", service)
        _ = try playing.connection.requestName("org.mpris.MediaPlayer2.aab")
        let mirrors = try ["playerctld", "kdeconnect.mpris_1"].map { try player($0, "Playing", service) }
        let resting = try player("zzz", "Paused", service)
        if settings == Self.both {
            // Whoever has just come and plays has begun after this; that is to be over first.
            try loop.wait("the questions") { !playing.asked.isEmpty && !resting.asked.isEmpty }
            for player in [playing, resting] { try player.settle() }
        }
        try service.call("\(Bus.player).Play")
        try loop.wait("the pause") { playing.asked.contains("Pause") && resting.asked.contains("Get") }
        for player in [playing, resting] + mirrors { try player.settle() }
        #expect(playing.asked.filter { $0 == "Pause" }.count == 1)
        #expect(playing.asked.allSatisfy { $0 == "Get" || $0 == "Pause" })
        #expect(resting.asked.allSatisfy { $0 == "Get" })
        #expect(mirrors.map(\.asked) == [[], []])
        // One that begins afterwards is left alone; unless this begins again.
        guard settings == Self.pauseOthers else { return }
        playing.become("Playing")
        try playing.settle()
        #expect(playing.status == "Playing")
        #expect(try service.get("PlaybackStatus") == .text("Playing"))
    }

    @Test("pause-when-others-play pauses when another begins, not when one goes on or is shown twice")
    func pausesItself() throws {
        let service = try RunningService([path], settings: Self.pauseSelf)
        let other = try player("other", "Paused", service)
        let mirror = try player("playerctld", "Paused", service)
        try loop.wait("the question") { other.asked == ["Get"] }
        try other.settle()

        try service.call("\(Bus.player).Play")
        mirror.become("Playing")
        try mirror.settle()
        #expect(try service.get("PlaybackStatus") == .text("Playing"))

        other.become("Playing")
        try service.wait(until: "Paused")
        #expect(other.status == "Playing")

        // Both are wanted now; its next track begins nothing.
        try service.call("\(Bus.player).Play")
        other.become("Playing")
        try other.settle()
        #expect(try service.get("PlaybackStatus") == .text("Playing"))

        // One that comes and plays already has begun.
        let third = try player("third", "Playing", service)
        try loop.wait("the question") { third.asked == ["Get"] }
        try third.settle()
        try service.wait(until: "Paused")
        #expect(mirror.asked.isEmpty && other.asked == ["Get"])
    }

    @Test("without these settings nobody is asked or listened to")
    func off() throws {
        let service = try RunningService([path])
        let other = try player("other", "Playing", service)
        try service.call("\(Bus.player).Play")
        try other.settle()
        other.become("Paused")
        other.become("Playing")
        try other.settle()
        #expect(other.asked == [])
        #expect(try service.get("PlaybackStatus") == .text("Playing"))
    }

    @Test("two that both mind each other come to rest: who began last plays")
    func two() throws {
        let service = try RunningService(["--play", path], settings: Self.both)
        let another = try service.startAnother([path])
        let name = "\(Bus.name).instance\(another.pid)"
        try service.waitForName(name)
        let observer = try player("observer", "Paused", service)
        func playback(_ name: String) throws -> BusText? {
            let arguments = ["string:\(Bus.player)", "string:PlaybackStatus"]
            return try Bus.call(on: service.bus, to: name, "\(Bus.properties).Get", arguments).first
        }
        for _ in 0..<3 {
            for (begins, rests) in [(name, Bus.name), (Bus.name, name)] {
                _ = try Bus.call(on: service.bus, to: begins, "\(Bus.player).Play")
                try service.wait(for: "\(rests) rests") { try playback(rests) == .text("Paused") }
                for _ in 0..<3 { try observer.settle() }
                #expect(try playback(begins) == .text("Playing"))
                #expect(try playback(rests) == .text("Paused"))
            }
        }
    }

    @Test("playerctld, which shows this player as its own, does not pause it")
    func playerctld() throws {
        let service = try RunningService([path], settings: Self.both)
        let daemon = try service.startOther("playerctld")
        defer { daemon.stop() }
        try service.waitForName("org.mpris.MediaPlayer2.playerctld")
        for _ in 0..<3 {
            try service.playerctl("play")
            try service.wait(for: "playerctld shows it") {
                try Bus.call(
                    on: service.bus,
                    to: "org.mpris.MediaPlayer2.playerctld",
                    "\(Bus.properties).Get",
                    ["string:\(Bus.player)", "string:PlaybackStatus"]
                ).first == .text("Playing")
            }
            _ = try service.monitor.settle()
            #expect(try service.get("PlaybackStatus") == .text("Playing"))
            try service.playerctl("pause")
        }
    }
}
