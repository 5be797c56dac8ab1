import Foundation

/// A session bus of a test's own: another `dbus-daemon`, its address a value.
///
/// It starts no services: whoever is on it, the test has started.
package final class PrivateBus {
    /// What clients connect to.
    package let address: String
    private let folder: TemporaryFolder
    private var daemon: ChildProcess

    /// Starts the bus; it listens when this returns.
    package init() throws {
        folder = try TemporaryFolder()
        address = "unix:path=\(folder.path("bus"))"
        daemon = try Self.start(address, in: folder)
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
        daemon = try Self.start(address, in: folder)
    }

    deinit { daemon.kill() }

    private static func start(_ address: String, in folder: TemporaryFolder) throws -> ChildProcess {
        let session = try String(contentsOfFile: "/usr/share/dbus-1/session.conf", encoding: .utf8)
        let configuration = try folder.write(
            "session.conf",
            session.replacingOccurrences(of: "<standard_session_servicedirs />", with: "").utf8
        )
        let daemon = try ChildProcess(
            [
                "dbus-daemon", "--config-file=\(configuration)", "--nofork", "--nopidfile", "--nosyslog",
                "--print-address=1", "--address=\(address)",
            ],
            environment: try privateEnvironment(in: folder)
        )
        // The daemon prints its address when it listens.
        guard daemon.waitForOutput(within: .seconds(60), { $0.output.contains(10) ? true : nil }) != nil
        else {
            throw TestFailure("dbus-daemon does not start: \(daemon.report.errorText)")
        }
        return daemon
    }
}
