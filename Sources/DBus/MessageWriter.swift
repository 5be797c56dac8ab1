import CDBus
import Glibc

/// Appends values to a message without ever handing libdbus something that it would end the process for.
///
/// Text is repaired (NUL becomes U+FFFD); a path, a signature or a container that is not what it claims to be is
/// refused. What was opened is closed or abandoned on every way out; a message that was refused must not be sent.
struct MessageWriter {
    private let iterator: UnsafeMutablePointer<DBusMessageIter>
    private let depth: Int

    private init(_ iterator: UnsafeMutablePointer<DBusMessageIter>, depth: Int) {
        self.iterator = iterator
        self.depth = depth
    }

    /// Calls `body` with a writer at the end of `message`.
    static func append(
        to message: OpaquePointer,
        _ body: (MessageWriter) throws(WriteError) -> Void
    ) throws(WriteError) {
        var iterator = DBusMessageIter()
        dbus_message_iter_init_append(message, &iterator)
        try body(MessageWriter(&iterator, depth: 0))
    }

    func write(_ value: BusValue) throws(WriteError) {
        switch value {
        case .byte(let value): try basic(TypeCode.byte, value)
        case .boolean(let value): try basic(TypeCode.boolean, dbus_bool_t(value ? 1 : 0))
        case .int16(let value): try basic(TypeCode.int16, value)
        case .uint16(let value): try basic(TypeCode.uint16, value)
        case .int32(let value): try basic(TypeCode.int32, value)
        case .uint32(let value): try basic(TypeCode.uint32, value)
        case .int64(let value): try basic(TypeCode.int64, value)
        case .uint64(let value): try basic(TypeCode.uint64, value)
        case .double(let value): try basic(TypeCode.double, value)
        case .string(let text): try string(text)
        case .objectPath(let path):
            guard Names.isPath(path) else { throw .notAPath(path) }
            try text(TypeCode.objectPath, path)
        case .signature(let signature):
            guard Names.isSignature(signature) else { throw .notAType(signature) }
            try text(TypeCode.signature, signature)
        case .descriptor(let descriptor):
            guard let descriptor else { throw .noDescriptor }
            try basic(TypeCode.descriptor, descriptor.number)
        case .array(let element, let elements):
            try array(of: element) { (writer) throws(WriteError) in
                for value in elements { try writer.write(value, as: element) }
            }
        case .structure(let members):
            guard !members.isEmpty else { throw .notAType("()") }
            try container(TypeCode.structure, contents: nil) { (writer) throws(WriteError) in
                for member in members { try writer.write(member) }
            }
        case .dictionary(let key, let value, let entries):
            try array(of: key == "s" && value == "v" ? "{sv}" : "{" + key + value + "}") {
                (writer) throws(WriteError) in
                for entry in entries {
                    try writer.container(TypeCode.dictionaryEntry, contents: nil) {
                        (writer) throws(WriteError) in
                        try writer.write(entry.key, as: key)
                        try writer.write(entry.value, as: value)
                    }
                }
            }
        case .variant(let inner): try variant(inner, as: inner.signature)
        }
    }

    /// Writes a variant holding `value`, which must be of type `type`.
    func variant(_ value: BusValue, as type: String) throws(WriteError) {
        guard value.hasType(type) else { throw .wrongType(wants: type, got: value.signature) }
        // A value that has a type of one letter shows that there is such a type.
        guard type.utf8.count == 1 || Names.isSingleType(type) else { throw .notAType(type) }
        try container(TypeCode.variant, contents: type) { (writer) throws(WriteError) in
            try writer.write(value)
        }
    }

    func string(_ string: String) throws(WriteError) {
        try text(TypeCode.string, string)
    }

    /// Writes an `a{sv}` entry by entry: `body` calls its argument once for each, with name, type and value.
    func variants(
        _ body: ((String, String, BusValue) throws(WriteError) -> Void) throws(WriteError) -> Void
    ) throws(WriteError) {
        try container(TypeCode.array, contents: "{sv}") { (array) throws(WriteError) in
            try body { (name, type, value) throws(WriteError) in
                try array.container(TypeCode.dictionaryEntry, contents: nil) { (entry) throws(WriteError) in
                    try entry.string(name)
                    try entry.variant(value, as: type)
                }
            }
        }
    }

