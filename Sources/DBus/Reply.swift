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
