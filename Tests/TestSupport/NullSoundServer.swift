import Foundation

/// A sound server of a test's own: another PulseAudio with a sink called `null` that plays to nobody.
package final class NullSoundServer {
    /// What clients connect to, also by `PULSE_SERVER`.
    package let address: String
    private let folder: TemporaryFolder
    private let environment: [String: String]
    private let modules: [String]
    private var daemon: ChildProcess

    /// Starts the server; it answers when this returns.
    ///
    /// `modules` are loaded besides the protocol and the sink, in the words of `pactl load-module`.
    package init(modules: [String] = []) throws {
        folder = try TemporaryFolder()
        environment = try privateEnvironment(in: folder)
        address = "unix:\(folder.path)/run/pulse/native"
        self.modules = modules
        daemon = try Self.start(modules, environment)
        try waitUntilAnswering()
    }

    /// The process id of the server.
    package var pid: Int32 { daemon.pid }

    /// Runs `pactl` on this server and returns what it prints.
    @discardableResult
    package func pactl(_ arguments: String...) throws -> String {
        let report = try control(arguments)
        guard report.exit == .code(0) else {
            throw TestFailure("pactl \(arguments.joined(separator: " ")): \(report.errorText)")
        }
        return report.outputText
    }

    /// Starts another client of this server, such as `parec`.
    package func start(
        _ arguments: [String],
        onOutput: (@Sendable (UnsafeRawBufferPointer) -> Void)? = nil
    ) throws -> ChildProcess {
        try ChildProcess(arguments, environment: clientEnvironment, onOutput: onOutput)
    }

    /// Ends the server at once, as a crash would.
    package func kill() {
        daemon.kill()
    }

    /// Holds the server still, as a computer that sleeps does.
    package func freeze() {
        daemon.signal(SIGSTOP)
    }

    /// Lets a frozen server go on.
    package func thaw() {
        daemon.signal(SIGCONT)
    }

    /// Starts a new server on the same socket, after ``kill()``; it answers when this returns.
    package func restart() throws {
        daemon = try Self.start(modules, environment)
        try waitUntilAnswering()
    }

    deinit { daemon.kill() }

    private var clientEnvironment: [String: String] {
        environment.merging(["PULSE_SERVER": address]) { $1 }
    }

    private func control(_ arguments: [String]) throws -> ChildProcess.Report {
        try ChildProcess.run(["pactl"] + arguments, environment: clientEnvironment)
    }

    private static func start(_ modules: [String], _ environment: [String: String]) throws -> ChildProcess {
        let all = ["module-native-protocol-unix", "module-null-sink sink_name=null"] + modules
        return try ChildProcess(
            [
                "pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--realtime=no",
                "--high-priority=no",
            ]
                + all.flatMap { ["-L", $0] },
            environment: environment
        )
    }

    /// The socket is there before the modules are; the server is ready when it has a sink to show.
    private func waitUntilAnswering() throws {
        let deadline = ContinuousClock.now + .seconds(10)
        while daemon.report.exit == nil, ContinuousClock.now < deadline {
            let report = try control(["list", "short", "sinks"])
            if report.exit == .code(0), report.outputText.contains("null") { return }
        }
        throw TestFailure("pulseaudio does not start: \(daemon.report.errorText)")
    }
}
