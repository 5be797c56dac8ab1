import Testing
import TestSupport

/// The media keys as MATE's settings daemon hands them on.
@Suite(
    "MATE",
    .waiting,
    .timeLimit(.minutes(5)),
    .needs("Xvfb", "xdotool", "mate-settings-daemon")
)
struct MATETests {
    @Test("media keys")
    func keys() throws {
        let fixtures = try Fixtures()
        let service = try RunningService(try fixtures.makeTones(3, seconds: 40, rate: 16_000))
        let screen = try VirtualScreen(width: 640, height: 480)
        let daemon = try service.startOther(
            "mate-settings-daemon",
            environment: screen.environment.merging(quietDesktop) { $1 }
        )
        try service.waitForName("org.mate.SettingsDaemon")
        let keys = MediaKeys(screen: screen, service: service)
        try keys.expectObedience()
        try service.playerctl("play")
        // The key that only pauses, which X has no name of its own for on this keyboard.
        try screen.press("209")
        try service.wait(until: "Paused")
        daemon.stop()
        try service.playerctl("play")
        try service.wait(until: "Playing")
        #expect(service.process.report.errors.isEmpty, "\(service.process.report.errorText)")
    }
}

/// For programs of a desktop: nothing of the user's settings, nothing for screen readers.
let quietDesktop = [
    "GSETTINGS_BACKEND": "memory", "GIO_USE_VFS": "local", "NO_AT_BRIDGE": "1", "LIBGL_ALWAYS_SOFTWARE": "1",
]
