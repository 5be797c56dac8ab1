import Glibc
import Testing
import TestSupport

/// How the service comes and goes.
@Suite("life of the service", .waiting, .timeLimit(.minutes(5)))
struct LifeTests {
    private let fixtures: Fixtures
    private let tone = MeasuringTone(band: 0, seconds: 20)
    private let path: String

    init() throws {
        fixtures = try Fixtures()
        path = try fixtures.makeTone(tone)
    }

    @Test("without a session bus it says so in one line and ends", arguments: [true, false])
    func noBus(isNamed: Bool) throws {
        let folder = try TemporaryFolder()
        var environment = try privateEnvironment(in: folder)
        if isNamed { environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=\(folder.path)/no-bus" }
        let service = try Tianlai.start(["serve", "--output", "silent", path], environment: environment)
        let report = try #require(service.wait(within: .seconds(2)))
        #expect(report.exit == .code(1))
        #expect(report.errorText.split(separator: "\n").count == 1, "\(report.errorText)")
        #expect(report.errorText.hasPrefix("tianlai: "))
        #expect(report.output.isEmpty)
    }

    @Test("a second one takes a name of its own beside the first")
    func second() throws {
        let service = try RunningService([path])
        let another = try service.startAnother([path])
        try service.waitForName("\(Bus.name).instance\(another.pid)")
        #expect(another.waitForComplaints(2).contains("\(Bus.name).instance\(another.pid)"))
        try service.playerctl("play")
        #expect(try service.get("PlaybackStatus") == .text("Playing"))
        let status = try Bus.call(
            on: service.bus,
            to: "\(Bus.name).instance\(another.pid)",
            "\(Bus.properties).Get",
            ["string:\(Bus.player)", "string:PlaybackStatus"]
        )
        #expect(status.first == .text("Paused"))
        another.signal(SIGTERM)
        #expect(another.wait(within: .seconds(60))?.exit == .code(0))
        #expect(try service.get("PlaybackStatus") == .text("Playing"))
    }

    @Test("SIGTERM, SIGINT and SIGHUP end it well", arguments: [SIGTERM, SIGINT, SIGHUP])
    func signals(number: Int32) throws {
        let service = try RunningService(["--play", path])
        let mark = service.monitor.mark
        service.process.signal(number)
        let report = try #require(service.process.wait(within: .seconds(60)))
        #expect(report.exit == .code(0))
        #expect(report.errors.isEmpty, "\(report.errorText)")
        // A last word to the clients, and the name given up before the connection goes.
        let summaries = service.monitor.wait(since: mark) { signals in
            signals.contains(where: isFarewell) ? signals.map(\.summary) : nil
        }
        #expect(summaries?.contains("PropertiesChanged PlaybackStatus") == true)
        try service.waitForName(isOwned: false)
        try service.restart([path])
        #expect(try service.playerctl("status") == "Paused")
    }

    /// Whether the player's name is nobody's any more.
    private func isFarewell(_ signal: BusSignal) -> Bool {
        signal.member == "NameOwnerChanged" && signal.arguments.first == .text(Bus.name)
            && signal.arguments.last == .text("")
    }

    @Test("Quit answers and ends it well")
    func quit() throws {
        let service = try RunningService(["--play", path])
        #expect(try service.call("org.mpris.MediaPlayer2.Quit") == .values([]))
        #expect(service.process.wait(within: .seconds(60))?.exit == .code(0))
        try service.waitForName(isOwned: false)
    }

    @Test("after kill -9 it starts again")
    func killed() throws {
        let service = try RunningService(["--play", path])
        service.process.kill()
        #expect(service.process.report.exit == .signal(SIGKILL))
        try service.waitForName(isOwned: false)
        try service.restart([path])
        try service.playerctl("play")
        #expect(try service.playerctl("status") == "Playing")
    }

    @Test("when the bus goes the music goes on, and the service comes back with the bus")
    func busGoes() throws {
        let server = try NullSoundServer()
        let ear = try Ear(on: server)
        let service = try RunningService(["--play", path], sound: server)
        _ = try ear.waitToHear(tone, at: 0.5)
        service.bus.kill()
        let before = try ear.waitToHear(tone)
        _ = try ear.waitToHear(tone, at: before + 2)
        try service.bus.restart()
        let monitor = try BusMonitor(on: service.bus)
        let mark = monitor.mark
        if try !Bus.isOwned(Bus.name, on: service.bus) {
            let isBack = monitor.wait(since: mark) { signals in
                signals.contains { $0.member == "NameOwnerChanged" && $0.arguments[0] == .text(Bus.name) }
                    ? true : nil
            }
            #expect(isBack == true, "\(service.process.report.errorText)")
        }
        #expect(try service.playerctl("status") == "Playing")
        #expect(try service.compare(with: ear, hearing: tone).apart < 0.2)
        #expect(service.process.waitForComplaints(2).split(separator: "\n").count == 2)
        // It is heard on the new bus as it was on the old.
        let fresh = try monitor.settle()
        try service.playerctl("pause")
        #expect(
            try monitor.playerSignals(since: fresh).map(\.summary) == ["PropertiesChanged PlaybackStatus"]
        )
        #expect(ear.waitForSilence())
    }
}
