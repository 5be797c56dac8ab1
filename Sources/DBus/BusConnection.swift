import CDBus
package import EventLoop
package import Music

/// A private connection to a bus, on the loop.
///
/// On the loop only. A bus that goes away ends the connection, never the process (C115).
package final class BusConnection {
    /// The name that the bus has given to the connection, such as `:1.42`.
    package let uniqueName: String
    /// Called once, on the loop and outside of any other call, when the bus has gone; not after ``close()``.
    package var onDisconnected: (() -> Void)?

    /// Whose objects are called over this connection.
    weak var server: ObjectServer?
    let subscriptions = Subscriptions()
    var pendingReplies: [ObjectIdentifier: PendingReply] = [:]

    private(set) var raw: OpaquePointer?
    private var binding: LoopBinding?

    /// Whether messages can be sent.
    package var isConnected: Bool { raw.map { dbus_connection_get_is_connected($0) != 0 } ?? false }

    /// Connects to the session bus, or to the bus at `address`.
    ///
    /// Waits for at most `limit`, also where something listens and never answers (C109, C113). That does not hold for
    /// addresses of TCP, whose connecting is the kernel's.
    package init(
        to address: BusAddress? = nil,
        on loop: EventLoop,
        within limit: TrackTime = .seconds(1.9)
    ) throws(BusError) {
        let deadline = Instant.now().advanced(by: limit)
        let address = if let address { address } else { try BusAddress.session() }
        try address.waitUntilAccepting(milliseconds: Int(limit.milliseconds) / 2)
        let raw = try Self.open(address)
        do throws(BusError) {
            uniqueName = try Self.register(raw, at: address, by: deadline)
        } catch {
            dbus_connection_close(raw)
            dbus_connection_unref(raw)
            throw error
        }
        self.raw = raw
        // Peer is answered with the rest, so that every call goes one way.
        dbus_connection_set_route_peer_messages(raw, 1)
        dbus_connection_add_filter(raw, receiveMessage, Unmanaged.passUnretained(self).toOpaque(), nil)
        binding = LoopBinding(raw, on: loop) { [weak self] in self?.noticeLoss() }
    }

    private static func open(_ address: BusAddress) throws(BusError) -> OpaquePointer {
        // libdbus sends with MSG_NOSIGNAL; whether the process minds SIGPIPE is not its business.
        dbus_connection_set_change_sigpipe(0)
        var error = dbus_shim_error()
        defer { dbus_error_free(&error) }
        guard let raw = dbus_connection_open_private(address.text, &error) else {
            throw .unreachable(address.text, CallError(error).description)
        }
        dbus_connection_set_exit_on_disconnect(raw, 0)
        return raw
    }

    /// Says Hello: what `dbus_bus_register` does, which waits for 25 seconds.
    private static func register(
        _ raw: OpaquePointer,
        at address: BusAddress,
        by deadline: Instant
    ) throws(BusError) -> String {
        let left = deadline.since(.now())
        do throws(CallError) {
            let reply = try MethodCall.bus("Hello").wait(on: raw, timeout: left)
            guard let name = reply.first?.text, dbus_bus_set_unique_name(raw, name) != 0 else {
                throw .failed("it gives no name")
            }
            return name
        } catch {
            if error.isNoReply, dbus_connection_get_is_connected(raw) != 0 { throw .noAnswer(address.text) }
            throw .refused(error.description)
        }
    }

    // MARK: Names

    /// What became of a request for a name.
    package enum NameRequest: Equatable, Sendable {
        /// The name is ours.
        case owned
        /// Somebody else has it; we do not wait for it (C106).
        case taken
    }

    /// Asks for `name`, neither queueing for it nor letting others take it; waits up to two seconds for the answer.
    ///
    /// Throws where the bus does not let us own such a name (C116).
    package func requestName(_ name: String) throws(CallError) -> NameRequest {
        let request = MethodCall.bus(
            "RequestName",
            [.string(name), .uint32(UInt32(DBUS_NAME_FLAG_DO_NOT_QUEUE))]
        )
        let answer = try callAndWait(request).first?.integer
        let isOurs = [DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER, DBUS_REQUEST_NAME_REPLY_ALREADY_OWNER]
            .contains { Int64($0) == answer }
        return isOurs ? .owned : .taken
    }

    /// Gives `name` back, without waiting.
    package func releaseName(_ name: String) {
        try? send(.bus("ReleaseName", [.string(name)]))
    }

    // MARK: The end

    /// Lets what was sent get out, for at most half a second, and closes.
    ///
    /// Pending calls are forgotten. Also from inside a handler, and more than once.
    package func close() {
        flush(within: .seconds(0.5))
        tearDown()
    }

    /// Waits until what was sent is with the bus, for at most `time`.
    package func flush(within time: TrackTime) {
        _ = raw?.drained(by: Instant.now().advanced(by: time))
    }

    private func tearDown() {
        guard let raw else { return }
        self.raw = nil
        binding?.release()
        binding = nil
        dbus_connection_remove_filter(raw, receiveMessage, Unmanaged.passUnretained(self).toOpaque())
        dbus_connection_close(raw)
        dbus_connection_unref(raw)
    }

    deinit { tearDown() }

    private func noticeLoss() {
        guard raw != nil, !isConnected else { return }
        tearDown()
        for reply in Array(pendingReplies.values) { reply.finish(.failure(.disconnected)) }
        onDisconnected?()
    }

    // MARK: Receiving

    fileprivate func receive(_ message: OpaquePointer) -> DBusHandlerResult {
        guard let raw else { return DBUS_HANDLER_RESULT_NOT_YET_HANDLED }
        switch dbus_message_get_type(message) {
        case DBUS_MESSAGE_TYPE_METHOD_CALL:
            let reply = Reply(to: message, on: raw)
            if let server {
                server.answer(message, reply)
            } else {
                reply.fail(.failed("nothing is served here"))
            }
            return DBUS_HANDLER_RESULT_HANDLED
        case DBUS_MESSAGE_TYPE_SIGNAL:
            subscriptions.deliver(message)
            return DBUS_HANDLER_RESULT_NOT_YET_HANDLED
        default:
            return DBUS_HANDLER_RESULT_NOT_YET_HANDLED
        }
    }
}

/// One function, since libdbus finds a filter again by its address.
private let receiveMessage: DBusHandleMessageFunction = { _, message, context in
    guard let message, let context else { return DBUS_HANDLER_RESULT_NOT_YET_HANDLED }
    return Unmanaged<BusConnection>.fromOpaque(context).takeUnretainedValue().receive(message)
}

extension OpaquePointer {
    /// For a libdbus connection: waits until the bus has let it in and has all that was sent, or until `deadline`.
    ///
    /// Whether it has, or the connection is gone, which is the next call's to tell.
    func drained(by deadline: Instant) -> Bool {
        while dbus_connection_get_is_connected(self) != 0,
            dbus_connection_get_is_authenticated(self) == 0 || dbus_connection_has_messages_to_send(self) != 0
        {
            let left = deadline.since(.now())
            guard left > .zero else { return false }
            dbus_connection_read_write(self, left.milliseconds)
        }
        return true
    }
}

extension TrackTime {
    /// For libdbus, which takes 0 for "do not wait" and negative for its own default.
    var milliseconds: CInt { CInt(clamping: max(1, microseconds / 1000)) }
}
