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
private class FrontEvent {
    let context: UnsafeMutableRawPointer?
    let owner: HeldInput
    fileprivate(set) var loopEvent: OpaquePointer?

    /// `nil` where the loop makes no event.
    static func begin<Event: FrontEvent>(
        _ event: Event?,
        _ make: (UnsafeMutablePointer<pa_mainloop_api>, UnsafeMutableRawPointer) -> OpaquePointer?
    ) -> OpaquePointer? {
        guard let event else { return nil }
        let passed = Unmanaged.passRetained(event)
        event.loopEvent = make(event.owner.mainloop.api, passed.toOpaque())
        guard event.loopEvent != nil else {
            passed.release()
            return nil
        }
        return OpaquePointer(passed.toOpaque())
    }

    init?(_ api: UnsafeMutablePointer<pa_mainloop_api>?, _ context: UnsafeMutableRawPointer?) {
        guard let owner = HeldInput.from(api) else { return nil }
        self.owner = owner
        self.context = context
    }

    /// What the library gets, and gives back.
    var passed: OpaquePointer { OpaquePointer(Unmanaged.passUnretained(self).toOpaque()) }

    var loopAPI: pa_mainloop_api { owner.mainloop.api.pointee }

    static func from(_ event: OpaquePointer?) -> Self? {
        event.flatMap { from(UnsafeMutableRawPointer($0)) }
    }

    static func from(_ context: UnsafeMutableRawPointer?) -> Self? {
        context.flatMap { Unmanaged<FrontEvent>.fromOpaque($0).takeUnretainedValue() as? Self }
    }

    /// The library has freed it; what calls it at this moment holds it a little longer.
    func end() {
        loopEvent = nil
        Unmanaged.passUnretained(self).release()
    }
}

private final class InputEvent: FrontEvent {
    private let callback: pa_io_event_cb_t
    private var destroyed: pa_io_event_destroy_cb_t?
    /// What the library wants to hear of.
    private var wanted = PA_IO_EVENT_NULL

    private init?(
        _ api: UnsafeMutablePointer<pa_mainloop_api>?,
        _ callback: pa_io_event_cb_t?,
        _ context: UnsafeMutableRawPointer?
    ) {
        guard let callback else { return nil }
        self.callback = callback
        super.init(api, context)
    }

    static func putFront(on api: UnsafeMutablePointer<pa_mainloop_api>) {
        api.pointee.io_new = { api, descriptor, flags, callback, context in
            let event = InputEvent(api, callback, context)
            event?.wanted = flags
            let passed = FrontEvent.begin(event) { loop, passed in
                let called: pa_io_event_cb_t = { _, _, descriptor, flags, context in
                    guard let event = InputEvent.from(context) else { return }
                    event.callback(event.owner.api, event.passed, descriptor, flags, event.context)
                }
                return loop.pointee.io_new?(loop, descriptor, event?.polled ?? flags, called, passed)
            }
            if let event, passed != nil {
                event.owner.inputs[ObjectIdentifier(event)] = .passUnretained(event)
            }
            return passed
        }
        api.pointee.io_enable = { event, flags in
            InputEvent.from(event)?.wanted = flags
            InputEvent.from(event)?.enable()
        }
        api.pointee.io_free = { event in
            guard let event = InputEvent.from(event) else { return }
            event.owner.inputs[ObjectIdentifier(event)] = nil
            event.loopAPI.io_free?(event.loopEvent)
            event.destroyed?(event.owner.api, event.passed, event.context)
            event.end()
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

private final class TimeEvent: FrontEvent {
    private let callback: pa_time_event_cb_t
    private var destroyed: pa_time_event_destroy_cb_t?

    private init?(
        _ api: UnsafeMutablePointer<pa_mainloop_api>?,
        _ callback: pa_time_event_cb_t?,
        _ context: UnsafeMutableRawPointer?
    ) {
        guard let callback else { return nil }
        self.callback = callback
        super.init(api, context)
    }

    static func putFront(on api: UnsafeMutablePointer<pa_mainloop_api>) {
        api.pointee.time_new = { api, time, callback, context in
            FrontEvent.begin(TimeEvent(api, callback, context)) { loop, passed in
                let called: pa_time_event_cb_t = { _, _, time, context in
                    guard let event = TimeEvent.from(context) else { return }
                    event.callback(event.owner.api, event.passed, time, event.context)
                }
                return loop.pointee.time_new?(loop, time, called, passed)
            }
        }
        api.pointee.time_restart = { event, time in
            guard let event = TimeEvent.from(event) else { return }
            event.loopAPI.time_restart?(event.loopEvent, time)
        }
        api.pointee.time_free = { event in
            guard let event = TimeEvent.from(event) else { return }
            event.loopAPI.time_free?(event.loopEvent)
            event.destroyed?(event.owner.api, event.passed, event.context)
            event.end()
        }
        api.pointee.time_set_destroy = { event, callback in TimeEvent.from(event)?.destroyed = callback }
    }
}

private final class DeferEvent: FrontEvent {
    private let callback: pa_defer_event_cb_t
    private var destroyed: pa_defer_event_destroy_cb_t?

    private init?(
        _ api: UnsafeMutablePointer<pa_mainloop_api>?,
        _ callback: pa_defer_event_cb_t?,
        _ context: UnsafeMutableRawPointer?
    ) {
        guard let callback else { return nil }
        self.callback = callback
        super.init(api, context)
    }

    static func putFront(on api: UnsafeMutablePointer<pa_mainloop_api>) {
        api.pointee.defer_new = { api, callback, context in
            FrontEvent.begin(DeferEvent(api, callback, context)) { loop, passed in
                let called: pa_defer_event_cb_t = { _, _, context in
                    guard let event = DeferEvent.from(context) else { return }
                    event.callback(event.owner.api, event.passed, event.context)
                }
                return loop.pointee.defer_new?(loop, called, passed)
            }
        }
        api.pointee.defer_enable = { event, isEnabled in
            guard let event = DeferEvent.from(event) else { return }
            event.loopAPI.defer_enable?(event.loopEvent, isEnabled)
        }
        api.pointee.defer_free = { event in
            guard let event = DeferEvent.from(event) else { return }
            event.loopAPI.defer_free?(event.loopEvent)
            event.destroyed?(event.owner.api, event.passed, event.context)
            event.end()
        }
        api.pointee.defer_set_destroy = { event, callback in DeferEvent.from(event)?.destroyed = callback }
    }
}
