/// A value as D-Bus knows it: what goes into a message and what comes out of one.
///
/// A value carries its own type, so an empty array still has a signature. Text may be any Swift string; what the bus
/// cannot carry is put right or refused by ``MessageWriter``.
package enum BusValue: Equatable, Sendable {
    case byte(UInt8)
    case boolean(Bool)
    case int16(Int16)
    case uint16(UInt16)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case uint64(UInt64)
    case double(Double)
    case string(String)
    case objectPath(String)
    case signature(String)
    /// A file descriptor that comes or goes with a message; `nil` where this process had none left to take it.
    case descriptor(Descriptor?)
    /// The signature of one element, and the elements, all of that type.
    indirect case array(of: String, [BusValue])
    /// At least one member.
    indirect case structure([BusValue])
    /// The signatures of key and value, and the entries in the order in which they are sent.
    indirect case dictionary(key: String, value: String, [Entry])
    indirect case variant(BusValue)

    /// One entry of a dictionary.
    package struct Entry: Equatable, Sendable {
        package var key: BusValue
        package var value: BusValue

        package init(_ key: BusValue, _ value: BusValue) {
            self.key = key
            self.value = value
        }
    }

    /// The complete type in D-Bus's notation: `a{sv}` for a dictionary of variants.
    package var signature: String {
        if let code { return String(Character(code)) }
        return switch self {
        case .array(let element, _): "a" + element
        case .structure(let members): "(" + members.map(\.signature).joined() + ")"
        case .dictionary(let key, let value, _): "a{" + key + value + "}"
        default: ""
        }
    }

    /// The type in one letter; `nil` for the types that other types are part of.
    var code: Unicode.Scalar? {
        switch self {
        case .byte: "y"
        case .boolean: "b"
        case .int16: "n"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
        case .string: "s"
        case .objectPath: "o"
        case .signature: "g"
        case .descriptor: "h"
        case .variant: "v"
        case .array, .structure, .dictionary: nil
        }
    }
}

// MARK: Making the common ones

extension BusValue {
    /// An array of strings, `as`.
    package static func strings(_ strings: [String]) -> BusValue {
        .array(of: "s", strings.map(BusValue.string))
    }

    /// An array of object paths, `ao`.
    package static func objectPaths(_ paths: [String]) -> BusValue {
        .array(of: "o", paths.map(BusValue.objectPath))
    }

    /// A dictionary from names to variants, `a{sv}`, in the order given; the values are wrapped here.
    package static func variants(_ entries: [(String, BusValue)]) -> BusValue {
        .dictionary(key: "s", value: "v", entries.map { Entry(.string($0.0), .variant($0.1)) })
    }
}

// MARK: Taking apart what others sent

extension BusValue {
    /// What a variant holds, however deep it is wrapped; any other value itself.
    package var unwrapped: BusValue {
        guard case .variant(let inner) = self else { return self }
        return inner.unwrapped
    }

    /// The text of a string, an object path or a signature, also inside a variant.
    package var text: String? {
        switch unwrapped {
        case .string(let text), .objectPath(let text), .signature(let text): text
        default: nil
        }
    }

    /// The truth value, also inside a variant.
    package var boolean: Bool? {
        guard case .boolean(let value) = unwrapped else { return nil }
        return value
    }

    /// Any integer that fits, also inside a variant.
    package var integer: Int64? {
        switch unwrapped {
        case .byte(let value): Int64(value)
        case .int16(let value): Int64(value)
        case .uint16(let value): Int64(value)
        case .int32(let value): Int64(value)
        case .uint32(let value): Int64(value)
        case .int64(let value): value
        case .uint64(let value): Int64(exactly: value)
        default: nil
        }
    }

    /// The floating-point number, also inside a variant.
    package var double: Double? {
        guard case .double(let value) = unwrapped else { return nil }
        return value
    }

    /// The file descriptor, also inside a variant.
    package var descriptor: Descriptor? {
        guard case .descriptor(let value) = unwrapped else { return nil }
        return value
    }

    /// The elements of an array or the members of a structure, also inside a variant.
    package var elements: [BusValue]? {
        switch unwrapped {
        case .array(_, let elements), .structure(let elements): elements
        default: nil
        }
    }

    /// The strings (or object paths) of an array of them, also inside a variant.
    package var strings: [String]? {
        guard case .array(let element, let elements) = unwrapped, element == "s" || element == "o" else {
            return nil
        }
        return elements.compactMap(\.text)
    }

    /// The entries of a dictionary whose keys are text, variants unwrapped, in the order sent; also inside a variant.
    package var entries: [(key: String, value: BusValue)]? {
        guard case .dictionary(_, _, let entries) = unwrapped else { return nil }
        return entries.compactMap { entry in entry.key.text.map { ($0, entry.value.unwrapped) } }
    }

    /// The value at `key` of a dictionary whose keys are text, unwrapped; also inside a variant.
    package subscript(key: String) -> BusValue? {
        guard case .dictionary(_, _, let entries) = unwrapped else { return nil }
        return entries.first { $0.key.text == key }?.value.unwrapped
    }
}
