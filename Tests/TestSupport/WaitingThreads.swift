import Foundation
package import Testing

/// Runs tests that mostly wait for other processes on threads of their own.
///
/// The threads that carry all other tests are as many as there are cores: whoever waits there holds up the rest.
package struct WaitingThreads: SuiteTrait, TestTrait, TestScoping {
    package let isRecursive = true

    package func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(Threads.shared) { try await function() }
    }
}

extension Trait where Self == WaitingThreads {
    /// On threads of their own, because they wait.
    package static var waiting: WaitingThreads { WaitingThreads() }
}

/// A few threads that take turns at what is to be done.
private final class Threads: TaskExecutor, @unchecked Sendable {
    static let shared = Threads(count: 8)

    // `jobs` is only touched while `condition` is held.
    private let condition = NSCondition()
    private var jobs: [UnownedJob] = []

    private init(count: Int) {
        for _ in 0..<count {
            Thread.detachNewThread {
                while true { self.next().runSynchronously(on: self.asUnownedTaskExecutor()) }
            }
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        condition.withLock {
            jobs.append(job)
            condition.signal()
        }
    }

    private func next() -> UnownedJob {
        condition.withLock {
            while jobs.isEmpty { condition.wait() }
            return jobs.removeFirst()
        }
    }
}
