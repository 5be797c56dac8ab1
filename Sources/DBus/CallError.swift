import CDBus
import Music

/// Why a method call failed: what goes back to a caller, and what came back from one.
package struct CallError: Error, Equatable, CustomStringConvertible {
    /// The D-Bus name of the error; a name that is none is sent as `Failed`.
    package var name: String
    /// One line for people.
    package var message: String

    package init(name: String, message: String) {
        self.name = name
        self.message = message
    }

    package var description: String { Text.cleanLine(message.isEmpty ? name : message) }

    /// It did not work, and there is no better name for why.
    package static func failed(_ message: String) -> CallError {
        CallError(name: DBUS_ERROR_FAILED, message: message)
    }

    /// The arguments, or the value of a property, are of the wrong type or make no sense.
    package static func invalidArguments(_ message: String) -> CallError {
        CallError(name: DBUS_ERROR_INVALID_ARGS, message: message)
    }

    /// The call exists and cannot be served here.
    package static func notSupported(_ message: String) -> CallError {
        CallError(name: DBUS_ERROR_NOT_SUPPORTED, message: message)
    }

    static func unknownObject(_ path: String) -> CallError {
        CallError(name: DBUS_ERROR_UNKNOWN_OBJECT, message: "there is no object \(shown(path))")
    }

    static func unknownInterface(_ name: String) -> CallError {
        CallError(
            name: DBUS_ERROR_UNKNOWN_INTERFACE,
            message: "the object has no interface '\(shown(name))'"
        )
    }

    static func unknownMethod(_ name: String) -> CallError {
        CallError(name: DBUS_ERROR_UNKNOWN_METHOD, message: "there is no method '\(shown(name))'")
    }

    static func unknownProperty(_ name: String) -> CallError {
        CallError(name: DBUS_ERROR_UNKNOWN_PROPERTY, message: "there is no property '\(shown(name))'")
    }

    static func readOnly(_ name: String) -> CallError {
        CallError(name: DBUS_ERROR_PROPERTY_READ_ONLY, message: "property '\(shown(name))' cannot be set")
    }

    static func wrongSignature(_ member: String, wants: String, got: String) -> CallError {
        .invalidArguments("\(member) takes '\(wants)', not '\(shown(got))'")
    }

    /// Names come from the caller and may be a megabyte long: as much as helps.
    private static func shown(_ name: String) -> Substring { name.prefix(100) }
}

// MARK: Telling failures apart on the calling side

extension CallError {
    /// Nobody owns the name, and nobody can be started for it.
    package var isNoSuchService: Bool {
        [DBUS_ERROR_SERVICE_UNKNOWN, DBUS_ERROR_NAME_HAS_NO_OWNER, DBUS_ERROR_SPAWN_SERVICE_NOT_FOUND]
            .contains(name)
    }

    /// The bus was asked to start the service, and has nothing to start.
    package var isNotInstalled: Bool {
        [DBUS_ERROR_SERVICE_UNKNOWN, DBUS_ERROR_SPAWN_SERVICE_NOT_FOUND].contains(name)
    }

    /// The other side did not answer in time, or went away before it answered.
    package var isNoReply: Bool {
        [DBUS_ERROR_NO_REPLY, DBUS_ERROR_TIMEOUT, DBUS_ERROR_TIMED_OUT].contains(name)
    }

    /// The connection to the bus is gone.
    package var isDisconnected: Bool { name == DBUS_ERROR_DISCONNECTED }

    static let disconnected = CallError(
        name: DBUS_ERROR_DISCONNECTED,
        message: "the connection to the bus is gone"
    )
}
