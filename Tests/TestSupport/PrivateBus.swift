import Foundation

/// A session bus of a test's own: another `dbus-daemon`, its address a value.
package final class PrivateBus {
    /// What clients connect to.
    package let address: String
    private let folder: TemporaryFolder
    private let environment: [String: String]
    private var daemon: ChildProcess

    /// Starts the bus; it listens when this returns.
    ///
    /// It starts services for those who call them where `environment`, in which they then run, leads to any.
    package init(environment: [String: String]? = nil) throws {
        folder = try TemporaryFolder()
        self.environment = try environment ?? privateEnvironment(in: folder)
        address = "unix:path=\(folder.path("bus"))"
        daemon = try Self.start(address, self.environment)
    }

    /// The process id of the bus daemon.
    package var pid: Int32 { daemon.pid }

    /// Ends the bus at once, as a crash would.
    package func kill() {
        daemon.kill()
    }

    /// Starts a new bus at the same address, after ``kill()``.
    package func restart() throws {
        unlink(folder.path("bus"))
        daemon = try Self.start(address, environment)
    }

    deinit { daemon.kill() }

    private static func start(_ address: String, _ environment: [String: String]) throws -> ChildProcess {
        let daemon = try ChildProcess(
            [
                "dbus-daemon", "--session", "--nofork", "--nopidfile", "--nosyslog", "--print-address=1",
                "--address=\(address)",
            ],
            environment: environment
        )
        // The daemon prints its address when it listens.
        guard daemon.waitForOutput(within: .seconds(60), { $0.output.contains(10) ? true : nil }) != nil
        else {
            throw TestFailure("dbus-daemon does not start: \(daemon.report.errorText)")
        }
        return daemon
    }
}
