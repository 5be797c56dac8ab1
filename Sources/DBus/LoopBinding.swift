import CDBus
import EventLoop
import Music

/// A libdbus connection on the loop: its watches and timeouts, and the dispatching of what they bring.
///
/// libdbus calls in here from inside `send` and `dispatch`, so nothing here is in the middle of a change when it calls
/// out, and messages are dispatched only when libdbus is not on the stack.
final class LoopBinding {
    private let loop: EventLoop
    /// Gone once ``release()`` has been called, also from inside a handler.
    private var connection: OpaquePointer?
    /// Called outside of libdbus, each time messages may have been dispatched.
    private let afterDispatch: () -> Void
    /// Set while a handler of the loop is running here, which dispatches when it is done.
    private var isHandling = false
    private lazy var later = loop.timer { [unowned self] in handling {} }

    /// Takes a reference of its own to `connection`.
    init(_ connection: OpaquePointer, on loop: EventLoop, afterDispatch: @escaping () -> Void) {
        self.connection = dbus_connection_ref(connection)
        self.loop = loop
        self.afterDispatch = afterDispatch
        let context = Unmanaged.passUnretained(self).toOpaque()
        dbus_connection_set_watch_functions(
            connection,
            { watch, context in
                guard let watch, let context else { return 0 }
                let binding = Unmanaged<LoopBinding>.fromOpaque(context).takeUnretainedValue()
                let bound = BoundWatch(watch, binding)
                dbus_watch_set_data(watch, Unmanaged.passRetained(bound).toOpaque(), releaseBound)
                bound.update()
                return 1
            },
            { watch, _ in
                BoundWatch.of(watch)?.cancel()
                dbus_watch_set_data(watch, nil, nil)
            },
            { watch, _ in BoundWatch.of(watch)?.update() },
            context,
            nil
        )
        dbus_connection_set_timeout_functions(
            connection,
            { timeout, context in
                guard let timeout, let context else { return 0 }
                let binding = Unmanaged<LoopBinding>.fromOpaque(context).takeUnretainedValue()
                let bound = BoundTimeout(timeout, binding, binding.loop)
                dbus_timeout_set_data(timeout, Unmanaged.passRetained(bound).toOpaque(), releaseBound)
                bound.update()
                return 1
            },
            { timeout, _ in
                BoundTimeout.of(timeout)?.cancel()
                dbus_timeout_set_data(timeout, nil, nil)
            },
            { timeout, _ in BoundTimeout.of(timeout)?.update() },
            context,
            nil
        )
        dbus_connection_set_dispatch_status_function(
            connection,
            { _, status, context in
                guard let context, status != DBUS_DISPATCH_COMPLETE else { return }
                let binding = Unmanaged<LoopBinding>.fromOpaque(context).takeUnretainedValue()
                if !binding.isHandling { binding.later.start(after: .zero) }
            },
            context,
            nil
        )
        // What arrived before, such as beside the answer to Hello.
        if dbus_connection_get_dispatch_status(connection) != DBUS_DISPATCH_COMPLETE {
            later.start(after: .zero)
        }
    }

    /// Takes the connection off the loop; nothing is called any more.
    func release() {
        guard let connection else { return }
        self.connection = nil
        later.stop()
        dbus_connection_set_dispatch_status_function(connection, nil, nil, nil)
        dbus_connection_set_watch_functions(connection, nil, nil, nil, nil, nil)
        dbus_connection_set_timeout_functions(connection, nil, nil, nil, nil, nil)
        dbus_connection_unref(connection)
    }

    deinit { release() }

    fileprivate func watch(
        _ descriptor: CInt,
        for interest: Readiness,
        _ handler: @escaping (Readiness) -> Void
    ) -> Watch {
        loop.watch(descriptor, for: interest, handler)
    }

    /// Lets `body` do what woke the loop, and then dispatches what that brought.
    ///
    /// A handler may let go of the connection, and so of this.
    fileprivate func handling(_ body: () -> Void) {
        withExtendedLifetime(self) {
            isHandling = true
            body()
            dispatch()
            isHandling = false
            afterDispatch()
        }
    }

