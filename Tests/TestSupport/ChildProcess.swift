import Foundation

/// A program that a test started: what it prints is kept in memory, and it ends at the latest when this goes.
///
/// From any thread. It gets the environment given and nothing else, so that tests can run side by side.
package final class ChildProcess: Sendable {
    /// How a program ended.
    package enum Exit: Equatable, Sendable {
        case code(Int32)
        case signal(Int32)
    }

    /// All that is known of a program from outside.
    package struct Report: Sendable {
        package var output: [UInt8] = []
        package var errors: [UInt8] = []
        package var exit: Exit?
        fileprivate var openPipes = 2

        /// What it wrote to standard output so far.
        package var outputText: String { String(decoding: output, as: UTF8.self) }
        /// What it wrote to standard error so far.
        package var errorText: String { String(decoding: errors, as: UTF8.self) }
        /// Whether it has ended and all that it printed is here.
        package var isComplete: Bool { exit != nil && openPipes == 0 }
    }

    /// Its process id; not its own any more once it has ended.
    package let pid: Int32
    private let observed: Observed<Report>

    /// Starts `arguments[0]`, found by the PATH of the tests, with all signals at their defaults.
    ///
    /// With `onOutput` the bytes of standard output go there, on a thread of their own, instead of into the report.
    package init(
        _ arguments: [String],
        environment: [String: String],
        onOutput: (@Sendable (UnsafeRawBufferPointer) -> Void)? = nil
    ) throws {
        // One at a time, so that no other child inherits these pipes before they are marked.
        let (started, output, errors) = try spawning.withLock {
            let (output, errors) = (try Pipe(), try Pipe())
            let started = try spawn(arguments, environment, output: output.writeEnd, errors: errors.writeEnd)
            return (started, output, errors)
        }
        pid = started
        close(output.writeEnd)
        close(errors.writeEnd)
        let observed = Observed(Report())
        self.observed = observed
        read(output.readEnd, observed, onOutput ?? { bytes in observed.update { $0.output += bytes } })
        read(errors.readEnd, observed) { bytes in observed.update { $0.errors += bytes } }
        awaitExit(of: pid, observed)
    }

    /// What is known of it now.
    package var report: Report { observed.current }

    /// Waits until it has ended and returns all that it left, or `nil` when the deadline has passed.
    package func wait(within limit: Duration) -> Report? {
        observed.wait(within: limit) { $0.isComplete ? $0 : nil }
    }

    /// Waits until what it printed satisfies `find`, or it has ended, or the deadline has passed.
    package func waitForOutput<Found>(within limit: Duration, _ find: (Report) -> Found?) -> Found? {
        observed.wait(within: limit) { report -> Found?? in
            if let found = find(report) { return .some(found) }
            return report.isComplete ? .some(nil) : nil
        } ?? nil
    }

    /// Sends a signal, unless it has ended.
    package func signal(_ number: Int32) {
        // Under the lock that the reaper takes too, so that the id cannot belong to somebody else yet.
        observed.look { report in
            if report.exit == nil { _ = Glibc.kill(pid, number) }
        }
    }

    /// Ends it: first asking, then, after two seconds, not asking.
    package func stop() {
        signal(SIGCONT)
        signal(SIGTERM)
        if observed.wait(within: .seconds(2), { $0.exit }) == nil { kill() }
    }

    /// Ends it at once and waits until it is gone.
    package func kill() {
        signal(SIGKILL)
        _ = observed.wait(within: .seconds(60)) { $0.exit }
    }

    deinit { signal(SIGKILL) }

    /// Runs a program to its end and returns what it left; throws where that takes longer than `limit`.
    @discardableResult
    package static func run(
        _ arguments: [String],
        environment: [String: String],
        within limit: Duration = .seconds(60)
    ) throws -> Report {
        let child = try ChildProcess(arguments, environment: environment)
        guard let report = child.wait(within: limit) else {
            child.kill()
            throw TestFailure("\(arguments.joined(separator: " ")) took longer than \(limit)")
        }
        return report
    }
}

private let spawning = NSLock()

/// Both ends of a pipe that no other child inherits.
private struct Pipe {
    let readEnd: Int32
    let writeEnd: Int32

    init() throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw TestFailure("no pipe: \(errno)") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }
}

private func spawn(
    _ arguments: [String],
    _ environment: [String: String],
    output: Int32,
    errors: Int32
) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_adddup2(&actions, errors, 2)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var all = sigset_t()
    sigfillset(&all)
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

    var argv = arguments.map { strdup($0) } + [nil]
    var envp = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in argv + envp { free(text) } }
    var pid = pid_t()
    let status = posix_spawnp(&pid, arguments[0], &actions, &attributes, &argv, &envp)
    guard status == 0 else {
        throw TestFailure("\(arguments[0]) does not start: \(String(cString: strerror(status)))")
    }
    return pid
}

/// Reads a pipe to its end on a thread of its own.
private func read(
    _ descriptor: Int32,
    _ observed: Observed<ChildProcess.Report>,
    _ take: @escaping @Sendable (UnsafeRawBufferPointer) -> Void
) {
    Thread.detachNewThread {
        withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
            while true {
                let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            }
        }
        close(descriptor)
        observed.update { $0.openPipes -= 1 }
    }
}

/// Waits for the end of a child on a thread of its own and reaps it.
private func awaitExit(of pid: pid_t, _ observed: Observed<ChildProcess.Report>) {
    Thread.detachNewThread {
        var info = siginfo_t()
        while waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        observed.update { report in
            var status: Int32 = 0
            waitpid(pid, &status, 0)
            report.exit = status & 0x7f == 0 ? .code(status >> 8 & 0xff) : .signal(status & 0x7f)
        }
    }
}
