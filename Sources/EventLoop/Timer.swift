package import Music

/// A timer of the loop that runs out once each time it is started; it stops when this goes.
package final class Timer {
    private let timers: RunningTimers
    private let handler: () -> Void
    /// When it runs out, while it runs.
    fileprivate private(set) var due = Instant.now()

    /// Whether it will still run out.
    package private(set) var isRunning = false

    init(among timers: RunningTimers, handler: @escaping () -> Void) {
        self.timers = timers
        self.handler = handler
    }

    /// Runs out after `delay`, instead of when it was to before; a delay of 0 or less means in the next turn.
    package func start(after delay: TrackTime) {
        due = .now().advanced(by: max(.zero, delay))
        isRunning = true
        timers.add(self)
    }

    /// Does not run out after all.
    package func stop() {
        guard isRunning else { return }
        isRunning = false
        timers.remove(self)
    }

    fileprivate func runOut() {
        stop()
        handler()
    }

    deinit { stop() }
}

/// The timers that run: the loop waits no longer than until the first of them is due.
///
/// libpulse's own timers would do, but each start of one writes to the loop's pipe to wake up the very thread that starts
/// it.
final class RunningTimers {
    private var timers: [ObjectIdentifier: Unmanaged<Timer>] = [:]

    fileprivate func add(_ timer: Timer) {
        timers[ObjectIdentifier(timer)] = .passUnretained(timer)
    }

    fileprivate func remove(_ timer: Timer) {
        timers[ObjectIdentifier(timer)] = nil
    }

    /// How many microseconds the loop may wait; negative where for ever.
    func patience(at now: Instant) -> CInt {
        let first = timers.values.map { $0.takeUnretainedValue().due }.min()
        guard let first else { return -1 }
        // Half an hour is the most that can be said; it is asked again then.
        return CInt(clamping: max(0, first.since(now).microseconds + 1))
    }

    /// Runs out what is due, the first first; what is started meanwhile waits for the next turn.
    func runOut(at now: Instant) {
        let due = timers.filter { $0.value.takeUnretainedValue().due <= now }
            .sorted { $0.value.takeUnretainedValue().due < $1.value.takeUnretainedValue().due }
        // Those before may have stopped it, or let it go.
        for (key, _) in due {
            guard let timer = timers[key]?.takeUnretainedValue(), timer.due <= now else { continue }
            timer.runOut()
        }
    }
}
