import CDBus

/// Takes the values out of a message, which libdbus has checked before it handed it over.
///
/// A file descriptor is a copy that this process owns from then on; the message closes its own.
struct MessageReader {
    private var iterator = DBusMessageIter()

    /// Stands before the first argument of `message`, which must outlive the reader.
    init(_ message: OpaquePointer) {
        dbus_message_iter_init(message, &iterator)
    }

    private init(_ iterator: DBusMessageIter) {
        self.iterator = iterator
    }

    /// All arguments of `message`.
    static func values(of message: OpaquePointer) -> [BusValue] {
        var reader = MessageReader(message)
        return reader.rest()
    }

    /// The code of the next value, 0 at the end.
    private var next: CInt {
        withUnsafePointer(to: iterator) { dbus_message_iter_get_arg_type(.init(mutating: $0)) }
    }

    /// The next value, or `nil` at the end.
    mutating func value() -> BusValue? {
        defer { dbus_message_iter_next(&iterator) }
        switch next {
        case TypeCode.byte: return .byte(basic(0))
        case TypeCode.boolean: return .boolean(basic(dbus_bool_t(0)) != 0)
        case TypeCode.int16: return .int16(basic(0))
        case TypeCode.uint16: return .uint16(basic(0))
        case TypeCode.int32: return .int32(basic(0))
        case TypeCode.uint32: return .uint32(basic(0))
        case TypeCode.int64: return .int64(basic(0))
        case TypeCode.uint64: return .uint64(basic(0))
        case TypeCode.double: return .double(basic(0))
        case TypeCode.string: return .string(text())
        case TypeCode.objectPath: return .objectPath(text())
        case TypeCode.signature: return .signature(text())
        case TypeCode.descriptor:
            let number = basic(CInt(-1))
            return .descriptor(number < 0 ? nil : Descriptor(owning: number))
        case TypeCode.array: return array()
        case TypeCode.structure:
            var members = entered()
            return .structure(members.rest())
        case TypeCode.variant:
            var inside = entered()
            return inside.value().map(BusValue.variant)
        default: return nil
        }
    }

    /// The next argument where it is a string.
    mutating func string() -> String? {
        guard next == TypeCode.string else { return nil }
        defer { dbus_message_iter_next(&iterator) }
        return text()
    }

    /// The inside of the next argument where it is a variant, and the type of what it holds.
    mutating func variant() -> (type: String, inside: MessageReader)? {
        guard next == TypeCode.variant else { return nil }
        var inside = entered()
        dbus_message_iter_next(&iterator)
        return (inside.signature(), inside)
    }

    // MARK: Containers

    private mutating func rest() -> [BusValue] {
        var values: [BusValue] = []
        while let value = value() { values.append(value) }
        return values
    }

    private mutating func entered() -> MessageReader {
        var inside = DBusMessageIter()
        dbus_message_iter_recurse(&iterator, &inside)
        return MessageReader(inside)
    }

    private mutating func array() -> BusValue {
        let type = signature()
        var inside = entered()
        guard dbus_message_iter_get_element_type(&iterator) == TypeCode.dictionaryEntry else {
            return .array(of: String(type.dropFirst()), inside.rest())
        }
        // a{kV}: the key is a basic type, so one byte.
        let (key, value) = (type.dropFirst(2).prefix(1), type.dropFirst(3).dropLast())
        var entries: [BusValue.Entry] = []
        while inside.next == TypeCode.dictionaryEntry {
            var entry = inside.entered()
            if let key = entry.value(), let value = entry.value() { entries.append(.init(key, value)) }
            dbus_message_iter_next(&inside.iterator)
        }
        return .dictionary(key: String(key), value: String(value), entries)
    }

    private mutating func signature() -> String {
        guard let raw = dbus_message_iter_get_signature(&iterator) else { return "" }
        defer { dbus_free(raw) }
        return String(cString: raw)
    }

    // MARK: Basic values

    private mutating func basic<Value: BitwiseCopyable>(_ zero: Value) -> Value {
        var value = zero
        dbus_message_iter_get_basic(&iterator, &value)
        return value
    }

    private mutating func text() -> String {
        var start: UnsafePointer<CChar>?
        dbus_message_iter_get_basic(&iterator, &start)
        return start.map { String(cString: $0) } ?? ""
    }
}
