/// A value to be written as JSON, members in the order given.
package enum JSON: Equatable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case double(Double)
    case string(String)
    case array([JSON])
    case object([Member])

    package struct Member: Equatable, Sendable {
        package var name: String
        package var value: JSON
    }

    /// An object of these members.
    package static func members(_ members: KeyValuePairs<String, JSON>) -> JSON {
        .object(members.map { Member(name: $0.key, value: $0.value) })
    }

    /// The text, or `null` where there is none.
    package static func string(orNull text: String?) -> JSON {
        text.map(JSON.string) ?? .null
    }

    /// The number, or `null` where there is none.
    package static func integer(orNull number: Int64?) -> JSON {
        number.map(JSON.integer) ?? .null
    }

    /// The texts as an array.
    package static func strings(_ texts: [String]) -> JSON {
        .array(texts.map(JSON.string))
    }
}

extension JSON: CustomStringConvertible {
    /// On one line; a number that JSON has no word for (infinity, not-a-number) is `null`.
    package var description: String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .integer(let value): "\(value)"
        case .double(let value): value.isFinite ? "\(value)" : "null"
        case .string(let text): Self.quoted(text)
        case .array(let values): "[" + values.map(\.description).joined(separator: ", ") + "]"
        case .object(let members):
            "{" + members.map { "\(Self.quoted($0.name)): \($0.value)" }.joined(separator: ", ") + "}"
        }
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\t": quoted += "\\t"
            case "\r": quoted += "\\r"
            case "\0"..<" ", "\u{7F}": quoted += "\\u00" + hex(scalar.value)
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    private static func hex(_ value: UInt32) -> String {
        let digits = String(value, radix: 16)
        return digits.count < 2 ? "0" + digits : digits
    }
}
