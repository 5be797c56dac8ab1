import CDBus
import EventLoop
package import Music

/// A method to be called on somebody else's object.
package struct MethodCall: Equatable, Sendable {
    /// The unique or well-known name of whom to call.
    package var destination: String
    package var path: String
    package var interface: String
    package var member: String
    package var arguments: [BusValue]
    /// Whether the bus may start a service that owns the destination.
    package var startsService: Bool

    package init(
        to destination: String,
        path: String,
        interface: String,
        _ member: String,
        _ arguments: [BusValue] = [],
        startsService: Bool = true
    ) {
        self.destination = destination
        self.path = path
        self.interface = interface
        self.member = member
        self.arguments = arguments
        self.startsService = startsService
    }

    /// A call of the bus itself, such as `NameHasOwner` or `ListNames`.
    package static func bus(_ member: String, _ arguments: [BusValue] = []) -> MethodCall {
        MethodCall(
            to: DBUS_SERVICE_DBUS,
            path: DBUS_PATH_DBUS,
            interface: DBUS_INTERFACE_DBUS,
            member,
            arguments
        )
    }

    /// Sends the call over `connection` and waits for the answer.
    func wait(on connection: OpaquePointer, timeout: TrackTime) throws(CallError) -> [BusValue] {
        let message = try message()
        defer { dbus_message_unref(message) }
        // libdbus first waits without end for what is still to be sent, and for being let in by the bus.
        let deadline = Instant.now().advanced(by: timeout)
        guard connection.drained(by: deadline) else {
            throw CallError(name: DBUS_ERROR_NO_REPLY, message: "the bus does not answer")
        }
        var error = dbus_shim_error()
        defer { dbus_error_free(&error) }
        let reply = dbus_connection_send_with_reply_and_block(
            connection,
            message,
            deadline.since(.now()).milliseconds,
            &error
        )
        guard let reply else { throw CallError(error) }
        defer { dbus_message_unref(reply) }
        return MessageReader.values(of: reply)
    }

    /// The message, for the caller to drop.
    func message() throws(CallError) -> OpaquePointer {
        guard Names.isBusName(destination), Names.isPath(path), Names.isInterface(interface),
            Names.isMember(member)
        else { throw .invalidArguments("'\(destination) \(path) \(interface).\(member)' cannot be called") }
        guard let message = dbus_message_new_method_call(destination, path, interface, member) else {
            throw WriteError.noMemory.asCallError
        }
        do throws(WriteError) {
            try MessageWriter.append(to: message) { (writer) throws(WriteError) in
                for argument in arguments { try writer.write(argument) }
            }
        } catch {
            dbus_message_unref(message)
            throw error.asCallError
        }
        dbus_message_set_auto_start(message, startsService ? 1 : 0)
        return message
    }
}

extension BusConnection {
    /// Calls and waits for the answer, handling nothing else meanwhile: for a command, and for start-up.
    package func callAndWait(
        _ call: MethodCall,
        timeout: TrackTime = .seconds(2)
    ) throws(CallError) -> [BusValue] {
        guard let raw else { throw .disconnected }
        return try call.wait(on: raw, timeout: timeout)
    }

    /// Calls, and hands `done` the answer later on the loop, once; an error when `timeout` has passed or the bus goes.
    ///
    /// Throws, and never calls `done`, where the call could not be sent. Nor is it called after ``close()``.
    package func call(
        _ call: MethodCall,
        timeout: TrackTime = .seconds(25),
        _ done: @escaping (Result<[BusValue], CallError>) -> Void
    ) throws(CallError) {
        guard let raw else { throw .disconnected }
        let message = try call.message()
        defer { dbus_message_unref(message) }
        var pending: OpaquePointer?
        guard dbus_connection_send_with_reply(raw, message, &pending, timeout.milliseconds) != 0,
            let pending
        else { throw .disconnected }
        let expected = PendingReply(on: self, done)
        pendingReplies[ObjectIdentifier(expected)] = expected
        dbus_pending_call_set_notify(
            pending,
            { pending, context in
                guard let context, let reply = dbus_pending_call_steal_reply(pending) else { return }
                defer { dbus_message_unref(reply) }
                let expected = Unmanaged<PendingReply>.fromOpaque(context).takeUnretainedValue()
                expected.finish(MethodCall.result(of: reply))
            },
            Unmanaged.passRetained(expected).toOpaque(),
            { context in
                guard let context else { return }
                Unmanaged<PendingReply>.fromOpaque(context).release()
            }
        )
        dbus_pending_call_unref(pending)
    }

    /// Calls without wanting an answer.
    package func send(_ call: MethodCall) throws(CallError) {
        guard let raw, isConnected else { throw .disconnected }
        let message = try call.message()
        defer { dbus_message_unref(message) }
        dbus_message_set_no_reply(message, 1)
        dbus_connection_send(raw, message, nil)
    }

    /// Sends a signal; `false` where there is no connection, or what it says cannot be sent.
    func emit(path: String, interface: String, member: String, _ arguments: [BusValue]) -> Bool {
        guard let raw, isConnected, Names.isPath(path), Names.isInterface(interface), Names.isMember(member),
            let message = dbus_message_new_signal(path, interface, member)
        else { return false }
        defer { dbus_message_unref(message) }
        do throws(WriteError) {
            try MessageWriter.append(to: message) { (writer) throws(WriteError) in
                for argument in arguments { try writer.write(argument) }
            }
        } catch {
            return false
        }
        return dbus_connection_send(raw, message, nil) != 0
    }
}

/// An answer that is waited for.
///
/// The connection keeps count of them, since libdbus drops its own without a word when the bus goes.
final class PendingReply {
    private let done: (Result<[BusValue], CallError>) -> Void
    private weak var connection: BusConnection?

    init(on connection: BusConnection, _ done: @escaping (Result<[BusValue], CallError>) -> Void) {
        self.connection = connection
        self.done = done
    }

    func finish(_ result: Result<[BusValue], CallError>) {
        guard connection?.pendingReplies.removeValue(forKey: ObjectIdentifier(self)) != nil else { return }
        done(result)
    }
}

extension MethodCall {
    fileprivate static func result(of reply: OpaquePointer) -> Result<[BusValue], CallError> {
        var error = dbus_shim_error()
        guard dbus_set_error_from_message(&error, reply) != 0 else {
            return .success(MessageReader.values(of: reply))
        }
        defer { dbus_error_free(&error) }
        return .failure(CallError(error))
    }
}

extension CallError {
    /// The error as libdbus tells it; the C strings are copied.
    init(_ error: DBusError) {
        self.init(
            name: error.name.map { String(cString: $0) } ?? DBUS_ERROR_FAILED,
            message: error.message.map { String(cString: $0) } ?? ""
        )
    }
}
