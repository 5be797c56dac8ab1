import Foundation

/// A value that one thread changes and another waits for: how every test here waits for something to happen.
package final class Observed<Value: Sendable>: @unchecked Sendable {
    // `value` is only touched while `condition` is held.
    private let condition = NSCondition()
    private var value: Value

    package init(_ value: Value) {
        self.value = value
    }

    /// Reads or changes the value and wakes whoever waits for it.
    ///
    /// From any thread.
    @discardableResult
    package func update<Result>(_ change: (inout Value) throws -> Result) rethrows -> Result {
        condition.lock()
        defer {
            condition.broadcast()
            condition.unlock()
        }
        return try change(&value)
    }

    /// The value now, copied.
    package var current: Value { look { $0 } }

    /// Looks at the value without copying it.
    package func look<Result>(_ read: (Value) throws -> Result) rethrows -> Result {
        condition.lock()
        defer { condition.unlock() }
        return try read(value)
    }

    /// Waits until `condition` gives something and returns that, or `nil` when the deadline has passed.
    ///
    /// `find` is asked after each change, while the value is locked: it must not take long.
    package func wait<Found>(within limit: Duration, _ find: (Value) throws -> Found?) rethrows -> Found? {
        let deadline = Date(timeIntervalSinceNow: limit.seconds)
        condition.lock()
        defer { condition.unlock() }
        while true {
            if let found = try find(value) { return found }
            guard condition.wait(until: deadline) else { return try find(value) }
        }
    }
}

extension Duration {
    /// The length in seconds.
    package var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}

/// Why a test could not do what it wanted, in words.
package struct TestFailure: Error, CustomStringConvertible {
    package var description: String

    package init(_ description: String) {
        self.description = description
    }
}
