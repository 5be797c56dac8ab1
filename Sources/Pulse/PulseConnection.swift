import CPulse
import EventLoop
import Music

/// What a connection to the sound server tells its owner, on the loop.
protocol PulseConnectionOwner: AnyObject {
    /// It is ready for streams.
    func connectionIsReady()
    /// It could not be made, or is gone; `reason` in the server's words.
    func connectionFailed(_ reason: String)
}

/// A connection to the sound server, from the attempt to its end: one `pa_context`.
///
/// On the loop only.
final class PulseConnection {
    let raw: OpaquePointer
    /// On which the context has events until it is let go.
    private let loop: EventLoop
    /// Through which it hears the server; `nil` where it always listens.
    private let input: HeldInput?
    /// Runs out when it has not listened for long enough.
    private let listening: Timer
    private weak var owner: (any PulseConnectionOwner)?
    private var changed: ((UInt32?) -> Void)?
    /// What the server has been asked and has not answered.
    let questions = Questions()

    /// Whether streams can be made.
    var isReady: Bool { pa_context_get_state(raw) == PA_CONTEXT_READY }

    /// Begins to connect to `server`, `nil` for the user's own; the owner is told what becomes of it.
    ///
    /// A server that is not there may be started for it where the user's settings say so, unless it is only `looking`
    /// whether there is one. With `input` it need not always listen. `nil` where not even an attempt can be made.
    init?(
        loop: EventLoop,
        server: String?,
        looking: Bool = false,
        input: HeldInput? = nil,
        owner: any PulseConnectionOwner
    ) {
        let properties = pa_proplist_new()
        defer { pa_proplist_free(properties) }
        pa_proplist_sets(properties, PA_PROP_APPLICATION_NAME, "Tianlai")
        pa_proplist_sets(properties, PA_PROP_APPLICATION_ID, "tianlai")
        pa_proplist_sets(properties, PA_PROP_APPLICATION_ICON_NAME, "tianlai")
        input?.isHeld = false
        let api = input?.api ?? loop.api
        guard let raw = pa_context_new_with_proplist(api, "Tianlai", properties) else { return nil }
        self.raw = raw
        self.input = input
        listening = loop.timer { input?.isHeld = false }
        self.loop = loop
        self.owner = owner
        let context = Unmanaged.passUnretained(self).toOpaque()
        pa_context_set_state_callback(
            raw,
            { _, context in PulseConnection.from(context)?.stateChanged() },
            context
        )
        pa_context_set_subscribe_callback(
            raw,
            { _, kind, index, context in
                let change = PA_SUBSCRIPTION_EVENT_SINK_INPUT.rawValue | PA_SUBSCRIPTION_EVENT_CHANGE.rawValue
                PulseConnection.from(context)?.changed?(kind.rawValue == change ? index : nil)
            },
            context
        )
        let flags = looking ? PA_CONTEXT_NOAUTOSPAWN : PA_CONTEXT_NOFLAGS
        guard pa_context_connect(raw, server, flags, nil) >= 0 else {
            // The callback has said so already, or never will.
            return nil
        }
    }

    /// Has the server tell of what changes from now on, or no more: the stream with this index, or else a stream that has
    /// gone, or a device.
    func watchChanges(_ changed: ((UInt32?) -> Void)?) {
        self.changed = changed
        let all = PA_SUBSCRIPTION_MASK_SINK_INPUT.rawValue | PA_SUBSCRIPTION_MASK_SINK.rawValue
        let mask = changed == nil ? PA_SUBSCRIPTION_MASK_NULL : pa_subscription_mask_t(rawValue: all)
        forget(pa_context_subscribe(raw, mask, nil, nil))
    }

    /// Does not listen to the server for `time`, or until something is asked of it; that it has gone is noticed.
    func rest(for time: TrackTime) {
        guard let input, questions.isEmpty else { return }
        input.isHeld = true
        listening.start(after: time)
    }

    /// Listens again.
    func listen() {
        guard let input, input.isHeld else { return }
        input.isHeld = false
        listening.stop()
    }

    /// What the server last complained of.
    var complaint: String { String(cString: pa_strerror(pa_context_errno(raw))) }

    deinit {
        pa_context_set_state_callback(raw, nil, nil)
        pa_context_set_subscribe_callback(raw, nil, nil)
        pa_context_disconnect(raw)
        pa_context_unref(raw)
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> PulseConnection? {
        context.map { Unmanaged<PulseConnection>.fromOpaque($0).takeUnretainedValue() }
    }

    private func stateChanged() {
        switch pa_context_get_state(raw) {
        case PA_CONTEXT_READY: owner?.connectionIsReady()
        case PA_CONTEXT_FAILED, PA_CONTEXT_TERMINATED: owner?.connectionFailed(complaint)
        default: break
        }
    }
}

/// Lets an operation run to its end without being asked about.
func forget(_ operation: OpaquePointer?) {
    if let operation { pa_operation_unref(operation) }
}
