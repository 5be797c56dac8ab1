import CLinux
package import CPulse
import Glibc
package import Music

/// The one loop that everything which decides runs on: libpulse's own `pa_mainloop`.
///
/// Descriptors, timers, signals, messages from workers and the sound server's callbacks all arrive here, one after the
/// other on one thread, so nothing between them needs a lock. Not `Sendable`: it stays on the thread that made it.
package final class EventLoop {
    let mainloop: Mainloop
    private var exitCode: CInt?
    private var turnEndHandlers: [() -> Void] = []

    /// What libpulse hangs its own events on; valid while the loop lives.
    package var api: UnsafeMutablePointer<pa_mainloop_api> { mainloop.api }

    /// Throws where the system has no descriptors left.
    ///
    /// Whoever has a loop does little in other threads, so all of them share one heap from now on.
    package init() throws(EventLoopError) {
        linux_share_heap()
        mainloop = try Mainloop()
    }

    /// Runs until ``stop(exitCode:)``, and returns its code.
    package func run() -> CInt {
        while exitCode == nil { turn() }
        return exitCode ?? 0
    }

    /// Ends ``run()`` after the present turn.
    package func stop(exitCode code: CInt) {
        exitCode = exitCode ?? code
    }

    /// Waits for something to happen, or looks whether something has, handles it, and runs what is due at a turn's end.
    package func turn(waiting: Bool = true) {
        let patience = waiting ? mainloop.timers.patience(at: .now()) : 0
        let isReady = pa_mainloop_prepare(mainloop.raw, patience) >= 0 && pa_mainloop_poll(mainloop.raw) >= 0
        mainloop.timers.runOut(at: .now())
        if !isReady || pa_mainloop_dispatch(mainloop.raw) < 0 { stop(exitCode: 1) }
        for handler in turnEndHandlers { handler() }
    }

    /// Adds what runs at the end of every turn, in the order added; for as long as the loop lives.
    package func atTurnEnd(_ handler: @escaping () -> Void) {
        turnEndHandlers.append(handler)
    }

    /// Calls `handler` when `descriptor` is ready, until the watch is cancelled or goes.
    ///
    /// The descriptor stays the caller's, and stays open until then.
    package func watch(
        _ descriptor: CInt,
        for interest: Readiness,
        _ handler: @escaping (Readiness) -> Void
    ) -> Watch {
        Watch(descriptor: descriptor, interest: interest, mainloop: mainloop, handler: handler)
    }

    /// A timer that calls `handler` each time it runs out; it does not run yet.
    package func timer(_ handler: @escaping () -> Void) -> Timer {
        Timer(among: mainloop.timers, handler: handler)
    }

    /// A mailbox whose messages `receive` gets on the loop, in the order posted.
    ///
    /// Messages are received for as long as the loop lives.
    package func mailbox<Message: Sendable>(
        _ receive: @escaping (Message) -> Void
    ) throws(EventLoopError) -> Mailbox<Message> {
        let mailbox = Mailbox<Message>(wakeup: try Wakeup())
        keep(
            watch(mailbox.wakeup.descriptor, for: .readable) { _ in
                mailbox.wakeup.clear()
                for message in mailbox.take() { receive(message) }
            }
        )
        return mailbox
    }

    /// Watches that nothing ends but the loop itself.
    private var kept: [Watch] = []

    func keep(_ watch: Watch) {
        kept.append(watch)
    }
}

/// The `pa_mainloop` itself, which must outlive every event made on it: loop and watches share it.
final class Mainloop {
    let raw: OpaquePointer
    let api: UnsafeMutablePointer<pa_mainloop_api>
    let timers = RunningTimers()

    init() throws(EventLoopError) {
        guard let raw = pa_mainloop_new() else { throw .system("create the event loop", EMFILE) }
        self.raw = raw
        api = pa_mainloop_get_api(raw)
    }

    deinit { pa_mainloop_free(raw) }
}

/// What the system refused.
package enum EventLoopError: Error, Equatable, CustomStringConvertible {
    /// What was tried, and the `errno` that it gave.
    case system(String, CInt)

    package var description: String {
        switch self {
        case .system(let what, let code): "cannot \(what): \(String(cString: strerror(code)))"
        }
    }
}

extension Instant {
    /// The present moment of the monotonic clock.
    package static func now() -> Instant {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
