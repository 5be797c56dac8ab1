package import DBus
package import EventLoop
import Music

/// A loop, and what it takes to wait on it for something to happen.
package final class TestLoop {
    package let loop: EventLoop

    package init() throws {
        loop = try EventLoop()
    }

    /// What did not happen in time.
    package struct Late: Error {
        package var what: String
    }

    /// Runs the loop until `condition` holds, for at most a minute.
    package func wait(_ what: String, until condition: () -> Bool) throws {
        var isLate = false
        let timer = loop.timer { isLate = true }
        timer.start(after: .seconds(60))
        // The test may have changed something that is noticed at the end of a turn only.
        let kick = loop.timer {}
        kick.start(after: .zero)
        while !condition() {
            if isLate { throw Late(what: what) }
            loop.turn()
        }
    }

    /// Calls over `bus`, and runs the loop until the answer is there.
    package func call(_ call: MethodCall, over bus: BusConnection) throws -> Result<[BusValue], CallError> {
        var answer: Result<[BusValue], CallError>?
        try bus.call(call, timeout: .seconds(4)) { answer = $0 }
        try wait("an answer to \(call.member)") { answer != nil }
        return answer ?? .success([])
    }
}

extension Result {
    package var failure: Failure? {
        guard case .failure(let failure) = self else { return nil }
        return failure
    }
}
