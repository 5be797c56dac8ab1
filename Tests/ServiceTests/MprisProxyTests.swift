import DBus
import Testing
import TestSupport

/// A headset's buttons and a car's display, as BlueZ's `mpris-proxy` hands them on.
@Suite("mpris-proxy", .waiting, .timeLimit(.minutes(5)), .needs("mpris-proxy"))
struct MprisProxyTests {
    private let fixtures: Fixtures
    private let service: RunningService
    private let bluetoothd: Bluetoothd
    private let proxy: ChildProcess

    init() throws {
        fixtures = try Fixtures()
        service = try RunningService(try fixtures.makeTones(3, seconds: 40, rate: 16_000))
        bluetoothd = try Bluetoothd()
        proxy = try service.startOther(
            "mpris-proxy",
            environment: ["DBUS_SYSTEM_BUS_ADDRESS": bluetoothd.bus.address]
        )
        let daemon = bluetoothd
        try daemon.wait(for: "the player") { daemon.player != nil }
    }

    /// Waits until the player is so, and the headset is told so too.
    private func wait(until status: String, _ title: String) throws {
        let daemon = bluetoothd
        try daemon.wait(for: "\(status) \(title)") {
            daemon.properties["PlaybackStatus"]?.text == status && daemon.metadata("xesam:title") == title
        }
        try service.wait(until: status)
    }

    @Test("the buttons of a headset, and what it is told")
    func buttons() throws {
        try wait(until: "Paused", "Tone 0")
        let presses = [
            ("Play", "Playing", "Tone 0"), ("Pause", "Paused", "Tone 0"), ("Play", "Playing", "Tone 0"),
            ("Next", "Playing", "Tone 1"), ("Previous", "Playing", "Tone 0"), ("Stop", "Stopped", "Tone 0"),
        ]
        for (button, status, title) in presses {
            try bluetoothd.press(button)
            try wait(until: status, title)
        }
    }

    @Test("what others change is told too")
    func others() throws {
        try service.playerctl("play")
        try wait(until: "Playing", "Tone 0")
        try service.playerctl("next")
        try wait(until: "Playing", "Tone 1")
        try service.playerctl("shuffle", "on")
        let daemon = bluetoothd
        try daemon.wait(for: "Shuffle") { daemon.properties["Shuffle"]?.boolean == true }
    }

    @Test("the player goes with the service, the service does not go with the proxy")
    func ends() throws {
        let daemon = bluetoothd
        proxy.kill()
        try service.playerctl("play")
        try service.wait(until: "Playing", "tone-0.mp3")
        #expect(service.process.report.errors.isEmpty, "\(service.process.report.errorText)")
        let another = try service.startOther(
            "mpris-proxy",
            environment: ["DBUS_SYSTEM_BUS_ADDRESS": bluetoothd.bus.address]
        )
        try wait(until: "Playing", "Tone 0")
        try service.run("quit")
        try daemon.wait(for: "no player") { daemon.player == nil }
        #expect(another.report.exit == nil)
    }
}
