package import CPulse

/// A front of the loop's api for a library whose input can be left lying for a while.
///
/// The sound server writes a few bytes each time that it has used up some of what it was given, and each time would wake
/// the process to learn nothing. Held, its input is looked at when something is wanted of it; that the other side is gone
/// is noticed all the same. On the loop only; whatever the library does with ``api`` is over before this goes, but for the
/// freeing of events, which keep it.
package final class HeldInput {
    /// For the library, in place of ``EventLoop/api``.
    package let api: UnsafeMutablePointer<pa_mainloop_api>

    /// Whether input is left lying.
    package var isHeld = false {
        didSet {
            guard isHeld != oldValue else { return }
            for event in inputs.values { event.takeUnretainedValue().enable() }
        }
    }

    fileprivate let mainloop: Mainloop
    /// What there is to hold; each takes itself out before it goes.
    fileprivate var inputs: [ObjectIdentifier: Unmanaged<InputEvent>] = [:]

    package init(_ loop: EventLoop) {
        mainloop = loop.mainloop
        api = .allocate(capacity: 1)
        api.initialize(to: mainloop.api.pointee)
        api.pointee.userdata = Unmanaged.passUnretained(self).toOpaque()
        InputEvent.putFront(on: api)
        TimeEvent.putFront(on: api)
        DeferEvent.putFront(on: api)
        api.pointee.quit = { api, code in
            guard let loop = HeldInput.from(api)?.mainloop.api else { return }
            loop.pointee.quit?(loop, code)
        }
    }

    deinit { api.deallocate() }

    fileprivate static func from(_ api: UnsafeMutablePointer<pa_mainloop_api>?) -> HeldInput? {
        (api?.pointee.userdata).map { Unmanaged<HeldInput>.fromOpaque($0).takeUnretainedValue() }
    }
}

/// What the library takes for an event of the loop's, with the loop's event behind it.
///
/// The library insists on being called with the api that it was given, so each of its callbacks needs one of these.
private class FrontEvent<Callback, Destroyed> {
    let owner: HeldInput
    let callback: Callback
    let context: UnsafeMutableRawPointer?
    private(set) var loopEvent: OpaquePointer?
    /// What the library wants to be told when it has gone.
    var destroyed: Destroyed?

    init?(
        _ api: UnsafeMutablePointer<pa_mainloop_api>?,
        _ callback: Callback?,
        _ context: UnsafeMutableRawPointer?
    ) {
        guard let callback, let owner = HeldInput.from(api) else { return nil }
        self.owner = owner
        self.callback = callback
        self.context = context
    }

    /// What the library gets, and gives back; `nil` where `make` gets no event from the loop.
    func begin(
        _ make: (UnsafeMutablePointer<pa_mainloop_api>, UnsafeMutableRawPointer) -> OpaquePointer?
    ) -> OpaquePointer? {
        let retained = Unmanaged.passRetained(self)
        loopEvent = make(owner.mainloop.api, retained.toOpaque())
        guard loopEvent != nil else {
            retained.release()
            return nil
        }
        return passed
    }

    var passed: OpaquePointer { OpaquePointer(Unmanaged.passUnretained(self).toOpaque()) }

    var loopAPI: pa_mainloop_api { owner.mainloop.api.pointee }

    static func from(_ event: OpaquePointer?) -> Self? {
        from(event.map { UnsafeMutableRawPointer($0) })
    }

