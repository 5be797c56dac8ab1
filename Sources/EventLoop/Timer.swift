import CPulse
import Glibc
package import Music

/// A timer of the loop that runs out once each time it is started; it stops when this goes.
package final class Timer {
    private let mainloop: Mainloop
    private let handler: () -> Void
    private var event: OpaquePointer?

    /// Whether it will still run out.
    package private(set) var isRunning = false

    init(mainloop: Mainloop, handler: @escaping () -> Void) {
        self.mainloop = mainloop
        self.handler = handler
    }

    /// Runs out after `delay`, instead of when it was to before; a delay of 0 or less means in the next turn.
    package func start(after delay: TrackTime) {
        // The loop turns wall-clock time into monotonic time at once, so a clock that is set later does no harm.
        var due = timeval()
        pa_gettimeofday(&due)
        pa_timeval_add(&due, pa_usec_t(max(0, delay.microseconds)))
        isRunning = true
        if let event {
            mainloop.api.pointee.time_restart(event, &due)
        } else {
            event = mainloop.api.pointee.time_new(
                mainloop.api,
                &due,
                { _, _, _, context in
                    guard let context else { return }
                    let timer = Unmanaged<Timer>.fromOpaque(context).takeUnretainedValue()
                    timer.isRunning = false
                    timer.handler()
                },
                Unmanaged.passUnretained(self).toOpaque()
            )
        }
    }

    /// Does not run out after all.
    package func stop() {
        isRunning = false
        guard let event else { return }
        mainloop.api.pointee.time_restart(event, nil)
    }

    deinit {
        if let event { mainloop.api.pointee.time_free(event) }
    }
}
