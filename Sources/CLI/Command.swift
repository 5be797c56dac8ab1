import Language
import Music
import Service

/// A word of the command line: what it is called, what it takes and what it means.
struct Command: Sendable {
    /// One word, or two where several commands are about the same thing: `queue add`.
    var name: String
    /// What follows the name, apart from the options.
    var synopsis: String
    /// One line for the list of commands.
    var summary: Phrase
    /// What the summary cannot say; whole sentences.
    var detail: Phrase?
    var options: [Option] = []
    /// How many operands it takes.
    var operands: ClosedRange<Int> = 0...0
    var request: @Sendable (Arguments) throws(UsageError) -> Request

    /// Understands the words behind the command's name.
    func parse(_ words: some Sequence<[UInt8]>) throws(UsageError) -> Request {
        let arguments = try Arguments(words, options: options + [.help])
        if arguments.has("--help") { return .show(help) }
        let count = arguments.operands.count
        guard count >= operands.lowerBound else { throw UsageError("\(synopsis) is missing") }
        guard count <= operands.upperBound else {
            let surplus = String(decoding: arguments.operands[operands.upperBound], as: UTF8.self)
            throw UsageError("“\(Text.cleanLine(surplus))” is one word too many")
        }
        return try request(arguments)
    }

    /// What `tianlai NAME --help` shows.
    var help: String {
        let summary = summary.description
        let paragraphs = [
            Phrase("usage: tianlai \(usage)"),
            Phrase("\(summary.prefix(1).uppercased() + summary.dropFirst())."), detail,
        ]
        return paragraphs.compactMap { $0 }.map { "\($0)\n\n" }.joined()
            + columns((options + [.help]).map { ($0.synopsis, $0.help) })
    }

    /// Its own line without the program.
    private var usage: String {
        [name, options.isEmpty ? "" : "[OPTION…]", synopsis].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// What `tianlai --help` shows.
    static var overview: String {
        let usage = Phrase("usage: tianlai \("COMMAND [ARGUMENT…]")")
        let introduction = Phrase("Tianlai plays your music in the background and obeys the desktop.")
        let commands = columns(all.map { ("\($0.name) \($0.synopsis)", $0.summary) })
        let version = columns([("--version", Phrase("shows the version"))])
        let more = Phrase("tianlai \("COMMAND --help") tells more of one command.")
        return "\(usage)\n\n\(introduction)\n\n\(commands)\n\(version)\n\(more)\n"
    }

    /// What `tianlai GROUP --help` shows: all commands whose names begin with that word; `nil` where there are none.
    static func overview(of group: String) -> String? {
        let members = all.filter { $0.name.hasPrefix(group + " ") }
        guard !members.isEmpty else { return nil }
        let rows = members.map { ("\($0.name.dropFirst(group.count + 1)) \($0.synopsis)", $0.summary) }
        let usage = Phrase("usage: tianlai \("\(group) COMMAND [ARGUMENT…]")")
        let more = Phrase("tianlai \("\(group) COMMAND --help") tells more of one command.")
        return "\(usage)\n\n\(columns(rows))\n\(more)\n"
    }

    /// Two columns, the second of them straight.
    private static func columns(_ rows: [(String, Phrase)]) -> String {
        let width = rows.map(\.0.columns).max() ?? 0
        return rows.map { "  \($0.0.padded(to: width))  \($0.1)\n" }.joined()
    }

    private func columns(_ rows: [(String, Phrase)]) -> String { Self.columns(rows) }
}

extension Option {
    static let help = Option.flag("--help", "-h", help: "shows this")

    fileprivate var synopsis: String {
        names.joined(separator: ", ") + (value.map { " \($0)" } ?? "")
    }
}

extension Request {
    /// Understands a command line, without the name of the program.
    init(_ words: [[UInt8]]) throws(UsageError) {
        guard let first = words.first else { throw UsageError("which command? See tianlai --help") }
        let word = Text.cleanLine(String(decoding: first, as: UTF8.self))
        switch word {
        case "--help", "-h", "help":
            self = .show(Command.overview)
        case "--version":
            self = .show("tianlai \(version)\n")
        default:
            self = try Request(word, words.dropFirst())
        }
    }

    /// Understands what stands behind the first word; of two commands that fit, the one of two words is meant.
    private init(_ word: String, _ rest: ArraySlice<[UInt8]>) throws(UsageError) {
        let second = rest.first.map { Text.cleanLine(String(decoding: $0, as: UTF8.self)) }
        if let command = Command.all.first(where: { $0.name == "\(word) \(second ?? "")" }) {
            self = try Request(command, rest.dropFirst())
        } else if let command = Command.all.first(where: { $0.name == word }) {
            self = try Request(command, rest)
        } else if let overview = Command.overview(of: word) {
            switch second {
            case "--help", "-h", "help": self = .show(overview)
            case nil: throw UsageError("\(word): which command? See tianlai \(word) --help")
            case let second?:
                throw UsageError("\(word): there is no command “\(second)”; see tianlai \(word) --help")
            }
        } else {
            throw UsageError("there is no command “\(word)”; see tianlai --help")
        }
    }

    private init(_ command: Command, _ words: ArraySlice<[UInt8]>) throws(UsageError) {
        do throws(UsageError) {
            self = try command.parse(words)
        } catch {
            throw UsageError("\(command.name): \(error.phrase); see tianlai \(command.name) --help")
        }
    }
}
