import BusTestSupport
import DBus
import EventLoop
import Music
import TestSupport
import Testing

/// What the service does when the machine goes to sleep, with a logind of the test's own.
@Suite("sleep of the machine", .waiting, .timeLimit(.minutes(5)))
struct MachineSleepTests {
    private let fixtures: Fixtures
    private let path: String
    private let loop: TestLoop

    init() throws {
        fixtures = try Fixtures()
        path = try fixtures.makeTone(MeasuringTone(band: 0, seconds: 60), rate: 8000)
        loop = try TestLoop()
    }

    private func status(on bus: BusConnection) -> String? {
        let arguments = [Bus.player, "PlaybackStatus"].map(BusValue.string)
        let call = MethodCall(to: Bus.name, path: Bus.path, interface: Bus.properties, "Get", arguments)
        return try? bus.callAndWait(call, timeout: .seconds(30)).first?.text
    }

    @Test("sleep waits until the music has paused, and the music waits for its listener")
    func pauses() throws {
        let login = try StandInLogin(on: loop)
        let service = try RunningService([path], environment: login.environment)
        #expect(try login.guests().isEmpty, "nobody is asked before there is music")
        try service.playerctl("play")
        try loop.wait("the lock") { login.held == ["sleep delay"] }

        let session = try BusConnection(to: BusAddress(service.bus.address), on: loop.loop)
        var statusAtRelease: String?
        login.onRelease = { _ in statusAtRelease = status(on: session) }
        let mark = try service.monitor.settle()
        let start = Instant.now()
        login.sleep(true)
        try loop.wait("the release") { login.held.isEmpty }
        #expect(statusAtRelease == "Paused")
        #expect(Instant.now().since(start) >= .seconds(0.2), "the pause is to be heard first")

        login.sleep(false)
        try login.settle()
        #expect(
            try service.monitor.playerSignals(since: mark).map(\.summary) == [
                "PropertiesChanged PlaybackStatus"
            ]
        )
        #expect(try service.get("PlaybackStatus") == .text("Paused"))

        try service.playerctl("play")
        try loop.wait("another lock") { login.held == ["sleep delay"] }
        try service.playerctl("pause")
        try loop.wait("its release") { login.held.isEmpty }
        // A machine that sleeps while nothing plays is not held up.
        login.sleep(true)
        login.sleep(false)
        try login.settle()
        #expect(login.locks.count == 2)
        service.process.stop()
        #expect(service.process.report.errorText == "")
    }

    @Test("with pause-on-sleep = no nobody is asked for anything")
    func off() throws {
        let login = try StandInLogin(on: loop)
        let service = try RunningService(
            ["--play", path],
            settings: "[playback]\npause-on-sleep = no\n",
            environment: login.environment
        )
        try service.wait(until: "Playing")
        _ = try service.monitor.settle()
        #expect(try login.guests().isEmpty)
    }

    @Test("with inhibit-suspend = yes the machine does not fall asleep while music plays")
    func inhibits() throws {
        let login = try StandInLogin(on: loop)
        let service = try RunningService(
            ["--play", path],
            settings: "[playback]\ninhibit-suspend = yes\npause-on-sleep = no\n",
            environment: login.environment
        )
        try loop.wait("the lock") { login.held == ["idle block"] }
        try service.playerctl("pause")
        try loop.wait("its release") { login.held.isEmpty }
        service.process.stop()
        #expect(service.process.report.errorText == "")
    }

    @Test(
        "without logind music plays, and only who has asked for more hears of it",
        arguments: [(true, 0), (false, 0), (true, 1), (false, 1)]
    )
    func withoutLogin(hasBus: Bool, complaints: Int) throws {
        let login = try hasBus ? StandInLogin(on: loop, isAbsent: true) : nil
        let service = try RunningService(
            [path],
            settings: complaints > 0 ? "[playback]\ninhibit-suspend = yes\n" : "",
            environment: login?.environment ?? [:]
        )
        for _ in 0..<2 {
            try service.playerctl("play")
            #expect(try service.get("PlaybackStatus") == .text("Playing"))
            // What is of no use is not kept.
            while let login, try !login.guests().isEmpty {}
            try service.playerctl("pause")
        }
        service.process.stop()
        let lines = service.process.report.errorText.split(separator: "\n")
        #expect(lines.count == complaints, "\(lines)")
        #expect(lines.allSatisfy { $0.contains("inhibit-suspend") })
    }

    @Test("a system bus that goes takes no music with it")
    func busGoes() throws {
        let login = try StandInLogin(on: loop)
        let service = try RunningService(["--play", path], environment: login.environment)
        try loop.wait("the lock") { login.held == ["sleep delay"] }
        login.bus.kill()
        try loop.wait("the release") { login.held.isEmpty }
        #expect(try service.get("PlaybackStatus") == .text("Playing"))
        service.process.stop()
        #expect(service.process.report.exit == .code(0))
        #expect(service.process.report.errorText == "")
    }
}
