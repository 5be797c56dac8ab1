import CDBus

/// What libdbus takes as a name, a path or a signature.
///
/// libdbus ends the process when it is handed anything else (C045, C061), so every string on its way there is asked
/// about here first. A Swift string with NUL inside would reach C cut short and is never valid.
package enum Names {
    /// Whether `path` is an object path.
    package static func isPath(_ path: String) -> Bool { holds(path, dbus_validate_path) }

    /// Whether `name` names an interface.
    package static func isInterface(_ name: String) -> Bool { holds(name, dbus_validate_interface) }

    /// Whether `name` names a method, a signal or a property.
    package static func isMember(_ name: String) -> Bool { holds(name, dbus_validate_member) }

    /// Whether `name` names an error.
    package static func isError(_ name: String) -> Bool { holds(name, dbus_validate_error_name) }

    /// Whether `name` names a connection: a unique or a well-known name.
    package static func isBusName(_ name: String) -> Bool { holds(name, dbus_validate_bus_name) }

    /// Whether `signature` is a sequence of complete types; the empty one is.
    package static func isSignature(_ signature: String) -> Bool { holds(signature, dbus_signature_validate) }

    /// Whether `signature` is exactly one complete type.
    package static func isSingleType(_ signature: String) -> Bool {
        holds(signature, dbus_signature_validate_single)
    }

    /// `text` without NUL, which no message can carry: each becomes U+FFFD.
    package static func withoutNUL(_ text: String) -> String {
        guard text.utf8.contains(0) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }))
    }

    private typealias Check = (UnsafePointer<CChar>?, UnsafeMutablePointer<DBusError>?) -> dbus_bool_t

    private static func holds(_ text: String, _ check: Check) -> Bool {
        !text.utf8.contains(0) && text.withCString { check($0, nil) != 0 }
    }
}
