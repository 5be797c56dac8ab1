/// What the command says to people: written in English in the code, shown in the language of whoever reads it.
///
/// A literal becomes one where the type is wanted; its interpolations are the places `%1`, `%2` … of the message in the
/// catalog, so that another language can order them otherwise. Programs get ``english``. Scripts/messages finds the
/// literals by what they stand behind, which its own head tells.
package struct Phrase: Equatable, Sendable {
    /// In English, with the places that ``arguments`` fill; the text itself where it is in no catalog.
    private let message: String
    private let arguments: [Phrase]
    private let isTranslatable: Bool

    /// Text that is the same in all languages, or comes from where none is translated.
    package init(verbatim text: String) {
        message = text
        arguments = []
        isTranslatable = false
    }

    /// Says in the code that a literal is a phrase, where nothing else does.
    package init(_ phrase: Phrase) {
        self = phrase
    }

    /// What it says where the language is not the reader's but the protocol's.
    package var english: String {
        Self.filled(message, arguments.map(\.english))
    }

    package static func == (left: Phrase, right: Phrase) -> Bool { left.english == right.english }

    /// The text with the first of `arguments` for `%1` and so on; any other `%` stays.
    private static func filled(_ text: String, _ arguments: [String]) -> String {
        guard !arguments.isEmpty else { return text }
        let parts = text.split(separator: "%", omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(into: String(parts[0])) { filled, part in
            if let place = part.first?.wholeNumberValue, arguments.indices.contains(place - 1) {
                filled += arguments[place - 1] + part.dropFirst()
            } else {
                filled += "%" + part
            }
        }
    }
}

extension Phrase: CustomStringConvertible {
    /// In the language of the reader, or in English where the catalog does not have it.
    package var description: String {
        guard isTranslatable else { return message }
        return Self.filled(Catalog.translation(of: message) ?? message, arguments.map(\.description))
    }
}

extension Phrase: ExpressibleByStringInterpolation {
    package init(stringLiteral text: String) {
        (message, arguments, isTranslatable) = (text, [], !text.isEmpty)
    }

    package init(stringInterpolation words: Words) {
        (message, arguments, isTranslatable) = (words.message, words.arguments, true)
    }

    /// A literal taken apart; no more than nine interpolations.
    package struct Words: StringInterpolationProtocol {
        fileprivate var message = ""
        fileprivate var arguments: [Phrase] = []

        package init(literalCapacity: Int, interpolationCount: Int) {
            arguments.reserveCapacity(interpolationCount)
        }

        package mutating func appendLiteral(_ literal: String) {
            message += literal
        }

        package mutating func appendInterpolation(_ phrase: Phrase) {
            arguments.append(phrase)
            message += "%\(arguments.count)"
        }

        package mutating func appendInterpolation(_ text: String) {
            appendInterpolation(Phrase(verbatim: text))
        }

        package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            appendInterpolation(Phrase(verbatim: value.description))
        }
    }
}
