/// A value as `dbus-monitor` and `dbus-send` print it: how these tests read what is said on the bus.
///
/// Read by another hand than the product's own, so that a fault of its marshalling cannot hide.
indirect enum BusText: Equatable, Sendable {
    case text(String)
    case integer(Int64)
    case number(Double)
    case flag(Bool)
    case list([BusText])
    /// In the order sent.
    case map([Member])

    struct Member: Equatable, Sendable {
        var name: String
        var value: BusText
    }

    var text: String? { if case .text(let text) = self { text } else { nil } }
    var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }
    var number: Double? { if case .number(let number) = self { number } else { nil } }
    /// The names in a map, in the order sent.
    var names: [String] { if case .map(let members) = self { members.map(\.name) } else { [] } }

    subscript(name: String) -> BusText? {
        if case .map(let members) = self { members.first { $0.name == name }?.value } else { nil }
    }

    /// Reads the values printed in `lines`; `nil` where the last of them is not all there yet.
    static func values(in lines: some Sequence<Substring>) -> [BusText]? {
        var words: [Word] = []
        for line in lines { words += Word.words(in: line) }
        var rest = words[...]
        var values: [BusText] = []
        while !rest.isEmpty {
            guard let value = value(&rest) else { return nil }
            values.append(value)
        }
        return values
    }

    private static func value(_ words: inout ArraySlice<Word>) -> BusText? {
        switch words.popFirst() {
        case .leaf(let value): value
        case .open: contents(&words)
        case .close, nil: nil
        }
    }

    /// What stands in brackets; a map is an array of pairs in brackets of their own.
    private static func contents(_ words: inout ArraySlice<Word>) -> BusText? {
        var values: [BusText] = []
        var members: [Member] = []
        while let word = words.first {
            switch word {
            case .close:
                words.removeFirst()
                return members.isEmpty ? .list(values) : .map(members)
            case .open(isPair: true):
                words.removeFirst()
                guard let name = value(&words)?.text, let value = value(&words), words.popFirst() == .close
                else { return nil }
                members.append(Member(name: name, value: value))
            case .leaf, .open:
                guard let value = value(&words) else { return nil }
                values.append(value)
            }
        }
        return nil
    }
}

/// What a printed line consists of.
private enum Word: Equatable {
    case leaf(BusText)
    case open(isPair: Bool)
    case close

    static func words(in line: Substring) -> [Word] {
        var line = line.drop { $0 == " " }
        if line.hasPrefix("variant ") { line = line.dropFirst("variant ".count).drop { $0 == " " } }
        if line.hasPrefix("dict entry(") { return [.open(isPair: true)] }
        if line.hasPrefix("array [") || line.hasPrefix("struct {") { return [.open(isPair: false)] }
        if line.hasPrefix(")") || line.hasPrefix("]") || line.hasPrefix("}") { return [.close] }
        for type in ["string ", "object path "] where line.hasPrefix(type) {
            return [.leaf(.text(String(line.dropFirst(type.count + 1).dropLast())))]
        }
        let parts = line.split(separator: " ", maxSplits: 1)
        guard let type = parts.first, let value = parts.last else { return [] }
        switch type {
        case "boolean": return [.leaf(.flag(value == "true"))]
        case "double": return Double(value).map { [.leaf(.number($0))] } ?? []
        default: return Int64(value).map { [.leaf(.integer($0))] } ?? []
        }
    }
}