    // MARK: The three ways into libdbus

    private func write(_ value: BusValue, as type: String) throws(WriteError) {
        guard value.hasType(type) else { throw .wrongType(wants: type, got: value.signature) }
        try write(value)
    }

    private func array(
        of element: String,
        _ body: (MessageWriter) throws(WriteError) -> Void
    ) throws(WriteError) {
        // The common ones are spared the search.
        guard element == "s" || element == "{sv}" || Names.isSingleType("a" + element) else {
            throw .notAType("a" + element)
        }
        try container(TypeCode.array, contents: element, body)
    }

    private func container(
        _ kind: CInt,
        contents: String?,
        _ body: (MessageWriter) throws(WriteError) -> Void
    ) throws(WriteError) {
        // Receivers refuse messages that nest deeper than 64; variants in variants could.
        guard depth < 32 else { throw .tooDeep }
        var inside = DBusMessageIter()
        let opened =
            contents.map { $0.withCString { dbus_message_iter_open_container(iterator, kind, $0, &inside) } }
            ?? dbus_message_iter_open_container(iterator, kind, nil, &inside)
        guard opened != 0 else { throw .noMemory }
        do throws(WriteError) {
            try body(MessageWriter(&inside, depth: depth + 1))
        } catch {
            dbus_message_iter_abandon_container(iterator, &inside)
            throw error
        }
        guard dbus_message_iter_close_container(iterator, &inside) != 0 else { throw .noMemory }
    }

    private func text(_ type: CInt, _ text: String) throws(WriteError) {
        let count = text.utf8.count
        let appended: dbus_bool_t? = text.withCString { start in
            guard strlen(start) == count, dbus_validate_utf8(start, nil) != 0 else { return nil }
            var start: UnsafePointer<CChar>? = start
            return dbus_message_iter_append_basic(iterator, type, &start)
        }
        guard let appended else { return try self.text(type, Names.withoutNUL(text)) }
        guard appended != 0 else { throw .noMemory }
    }

    private func basic<Value: BitwiseCopyable>(_ type: CInt, _ value: Value) throws(WriteError) {
        let appended = withUnsafePointer(to: value) { dbus_message_iter_append_basic(iterator, type, $0) }
        guard appended != 0 else { throw .noMemory }
    }
}

/// Why values cannot be sent; always our own mistake or a hostile string, never the receiver's fault.
enum WriteError: Error, Equatable {
    case notAPath(String), notAType(String)
    case wrongType(wants: String, got: String)
    case noDescriptor, tooDeep, noMemory

    var asCallError: CallError {
        switch self {
        case .notAPath(let path): .failed("'\(path.prefix(100))' is not an object path")
        case .notAType(let type): .failed("'\(type.prefix(100))' is not a type")
        case .wrongType(let wants, let got): .failed("a value of type '\(got)' where '\(wants)' belongs")
        case .noDescriptor: .failed("there is no file descriptor to send")
        case .tooDeep: .failed("the value is nested too deeply")
        case .noMemory: CallError(name: DBUS_ERROR_NO_MEMORY, message: "out of memory")
        }
    }
}

extension BusValue {
    /// Whether this is a value of the complete type `type`; spells out the signature of containers only.
    func hasType(_ type: String) -> Bool {
        if let code { return type.utf8.count == 1 && type.unicodeScalars.first == code }
        // An array of nothing would pass for the letter "a", which is no type.
        return type.utf8.count > 1 && signature == type
    }
}

/// The `DBUS_TYPE_…` codes, which are macros with a cast and so do not come through.
enum TypeCode {
    static let byte = code("y")
    static let boolean = code("b")
    static let int16 = code("n")
    static let uint16 = code("q")
    static let int32 = code("i")
    static let uint32 = code("u")
    static let int64 = code("x")
    static let uint64 = code("t")
    static let double = code("d")
    static let string = code("s")
    static let objectPath = code("o")
    static let signature = code("g")
    static let descriptor = code("h")
    static let array = code("a")
    static let variant = code("v")
    static let structure = code("r")
    static let dictionaryEntry = code("e")

    private static func code(_ scalar: Unicode.Scalar) -> CInt { CInt(scalar.value) }
}
