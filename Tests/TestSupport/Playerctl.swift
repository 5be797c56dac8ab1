/// The player as `playerctl` users see it, on a private bus.
package struct Playerctl {
    private let environment: [String: String]
    private let player: String

    package init(bus: PrivateBus, environment: [String: String], player: String = "tianlai") {
        self.environment = environment.merging(["DBUS_SESSION_BUS_ADDRESS": bus.address]) { $1 }
        self.player = player
    }

    /// Runs one command and returns what it prints without the last line break; throws where it fails.
    @discardableResult
    package func callAsFunction(_ arguments: String...) throws -> String {
        let report = try run(arguments)
        guard report.exit == .code(0) else {
            throw TestFailure("playerctl \(arguments.joined(separator: " ")): \(report.errorText)")
        }
        return report.outputText.hasSuffix("\n") ? String(report.outputText.dropLast()) : report.outputText
    }

    /// Runs one command to its end, also where it fails.
    package func run(_ arguments: [String]) throws -> ChildProcess.Report {
        try ChildProcess.run(["playerctl", "-p", player] + arguments, environment: environment)
    }

    /// Starts a command that goes on, such as `--follow metadata`.
    package func start(_ arguments: String...) throws -> ChildProcess {
        try ChildProcess(["playerctl", "-p", player] + arguments, environment: environment)
    }
}