    static func from(_ context: UnsafeMutableRawPointer?) -> Self? {
        context.map { Unmanaged<Self>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Has `free` give the loop its event back, then tells the library; what calls this event now holds it a little longer.
    func end(_ free: (OpaquePointer?) -> Void, _ tell: (Destroyed) -> Void) {
        free(loopEvent)
        loopEvent = nil
        if let destroyed { tell(destroyed) }
        Unmanaged.passUnretained(self).release()
    }
}

private final class InputEvent: FrontEvent<pa_io_event_cb_t, pa_io_event_destroy_cb_t> {
    /// What the library wants to hear of.
    private var wanted = PA_IO_EVENT_NULL

    static func putFront(on api: UnsafeMutablePointer<pa_mainloop_api>) {
        api.pointee.io_new = { api, descriptor, flags, callback, context in
            guard let event = InputEvent(api, callback, context) else { return nil }
            event.wanted = flags
            let passed = event.begin { loop, passed in
                loop.pointee.io_new?(
                    loop,
                    descriptor,
                    event.polled,
                    { _, _, descriptor, flags, context in
                        guard let event = InputEvent.from(context) else { return }
                        event.callback(event.owner.api, event.passed, descriptor, flags, event.context)
                    },
                    passed
                )
            }
            if passed != nil { event.owner.inputs[ObjectIdentifier(event)] = .passUnretained(event) }
            return passed
        }
        api.pointee.io_enable = { event, flags in
            InputEvent.from(event)?.wanted = flags
            InputEvent.from(event)?.enable()
        }
        api.pointee.io_free = { event in
            guard let event = InputEvent.from(event) else { return }
            event.owner.inputs[ObjectIdentifier(event)] = nil
            event.end {
                event.loopAPI.io_free?($0)
            } _: {
                $0(event.owner.api, event.passed, event.context)
            }
        }
        api.pointee.io_set_destroy = { event, callback in InputEvent.from(event)?.destroyed = callback }
    }

    /// Has the loop look at what is wanted, but for input that is held.
    func enable() {
        if let loopEvent { loopAPI.io_enable?(loopEvent, polled) }
    }

    private var polled: pa_io_event_flags {
        guard owner.isHeld else { return wanted }
        return pa_io_event_flags(rawValue: wanted.rawValue & ~PA_IO_EVENT_INPUT.rawValue)
    }
}

private final class TimeEvent: FrontEvent<pa_time_event_cb_t, pa_time_event_destroy_cb_t> {
    static func putFront(on api: UnsafeMutablePointer<pa_mainloop_api>) {
        api.pointee.time_new = { api, time, callback, context in
            TimeEvent(api, callback, context)?.begin { loop, passed in
                loop.pointee.time_new?(
                    loop,
                    time,
                    { _, _, time, context in
                        guard let event = TimeEvent.from(context) else { return }
                        event.callback(event.owner.api, event.passed, time, event.context)
                    },
                    passed
                )
            }
        }
        api.pointee.time_restart = { event, time in
            guard let event = TimeEvent.from(event) else { return }
            event.loopAPI.time_restart?(event.loopEvent, time)
        }
        api.pointee.time_free = { event in
            guard let event = TimeEvent.from(event) else { return }
            event.end {
                event.loopAPI.time_free?($0)
            } _: {
                $0(event.owner.api, event.passed, event.context)
            }
        }
        api.pointee.time_set_destroy = { event, callback in TimeEvent.from(event)?.destroyed = callback }
    }
}

private final class DeferEvent: FrontEvent<pa_defer_event_cb_t, pa_defer_event_destroy_cb_t> {
    static func putFront(on api: UnsafeMutablePointer<pa_mainloop_api>) {
        api.pointee.defer_new = { api, callback, context in
            DeferEvent(api, callback, context)?.begin { loop, passed in
                loop.pointee.defer_new?(
                    loop,
                    { _, _, context in
                        guard let event = DeferEvent.from(context) else { return }
                        event.callback(event.owner.api, event.passed, event.context)
                    },
                    passed
                )
            }
        }
        api.pointee.defer_enable = { event, isEnabled in
            guard let event = DeferEvent.from(event) else { return }
            event.loopAPI.defer_enable?(event.loopEvent, isEnabled)
        }
        api.pointee.defer_free = { event in
            guard let event = DeferEvent.from(event) else { return }
            event.end {
                event.loopAPI.defer_free?($0)
            } _: {
                $0(event.owner.api, event.passed, event.context)
            }
        }
        api.pointee.defer_set_destroy = { event, callback in DeferEvent.from(event)?.destroyed = callback }
    }
}
