package import CPulse

/// A front of the loop's api for a library whose input can be left lying for a while.
///
/// The sound server writes a few bytes each time that it has used up some of what it was given, and each time would wake
/// the process to learn nothing. Held, its input is looked at when something is wanted of it; that the other side is gone
/// is noticed all the same. On the loop only; whoever uses ``api`` has freed all its events before this goes.
package final class HeldInput {
    /// For the library, in place of ``EventLoop/api``.
    package let api: UnsafeMutablePointer<pa_mainloop_api>

    /// Whether input is left lying.
    package var isHeld = false {
        didSet {
            guard isHeld != oldValue else { return }
            for event in events.values { event.enable() }
        }
    }

    private let mainloop: Mainloop
    private var events: [ObjectIdentifier: InputEvent] = [:]

    package init(_ loop: EventLoop) {
        mainloop = loop.mainloop
        api = .allocate(capacity: 1)
        api.initialize(to: mainloop.api.pointee)
        api.pointee.userdata = Unmanaged.passUnretained(self).toOpaque()
        // The other functions get an event of the loop's own and need no front.
        api.pointee.io_new = { api, descriptor, flags, callback, context in
            HeldInput.from(api)?.add(InputEvent(descriptor, flags, callback, context))
        }
        api.pointee.io_enable = { event, flags in
            InputEvent.from(event)?.wanted = flags
            InputEvent.from(event)?.enable()
        }
        api.pointee.io_free = { event in InputEvent.from(event)?.end() }
        api.pointee.io_set_destroy = { event, callback in InputEvent.from(event)?.destroyed = callback }
        api.pointee.time_new = { api, time, callback, context in
            HeldInput.from(api).flatMap {
                $0.mainloop.api.pointee.time_new?($0.mainloop.api, time, callback, context)
            }
        }
        api.pointee.defer_new = { api, callback, context in
            HeldInput.from(api).flatMap {
                $0.mainloop.api.pointee.defer_new?($0.mainloop.api, callback, context)
            }
        }
        api.pointee.quit = { api, code in
            HeldInput.from(api).map { $0.mainloop.api.pointee.quit?($0.mainloop.api, code) }
        }
    }

    deinit { api.deallocate() }

    private static func from(_ api: UnsafeMutablePointer<pa_mainloop_api>?) -> HeldInput? {
        (api?.pointee.userdata).map { Unmanaged<HeldInput>.fromOpaque($0).takeUnretainedValue() }
    }

    private func add(_ event: InputEvent) -> OpaquePointer? {
        event.begin(of: self, on: mainloop.api)
        events[ObjectIdentifier(event)] = event
        return event.passed
    }

    fileprivate func forget(_ event: InputEvent) {
        events[ObjectIdentifier(event)] = nil
    }
}

/// What the library takes for an event of the loop's, and the loop's event behind it.
private final class InputEvent {
    /// What the library wants to hear of.
    var wanted: pa_io_event_flags
    var destroyed: pa_io_event_destroy_cb_t?

    private let descriptor: CInt
    private let callback: pa_io_event_cb_t?
    private let context: UnsafeMutableRawPointer?
    private weak var owner: HeldInput?
    private var loopAPI: UnsafeMutablePointer<pa_mainloop_api>?
    private var loopEvent: OpaquePointer?

    init(
        _ descriptor: CInt,
        _ flags: pa_io_event_flags,
        _ callback: pa_io_event_cb_t?,
        _ context: UnsafeMutableRawPointer?
    ) {
        self.descriptor = descriptor
        wanted = flags
        self.callback = callback
        self.context = context
    }

    /// What the library gets, and gives back.
    var passed: OpaquePointer { OpaquePointer(Unmanaged.passUnretained(self).toOpaque()) }

    static func from(_ event: OpaquePointer?) -> InputEvent? {
        event.map { Unmanaged<InputEvent>.fromOpaque(UnsafeRawPointer($0)).takeUnretainedValue() }
    }

    func begin(of owner: HeldInput, on loopAPI: UnsafeMutablePointer<pa_mainloop_api>) {
        self.owner = owner
        self.loopAPI = loopAPI
        loopEvent = loopAPI.pointee.io_new?(
            loopAPI,
            descriptor,
            polled,
            { _, event, descriptor, flags, context in
                guard let context else { return }
                // It may be freed by what it calls.
                let event = Unmanaged<InputEvent>.fromOpaque(context).takeUnretainedValue()
                withExtendedLifetime(event) {
                    event.callback?(event.owner?.api, event.passed, descriptor, flags, event.context)
                }
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    /// Has the loop look at what is wanted, but for input that is held.
    func enable() {
        if let loopEvent { loopAPI?.pointee.io_enable?(loopEvent, polled) }
    }

    private var polled: pa_io_event_flags {
        guard owner?.isHeld == true else { return wanted }
        return pa_io_event_flags(rawValue: wanted.rawValue & ~PA_IO_EVENT_INPUT.rawValue)
    }

    func end() {
        if let loopEvent { loopAPI?.pointee.io_free?(loopEvent) }
        loopEvent = nil
        destroyed?(owner?.api, passed, context)
        owner?.forget(self)
    }
}
