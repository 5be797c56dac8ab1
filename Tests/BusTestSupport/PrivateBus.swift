package import DBus
import Foundation
import Glibc

/// A message bus of the test's own, ended with it.
package final class PrivateBus {
    package let address: BusAddress
    private let daemon = Process()

    package init() throws {
        let output = Pipe()
        daemon.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        daemon.arguments = ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address"]
        daemon.standardOutput = output
        daemon.standardError = FileHandle.nullDevice
        try daemon.run()
        var line = Data()
        while let byte = try output.fileHandleForReading.read(upToCount: 1), byte.first != 10 { line += byte }
        address = BusAddress(String(decoding: line, as: UTF8.self))
    }

    /// Ends the bus, with all its connections.
    package func end() {
        guard daemon.isRunning else { return }
        kill(daemon.processIdentifier, SIGKILL)
        daemon.waitUntilExit()
    }

    deinit { end() }
}