    /// Dispatches messages, but not so many that the sound would have to wait; the rest follows in the next turn.
    private func dispatch() {
        guard let held = connection.flatMap({ dbus_connection_ref($0) }) else { return }
        defer { dbus_connection_unref(held) }
        for _ in 0..<messagesPerTurn {
            guard let connection, dbus_connection_dispatch(connection) == DBUS_DISPATCH_DATA_REMAINS else {
                break
            }
        }
        guard let connection else { return }
        switch dbus_connection_get_dispatch_status(connection) {
        case DBUS_DISPATCH_DATA_REMAINS: later.start(after: .zero)
        case DBUS_DISPATCH_NEED_MEMORY: later.start(after: .seconds(0.1))
        default: break
        }
    }
}

private let messagesPerTurn = 64

/// Drops the reference that a libdbus watch or timeout holds.
private func releaseBound(_ context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    Unmanaged<AnyObject>.fromOpaque(context).release()
}

/// A libdbus watch, and the watch of the loop that stands for it while it is enabled.
private final class BoundWatch {
    private let raw: OpaquePointer
    private let binding: LoopBinding
    private var watch: Watch?

    init(_ raw: OpaquePointer, _ binding: LoopBinding) {
        self.raw = raw
        self.binding = binding
    }

    static func of(_ raw: OpaquePointer?) -> BoundWatch? {
        dbus_watch_get_data(raw).map { Unmanaged<BoundWatch>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Follows libdbus, which starts watches disabled and switches them as it sends.
    ///
    /// A disabled one leaves the loop altogether: poll would report a hang-up to it without end.
    func update() {
        guard dbus_watch_get_enabled(raw) != 0 else { return cancel() }
        let flags = dbus_watch_get_flags(raw)
        var interest: Readiness = []
        if flags & DBUS_WATCH_READABLE.rawValue != 0 { interest.insert(.readable) }
        if flags & DBUS_WATCH_WRITABLE.rawValue != 0 { interest.insert(.writable) }
        if let watch {
            watch.interest = interest
        } else {
            watch = binding.watch(dbus_watch_get_unix_fd(raw), for: interest) { [unowned self] readiness in
                handle(readiness)
            }
        }
    }

    func cancel() {
        watch?.cancel()
        watch = nil
    }

    /// libdbus may remove this very watch meanwhile.
    private func handle(_ readiness: Readiness) {
        var flags: UInt32 = 0
        if readiness.contains(.readable) { flags |= DBUS_WATCH_READABLE.rawValue }
        if readiness.contains(.writable) { flags |= DBUS_WATCH_WRITABLE.rawValue }
        if readiness.contains(.hangup) { flags |= DBUS_WATCH_HANGUP.rawValue }
        if readiness.contains(.error) { flags |= DBUS_WATCH_ERROR.rawValue }
        withExtendedLifetime((self, watch)) {
            binding.handling { _ = dbus_watch_handle(raw, flags) }
        }
    }
}

/// A libdbus timeout, which repeats while it is enabled, and the timer of the loop that stands for it.
private final class BoundTimeout {
    private let raw: OpaquePointer
    private let binding: LoopBinding
    private var timer: Timer?
    private var isCancelled = false

    init(_ raw: OpaquePointer, _ binding: LoopBinding, _ loop: EventLoop) {
        self.raw = raw
        self.binding = binding
        timer = loop.timer { [unowned self] in handle() }
    }

    static func of(_ raw: OpaquePointer?) -> BoundTimeout? {
        dbus_timeout_get_data(raw).map { Unmanaged<BoundTimeout>.fromOpaque($0).takeUnretainedValue() }
    }

    func update() {
        guard dbus_timeout_get_enabled(raw) != 0 else {
            timer?.stop()
            return
        }
        timer?.start(after: TrackTime(microseconds: Int64(dbus_timeout_get_interval(raw)) * 1000))
    }

    func cancel() {
        isCancelled = true
        timer?.stop()
    }

    /// libdbus may remove this very timeout meanwhile.
    private func handle() {
        withExtendedLifetime((self, timer)) {
            binding.handling {
                _ = dbus_timeout_handle(raw)
                if !isCancelled { update() }
            }
        }
    }
}
