import Language

/// Something a command understands that begins with a dash.
struct Option: Sendable {
    /// With dashes; the first is the one that names it.
    var names: [String]
    /// What stands for its value in help; `nil` where it has none.
    var value: String?
    /// One line.
    var help: Phrase

    var name: String { names[0] }

    static func flag(_ names: String..., help: Phrase) -> Option {
        Option(names: names, value: nil, help: help)
    }

    static func value(_ names: String..., of value: String, help: Phrase) -> Option {
        Option(names: names, value: value, help: help)
    }
}

/// The words behind a command, sorted into options and operands.
///
/// They are bytes: a file name need not be text.
struct Arguments {
    var operands: [[UInt8]] = []
    private var found: [String: [UInt8]] = [:]

    /// Sorts `words` by the options that the command has; what follows `--` is an operand whatever it looks like.
    ///
    /// A dash before a digit is a minus sign (`seek -10`).
    init(_ words: some Sequence<[UInt8]>, options: [Option]) throws(UsageError) {
        var rest = Array(words)[...]
        while let word = rest.popFirst() {
            if word == Array("--".utf8) {
                operands += rest
                return
            }
            guard word.first == dash, word.count > 1, !Self.isMinus(word) else {
                operands.append(word)
                continue
            }
            let (name, attached) = Self.split(word)
            guard let option = options.first(where: { $0.names.contains(name) }) else {
                throw UsageError("there is no option \(name)")
            }
            switch (option.value, attached) {
            case (nil, nil): found[option.name] = []
            case (nil, .some): throw UsageError("\(name) takes no value")
            case (.some, .some(let value)): found[option.name] = value
            case (.some(let placeholder), nil):
                guard let value = rest.popFirst() else {
                    throw UsageError("\(name) needs its \(placeholder)")
                }
                found[option.name] = value
            }
        }
    }

    /// Whether the option was given.
    func has(_ name: String) -> Bool { found[name] != nil }

    /// The value of the option, the last where it was given twice.
    func value(_ name: String) -> [UInt8]? { found[name] }

    /// The only operand as text; what is no text comes out as such and will match nothing.
    var word: String { String(decoding: operands.first ?? [], as: UTF8.self) }

    private static func isMinus(_ word: [UInt8]) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(word[1]) || word[1] == UInt8(ascii: ".")
    }

    /// `--name=value` into its parts.
    private static func split(_ word: [UInt8]) -> (name: String, value: [UInt8]?) {
        guard word.starts(with: "--".utf8), let sign = word.firstIndex(of: UInt8(ascii: "=")) else {
            return (String(decoding: word, as: UTF8.self), nil)
        }
        return (String(decoding: word[..<sign], as: UTF8.self), Array(word[(sign + 1)...]))
    }
}

private let dash = UInt8(ascii: "-")

/// A command line that cannot be understood: one line that says what is wrong.
struct UsageError: Error, Equatable, CustomStringConvertible {
    var phrase: Phrase

    init(_ phrase: Phrase) {
        self.phrase = phrase
    }

    var description: String { phrase.description }
}
