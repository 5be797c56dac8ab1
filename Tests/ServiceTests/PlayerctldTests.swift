import Testing
import TestSupport

/// Two players, and `playerctld` to send each command to the one that was used last.
@Suite("playerctld", .waiting, .timeLimit(.minutes(5)), .needs("playerctld"))
struct PlayerctldTests {
    private static let name = "org.mpris.MediaPlayer2.playerctld"
    private let fixtures: Fixtures
    private let service: RunningService
    private let second: ChildProcess
    private let daemon: ChildProcess
    /// Whoever is active.
    private let active: Playerctl
    private let secondPlayer: Playerctl

    init() throws {
        fixtures = try Fixtures()
        let paths = try fixtures.makeTones(4, seconds: 40, rate: 16_000)
        service = try RunningService(Array(paths[..<2]))
        daemon = try service.startOther("playerctld")
        try service.waitForName(Self.name)
        second = try service.startAnother(Array(paths[2...]))
        try service.waitForName("\(Bus.name).instance\(second.pid)")
        active = Playerctl(bus: service.bus, environment: [:], player: "playerctld")
        secondPlayer = Playerctl(
            bus: service.bus,
            environment: [:],
            player: "tianlai.instance\(second.pid)"
        )
    }

    /// Calls the first player, by the name that for `playerctl` is also the second one's.
    private func call(_ method: String) throws {
        try service.call("\(Bus.player).\(method)")
    }

    /// Waits until a player is as told: asked anew each time it or the other says something.
    private func wait(_ player: Playerctl, until state: String) throws {
        try service.wait(for: state) {
            try player("metadata", "--format", "{{status}} {{xesam:title}}") == state
        }
    }

    @Test("commands go to the player that was used last, and to the other one when it goes")
    func lastUsed() throws {
        try call("Play")
        try wait(active, until: "Playing Tone 0")
        try secondPlayer("play")
        try wait(active, until: "Playing Tone 2")
        try active("next")
        try wait(active, until: "Playing Tone 3")
        try active("pause")
        try wait(secondPlayer, until: "Paused Tone 3")
        #expect(try service.get("PlaybackStatus") == .text("Playing"))
        try call("Next")
        try wait(active, until: "Playing Tone 1")
        try active("previous")
        try wait(active, until: "Playing Tone 0")
        try active("stop")
        try service.wait(until: "Stopped", "tone-0.mp3")
        #expect(try secondPlayer("metadata", "title") == "Tone 3")
        try active("play-pause")
        try service.wait(until: "Playing", "tone-0.mp3")
        try secondPlayer("play")
        try wait(active, until: "Playing Tone 3")
        second.signal(15)
        #expect(second.wait(within: .seconds(60))?.exit == .code(0))
        try wait(active, until: "Playing Tone 0")
        #expect(daemon.report.exit == nil, "\(daemon.report.errorText)")
    }

    @Test("position, volume and title are those of the active player")
    func properties() throws {
        try call("Play")
        try wait(active, until: "Playing Tone 0")
        try active("pause")
        try service.wait(until: "Paused")
        try active("position", "30")
        try service.wait(for: "30 s") { try service.get("Position") == .integer(30_000_000) }
        #expect(try active("position") == "30.000000")
        try active("volume", "0.5")
        try service.wait(for: "half the volume") { try service.get("Volume") == .number(0.5) }
        try active("loop", "Track")
        try service.wait(for: "the track again") { try service.get("LoopStatus") == .text("Track") }
        #expect(try secondPlayer("loop") == "Playlist")
    }

    @Test("players go on without it")
    func end() throws {
        try call("Play")
        try wait(active, until: "Playing Tone 0")
        daemon.kill()
        try service.waitForName(Self.name, isOwned: false)
        try call("Next")
        try service.wait(until: "Playing", "tone-1.mp3")
        #expect(service.process.report.errors.isEmpty, "\(service.process.report.errorText)")
    }
}
