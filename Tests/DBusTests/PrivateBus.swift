import DBus
import EventLoop
import Foundation
import Glibc
import Music
import Testing

/// A message bus of the test's own, ended with it.
final class PrivateBus {
    let address: BusAddress
    private let daemon = Process()

    init() throws {
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

    var processIdentifier: pid_t { daemon.processIdentifier }

    /// Ends the bus, with all its connections.
    func end() {
        guard daemon.isRunning else { return }
        kill(daemon.processIdentifier, SIGKILL)
        daemon.waitUntilExit()
    }

    deinit { end() }
}

/// A loop, and what it takes to wait on it for something to happen.
final class TestLoop {
    let loop: EventLoop

    init() throws {
        loop = try EventLoop()
    }

    /// Runs the loop until `condition` holds, for at most five seconds.
    func wait(
        _ what: Comment,
        sourceLocation: SourceLocation = #_sourceLocation,
        until condition: () -> Bool
    ) throws {
        var isLate = false
        let timer = loop.timer { isLate = true }
        timer.start(after: .seconds(5))
        while !condition(), !isLate { loop.turn() }
        try #require(condition(), what, sourceLocation: sourceLocation)
    }

    /// Calls over `bus`, and runs the loop until the answer is there.
    func call(
        _ call: MethodCall,
        over bus: BusConnection,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Result<[BusValue], CallError> {
        var answer: Result<[BusValue], CallError>?
        try bus.call(call, timeout: .seconds(4)) { answer = $0 }
        try wait("an answer to \(call.member)", sourceLocation: sourceLocation) { answer != nil }
        return try #require(answer, sourceLocation: sourceLocation)
    }
}

extension Result {
    var failure: Failure? {
        guard case .failure(let failure) = self else { return nil }
        return failure
    }
}
