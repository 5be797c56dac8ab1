import TestSupport

/// Calls over a private bus by `dbus-send`, which is not of the product.
enum Bus {
    static let name = "org.mpris.MediaPlayer2.tianlai"
    static let path = "/org/mpris/MediaPlayer2"
    static let player = "org.mpris.MediaPlayer2.Player"
    static let trackList = "org.mpris.MediaPlayer2.TrackList"
    static let playlists = "org.mpris.MediaPlayer2.Playlists"
    static let control = "org.tianlai.Control1"
    static let controlPath = "/org/tianlai/Control1"
    static let properties = "org.freedesktop.DBus.Properties"

    /// What a call came back with.
    enum Answer: Equatable {
        case values([BusText])
        /// The D-Bus name of an error.
        case error(String)

        var first: BusText? { if case .values(let values) = self { values.first } else { nil } }
        var error: String? { if case .error(let name) = self { name } else { nil } }
    }

    /// Calls a method of the service and waits for the answer; arguments in the words of `dbus-send`.
    static func call(
        on bus: PrivateBus,
        to name: String = Bus.name,
        at path: String = Bus.path,
        _ member: String,
        _ arguments: [String] = []
    ) throws -> Answer {
        let words = ["--print-reply", "--reply-timeout=10000", "--dest=\(name)", path, member]
        let report = try run(words + arguments, on: bus)
        guard report.exit == .code(0) else {
            let error = report.errorText.split(separator: " ").dropFirst().first ?? ""
            return .error(String(error.prefix { $0 != ":" }))
        }
        let lines = report.outputText.split(separator: "\n").dropFirst()
        guard let values = BusText.values(in: lines) else {
            throw TestFailure("dbus-send prints \(report.outputText)")
        }
        return .values(values)
    }

    /// Sends a signal.
    static func send(on bus: PrivateBus, _ path: String, _ member: String) throws {
        let report = try run(["--type=signal", path, member], on: bus)
        guard report.exit == .code(0) else { throw TestFailure("dbus-send: \(report.errorText)") }
    }

    /// Whether somebody has `name`.
    static func isOwned(_ name: String, on bus: PrivateBus) throws -> Bool {
        let answer = try call(
            on: bus,
            to: "org.freedesktop.DBus",
            at: "/org/freedesktop/DBus",
            "org.freedesktop.DBus.NameHasOwner",
            ["string:\(name)"]
        )
        return answer.first == .flag(true)
    }

    private static func run(_ words: [String], on bus: PrivateBus) throws -> ChildProcess.Report {
        try ChildProcess.run(
            ["dbus-send", "--bus=\(bus.address)"] + words,
            environment: ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"]
        )
    }
}
