import Foundation
import TestSupport

/// The service as it is installed: the built executable on a bus and a sound server of the test's own.
final class RunningService {
    let bus: PrivateBus
    let monitor: BusMonitor
    let playerctl: Playerctl
    /// Where its folders are: `home`, `config`, `state`, `cache`, `data` and `run`.
    let folder: TemporaryFolder
    private let environment: [String: String]
    private let output: String
    private(set) var process: ChildProcess

    /// Starts `tianlai serve` with `words` after it; it has its name when this returns.
    ///
    /// Without `sound` it plays to nobody, in real time. With `music` its library is that folder; `settings` are further
    /// lines of its `config.ini`.
    init(
        _ words: [String],
        music: String? = nil,
        settings: String = "",
        sound: NullSoundServer? = nil,
        environment extra: [String: String] = [:]
    ) throws {
        bus = try PrivateBus()
        monitor = try BusMonitor(on: bus)
        folder = try TemporaryFolder()
        environment = try privateEnvironment(in: folder).merging([
            "DBUS_SESSION_BUS_ADDRESS": bus.address,
            "PULSE_SERVER": sound?.address ?? "unix:\(folder.path)/no-sound-server",
        ]) { $1 }.merging(extra) { $1 }
        playerctl = Playerctl(bus: bus, environment: environment)
        let library = music.map { "[library]\nfolders = \($0)\n" } ?? ""
        try folder.makeFolder("config/tianlai")
        try folder.write("config/tianlai/config.ini", (library + settings).utf8)
        output = sound == nil ? "silent" : "pulse"
        process = try Tianlai.start(["serve", "--output", output] + words, environment: environment)
        try waitForName()
    }

    /// Starts it anew on the same bus, after its end.
    func restart(_ words: [String]) throws {
        process = try startAnother(words)
        try waitForName()
    }

    /// Starts one more on the same bus.
    func startAnother(_ words: [String]) throws -> ChildProcess {
        try Tianlai.start(["serve", "--output", output] + words, environment: environment)
    }

    /// Starts another program in the same session.
    func startOther(_ words: String..., environment extra: [String: String] = [:]) throws -> ChildProcess {
        try ChildProcess(words, environment: environment.merging(extra) { $1 })
    }

    /// Starts a `tianlai` command.
    func start(_ words: String...) throws -> ChildProcess {
        try Tianlai.start(words, environment: environment)
    }

    /// Runs a `tianlai` command to its end.
    func tianlai(_ words: String...) throws -> ChildProcess.Report {
        try tianlai(words)
    }

    /// Runs a `tianlai` command to its end.
    func tianlai(_ words: [String], within limit: Duration = .seconds(60)) throws -> ChildProcess.Report {
        let command = try Tianlai.start(words, environment: environment)
        guard let report = command.wait(within: limit) else {
            throw TestFailure("tianlai \(words.joined(separator: " ")) does not end")
        }
        return report
    }

    /// Calls a method; `member` with its interface, arguments in the words of `dbus-send`.
    @discardableResult
    func call(_ member: String, _ arguments: String...) throws -> Bus.Answer {
        try Bus.call(on: bus, member, arguments)
    }

    /// A property of the Player interface, or another, as it is now.
    func get(_ property: String, of interface: String = Bus.player) throws -> BusText? {
        try Bus.call(
            on: bus,
            at: interface == Bus.control ? Bus.controlPath : Bus.path,
            "\(Bus.properties).Get",
            ["string:\(interface)", "string:\(property)"]
        ).first
    }

    /// All properties of the Player interface, as they are now.
    func getAll() throws -> BusText? {
        try Bus.call(on: bus, "\(Bus.properties).GetAll", ["string:\(Bus.player)"]).first
    }

    /// The file name of the current track; empty where there is none.
    func fileName() throws -> String {
        let url = try get("Metadata")?["xesam:url"]?.text ?? ""
        return URL(string: url)?.lastPathComponent ?? ""
    }

    /// Waits until `condition` holds, asked anew after each signal; throws when the deadline has passed.
    func wait(
        for what: String,
        within limit: Duration = .seconds(60),
        until condition: () throws -> Bool
    ) throws {
        let deadline = ContinuousClock.now + limit
        while true {
            let mark = monitor.mark
            if try condition() { return }
            let rest = deadline - .now
            guard rest > .zero,
                monitor.wait(since: mark, within: rest, find: { $0.isEmpty ? nil : true }) != nil
            else {
                throw TestFailure("\(what): not within \(limit); \(process.report.errorText)")
            }
        }
    }

    /// Waits until the service has its name, or `name`.
    func waitForName(_ name: String = Bus.name, isOwned: Bool = true) throws {
        try wait(for: "\(name) \(isOwned ? "appears" : "goes")") {
            try Bus.isOwned(name, on: bus) == isOwned
        }
    }

    /// Waits until PlaybackStatus is `status`, and the current track in the file `name`.
    func wait(until status: String, _ name: String? = nil) throws {
        try wait(for: "\(status) \(name ?? "")") {
            guard try get("PlaybackStatus") == .text(status) else { return false }
            return try name == nil || fileName() == name
        }
    }

    deinit { process.kill() }
}

/// The built executable.
enum Tianlai {
    static let path =
        ProcessInfo.processInfo.environment["TIANLAI_BINARY"]
        ?? URL(fileURLWithPath: #filePath).appendingPathComponent("../../../.build/debug/tianlai")
        .standardized.path

    static func start(_ words: [String], environment: [String: String]) throws -> ChildProcess {
        try ChildProcess([path] + words, environment: environment)
    }
}

extension ChildProcess {
    /// Waits until it has said so many lines on standard error, or has ended, and returns all that it has said.
    ///
    /// What it says comes in on another way than what it does on the bus.
    func waitForComplaints(_ count: Int) -> String {
        _ = waitForOutput(within: .seconds(60)) { report in
            report.errors.count { $0 == 10 } >= count ? true : nil
        }
        return report.errorText
    }
}

extension Fixtures {
    /// Makes `tone-0.mp3`, `tone-1.mp3` and so on, and returns their paths.
    ///
    /// What nobody hears may have a low `rate`, at which it is made quickly.
    func makeTones(_ count: Int, seconds: Double, rate: Int = 44_100) throws -> [String] {
        try (0..<count).map { try makeTone(MeasuringTone(band: $0, seconds: seconds), rate: rate) }
    }
}
