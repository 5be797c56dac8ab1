import Language

/// Reads the language of `status --format`; where it throws, ``place`` says what it stumbled over.
struct TemplateParser {
    private let text: [Character]
    private var index = 0

    init(_ text: String) {
        self.text = Array(text)
    }

    /// The character that is next, counted from 1.
    var place: Int { index + 1 }

    /// All of it: texts, and between them what stands in braces.
    mutating func parse() throws(UsageError) -> [StatusTemplate.Expression] {
        var parts: [StatusTemplate.Expression] = []
        var literal = ""
        while let character = next {
            guard takes("{{") else {
                literal.append(character)
                index += 1
                continue
            }
            if !literal.isEmpty { parts.append(.text(literal)) }
            literal = ""
            parts.append(try expression())
            skipBlanks()
            guard takes("}}") else { throw UsageError("“\("}}")” is missing") }
        }
        if !literal.isEmpty { parts.append(.text(literal)) }
        return parts
    }

    private mutating func expression() throws(UsageError) -> StatusTemplate.Expression {
        skipBlanks()
        let start = index
        if takes("\"") {
            let content = takeWhile { $0 != "\"" }
            guard takes("\"") else { throw UsageError("“\("\"")” is missing") }
            return .text(content)
        }
        if let character = next, character.isASCII, character.isWholeNumber {
            guard let number = Int64(takeWhile { $0.isASCII && $0.isWholeNumber }) else {
                index = start
                throw UsageError("the number is too large")
            }
            return .number(number)
        }
        let name = takeWhile { $0.isLetter || $0.isNumber || "_:-".contains($0) }
        guard !name.isEmpty else { throw UsageError("here belongs a name, like \("title")") }
        skipBlanks()
        if takes("(") { return try call(name, start) }
        if let variable = StatusTemplate.Variable(rawValue: name) { return .variable(variable) }
        switch name {
        case "mpris:length": return .variable(.length)
        case _ where name.contains(":"): return .metadata(name)
        default:
            index = start
            let names = StatusTemplate.Variable.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("there is no “\(name)”; there are \(names)")
        }
    }

    /// What stands in the parentheses of a function, which are open already.
    private mutating func call(_ name: String, _ start: Int) throws(UsageError) -> StatusTemplate.Expression {
        guard let function = StatusTemplate.Function(rawValue: name) else {
            index = start
            let names = StatusTemplate.Function.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("there is no function “\(name)”; there are \(names)")
        }
        var operands: [StatusTemplate.Expression] = []
        repeat {
            operands.append(try expression())
            skipBlanks()
        } while takes(",")
        guard takes(")") else { throw UsageError("“\(")")” is missing") }
        guard operands.count == function.operands else {
            index = start
            throw function.operands == 1
                ? UsageError("\(name) takes one value") : UsageError("\(name) takes two values")
        }
        if function == .duration, !operands[0].isTime {
            index = start
            throw UsageError("duration takes position, length or a number of microseconds")
        }
        if function == .trunc {
            guard case .number(0...1_000_000) = operands[1] else {
                index = start
                throw UsageError("the second value of trunc is a number, of characters")
            }
        }
        return .call(function, operands)
    }

    private var next: Character? { index < text.count ? text[index] : nil }

    /// Goes over `word` if it is next.
    private mutating func takes(_ word: String) -> Bool {
        guard text[index...].starts(with: word) else { return false }
        index += word.count
        return true
    }

    private mutating func takeWhile(_ fits: (Character) -> Bool) -> String {
        let found = text[index...].prefix(while: fits)
        index += found.count
        return String(found)
    }

    private mutating func skipBlanks() {
        _ = takeWhile { $0 == " " || $0 == "\t" }
    }
}

extension StatusTemplate.Expression {
    fileprivate var isTime: Bool {
        switch self {
        case .number, .variable(.position), .variable(.length): true
        default: false
        }
    }
}
