import CPulse

/// What a descriptor is ready for.
package struct Readiness: OptionSet, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    package static let readable = Readiness(rawValue: PA_IO_EVENT_INPUT.rawValue)
    package static let writable = Readiness(rawValue: PA_IO_EVENT_OUTPUT.rawValue)
    /// The other side has gone; told without being asked for.
    package static let hangup = Readiness(rawValue: PA_IO_EVENT_HANGUP.rawValue)
    /// The descriptor is broken; told without being asked for.
    package static let error = Readiness(rawValue: PA_IO_EVENT_ERROR.rawValue)
}

/// A descriptor watched by the loop; the watch ends when this goes.
package final class Watch {
    private let mainloop: Mainloop
    private let handler: (Readiness) -> Void
    private var event: OpaquePointer?

    /// What is waited for; empty rests the watch.
    package var interest: Readiness {
        didSet {
            guard let event, interest != oldValue else { return }
            mainloop.api.pointee.io_enable(event, pa_io_event_flags_t(interest.rawValue))
        }
    }

    init(
        descriptor: CInt,
        interest: Readiness,
        mainloop: Mainloop,
        handler: @escaping (Readiness) -> Void
    ) {
        self.mainloop = mainloop
        self.handler = handler
        self.interest = interest
        event = mainloop.api.pointee.io_new(
            mainloop.api,
            descriptor,
            pa_io_event_flags_t(interest.rawValue),
            { _, _, _, flags, context in
                guard let context else { return }
                let watch = Unmanaged<Watch>.fromOpaque(context).takeUnretainedValue()
                watch.handler(Readiness(rawValue: flags.rawValue))
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    /// Ends the watch; also from inside its own handler.
    package func cancel() {
        guard let event else { return }
        mainloop.api.pointee.io_free(event)
        self.event = nil
    }

    deinit { cancel() }
}
