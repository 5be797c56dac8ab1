import Foundation
import Glibc
import TestSupport
import Testing

/// A bus that starts the service for whoever calls it, as an installed one does.
private final class ActivatingBus {
    let bus: PrivateBus
    let monitor: BusMonitor
    let environment: [String: String]
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let home = try privateEnvironment(in: folder)
        try folder.makeFolder("data/dbus-1/services")
        let service = "[D-BUS Service]\nName=\(Bus.name)\nExec=\(Tianlai.path) serve --output silent\n"
        try folder.write("data/dbus-1/services/\(Bus.name).service", service.utf8)
        bus = try PrivateBus(environment: home)
        monitor = try BusMonitor(on: bus)
        environment = home.merging(["DBUS_SESSION_BUS_ADDRESS": bus.address]) { $1 }
    }

    func run(_ words: String...) throws -> ChildProcess.Report {
        let command = try Tianlai.start(words, environment: environment)
        guard let report = command.wait(within: .seconds(60)) else {
            throw TestFailure("tianlai \(words.joined(separator: " ")) does not end")
        }
        return report
    }

    var isRunning: Bool { get throws { try Bus.isOwned(Bus.name, on: bus) } }

    func get(_ property: String) throws -> BusText? {
        try Bus.call(on: bus, "\(Bus.properties).Get", ["string:\(Bus.player)", "string:\(property)"]).first
    }

    /// Waits until nobody has the player's name.
    func waitUntilGone() throws {
        let isGone = monitor.wait(within: .seconds(60)) { signals in
            signals.last { $0.member == "NameOwnerChanged" && $0.arguments.first == .text(Bus.name) }
                .flatMap { $0.arguments.last == .text("") ? true : nil }
        }
        guard isGone == true else { throw TestFailure("the service does not end") }
    }

    deinit {
        // What the bus has started does not end with it.
        let pid = try? Bus.call(
            on: bus,
            to: "org.freedesktop.DBus",
            at: "/org/freedesktop/DBus",
            "org.freedesktop.DBus.GetConnectionUnixProcessID",
            ["string:\(Bus.name)"]
        ).first?.integer
        if let pid, pid > 1 { kill(pid_t(pid), SIGKILL) }
    }
}

@Suite("activation", .waiting, .timeLimit(.minutes(5)))
struct ActivationTests {
    private let fixtures: Fixtures
    private let paths: [String]
    private let bus: ActivatingBus

    init() throws {
        fixtures = try Fixtures()
        paths = try fixtures.makeTones(2, seconds: 20, rate: 8000)
        bus = try ActivatingBus()
    }

    @Test("play FILE starts the service and returns when it plays that")
    func play() throws {
        #expect(try !bus.isRunning)
        let report = try bus.run("play", paths[1])
        #expect(report.exit == .code(0), "\(report.errorText)")
        #expect(try bus.get("PlaybackStatus") == .text("Playing"))
        #expect(try bus.get("Metadata")?["xesam:url"]?.text?.hasSuffix("tone-1.mp3") == true)
    }

    @Test("a call starts it with the last queue, paused; Quit stays quit, and asking changes nothing")
    func quit() throws {
        #expect(try bus.run("play", paths[0], paths[1]).exit == .code(0))
        #expect(try bus.run("next").exit == .code(0))
        #expect(try bus.run("quit").exit == .code(0))
        try bus.waitUntilGone()
        for words in [["status"], ["sleep"], ["pause"], ["next"], ["queue", "list"], ["quit"]] {
            let report = try Tianlai.start(words, environment: bus.environment).wait(within: .seconds(60))
            #expect(report?.exit == .code(1), "\(words)")
            #expect(report?.errorText.hasPrefix("tianlai: not running") == true, "\(words)")
        }
        #expect(try !bus.isRunning)
        // Any call but those of ours brings it back.
        #expect(try bus.get("PlaybackStatus") == .text("Paused"))
        #expect(try bus.get("Metadata")?["xesam:url"]?.text?.hasSuffix("tone-1.mp3") == true)
    }

    @Test("those who look on do not bring it back after Quit (C-16)")
    func onlookers() throws {
        #expect(try bus.run("play", paths[0]).exit == .code(0))
        let onlookers = try [
            ChildProcess(["playerctld"], environment: bus.environment),
            ChildProcess(["playerctl", "-p", "tianlai", "--follow", "status"], environment: bus.environment),
            Tianlai.start(["status", "--follow"], environment: bus.environment),
        ]
        defer { for onlooker in onlookers { onlooker.stop() } }
        // All of them have seen it.
        for onlooker in onlookers.dropFirst() {
            let sees = onlooker.waitForOutput(within: .seconds(60)) {
                $0.outputText.contains("Playing") ? true : nil
            }
            #expect(sees == true)
        }
        let daemon = "org.mpris.MediaPlayer2.playerctld"
        let sees = bus.monitor.wait(within: .seconds(60)) { signals in
            signals.contains { $0.arguments.first == .text(daemon) } ? true : nil
        }
        #expect(sees == true)
        #expect(try bus.run("quit").exit == .code(0))
        try bus.waitUntilGone()
        let waits = onlookers[2].waitForOutput(within: .seconds(60)) {
            $0.outputText.contains("waiting") ? true : nil
        }
        #expect(waits == true)
        // playerctld answers behind what it has done about the end.
        let answer = try Bus.call(on: bus.bus, to: daemon, "org.freedesktop.DBus.Peer.Ping")
        #expect(answer.error == nil)
        #expect(try !bus.isRunning)
    }
}
