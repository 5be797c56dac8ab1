import CDBus

/// The duty to answer one method call, exactly once.
///
/// Lives no longer than the dispatch that brought the call. Answering uses it up; one that is dropped still answers.
struct Reply: ~Copyable {
    private let connection: OpaquePointer
    private let call: OpaquePointer

    init(to call: OpaquePointer, on connection: OpaquePointer) {
        self.call = call
        self.connection = connection
    }

    /// Answers with `outputs`, which have to be of the types `signature`; with an error where they are not.
    consuming func succeed(with outputs: [BusValue], of signature: String) {
        succeed(signature) { (writer) throws(WriteError) in
            for output in outputs { try writer.write(output) }
        }
    }

    /// Leaves the duty to somebody else, who has the call now.
    fileprivate consuming func handOver() -> OpaquePointer {
        let call = call
        discard self
        return call
    }

    /// Answers with what `fill` writes, which has to be of the types `signature`; with an error where it is not.
    consuming func succeed(
        _ signature: String = "",
        _ fill: (MessageWriter) throws(WriteError) -> Void = { (_) throws(WriteError) in }
    ) {
        do throws(WriteError) {
            try Self.answer(call, on: connection, signature, fill)
            discard self
        } catch {
            fail(error.asCallError)
        }
    }

    consuming func fail(_ error: CallError) {
        Self.refuse(call, on: connection, error)
        discard self
    }

    deinit {
        assertionFailure("a method call went unanswered")
        Self.refuse(call, on: connection, .failed("the call was not answered"))
    }

    private static func answer(
        _ call: OpaquePointer,
        on connection: OpaquePointer,
        _ signature: String,
        _ fill: (MessageWriter) throws(WriteError) -> Void
    ) throws(WriteError) {
        guard dbus_message_get_no_reply(call) == 0 else { return }
        guard let answer = dbus_message_new_method_return(call) else { throw .noMemory }
        defer { dbus_message_unref(answer) }
        try MessageWriter.append(to: answer, fill)
        guard dbus_message_has_signature(answer, signature) != 0 else {
            throw .wrongType(wants: signature, got: String(cString: dbus_message_get_signature(answer)))
        }
        dbus_connection_send(connection, answer, nil)
    }

    private static func refuse(_ call: OpaquePointer, on connection: OpaquePointer, _ error: CallError) {
        guard dbus_message_get_no_reply(call) == 0 else { return }
        let name = Names.isError(error.name) ? error.name : DBUS_ERROR_FAILED
        let answer = dbus_message_new_error(call, name, Names.withoutNUL(error.message))
        guard let answer else { return }
        dbus_connection_send(connection, answer, nil)
        dbus_message_unref(answer)
    }
}

/// The duty to answer one method call, exactly once, after the dispatch that brought it.
///
/// Keeps the call, but not the connection: one that has gone meanwhile needs no answer.
final class LateReply {
    private weak var connection: BusConnection?
    private let signature: String
    /// The call, kept by a reference of its own; `nil` once answered.
    private var call: OpaquePointer?

    /// Takes over the duty of `reply`, whose call came over `connection` and wants values of the types `signature`.
    init(_ reply: consuming Reply, over connection: BusConnection, of signature: String) {
        self.connection = connection
        self.signature = signature
        call = dbus_message_ref(reply.handOver())
    }

    /// Answers, the first time.
    func answer(_ result: Result<[BusValue], CallError>) {
        guard let call else { return }
        self.call = nil
        defer { dbus_message_unref(call) }
        guard let connection, connection.isConnected, let raw = connection.raw else { return }
        let reply = Reply(to: call, on: raw)
        switch result {
        case .success(let outputs): reply.succeed(with: outputs, of: signature)
        case .failure(let error): reply.fail(error)
        }
    }

    deinit { answer(.failure(.failed("the call was not answered"))) }
}
