import Foundation

/// A session bus of a test's own: another `dbus-daemon`, its address a value.
package final class PrivateBus {
    /// What clients connect to.
    package let address: String
    private let folder: TemporaryFolder
    private let environment: [String: String]
    private let configuration: String
    private var daemon: ChildProcess

    /// Starts the bus; it listens when this returns.
    ///
    /// It starts services for those who call them only where `environment`, in which they then run, is given; else
    /// whoever is on it, the test has started.
    package init(environment: [String: String]? = nil) throws {
        folder = try TemporaryFolder()
        self.environment = try environment ?? privateEnvironment(in: folder)
        address = "unix:path=\(folder.path("bus"))"
        let services = "<standard_session_servicedirs />"
        let session = try String(contentsOfFile: "/usr/share/dbus-1/session.conf", encoding: .utf8)
            .replacingOccurrences(of: services, with: environment == nil ? "" : services)
        configuration = try folder.write("bus.conf", session.utf8)
        daemon = try Self.start(address, configuration, self.environment)
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
        daemon = try Self.start(address, configuration, environment)
    }

    deinit { daemon.kill() }

    private static func start(
        _ address: String,
        _ configuration: String,
        _ environment: [String: String]
    ) throws -> ChildProcess {
        let daemon = try ChildProcess(
            [
                "dbus-daemon", "--config-file=\(configuration)", "--nofork", "--nopidfile", "--nosyslog",
                "--print-address=1", "--address=\(address)",
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
