import CTagLib

/// Genres as ID3 writes them: names, numbers of the ID3v1 list, and numbers in brackets in front of a name.
enum GenreText {
    /// The names that the values of one field stand for, each once.
    static func names(_ values: [String]) -> [String] {
        var names: [String] = []
        for name in TagValue.lines(values).flatMap(meaning(of:)) where !names.contains(name) {
            names.append(name)
        }
        return names
    }

    /// The name of a genre of the ID3v1 list.
    static func name(of number: Int) -> String? {
        let name = String(unsafeUninitializedCapacity: 64) { target in
            target.withMemoryRebound(to: CChar.self) {
                taglib_genre(CInt(clamping: number), $0.baseAddress, $0.count)
            }
        }
        return name.isEmpty ? nil : name
    }

    /// `17`, `RX` (ID3v2.4), `(17)(8)Campus Folk`, `((a name in brackets)` (ID3v2.3) or a plain name.
    private static func meaning(of text: String) -> [String] {
        if isNumber(text[...]) { return Int(text).flatMap(name(of:)).map { [$0] } ?? [] }
        if let word = words[text] { return [word] }
        var (names, rest) = ([String](), text[...])
        while rest.first == "(", let end = rest.firstIndex(of: ")") {
            let inside = rest[rest.index(after: rest.startIndex)..<end]
            if isNumber(inside) {
                if let name = Int(inside).flatMap(name(of:)) { names.append(name) }
            } else if let word = words[String(inside)] {
                names.append(word)
            } else {
                break
            }
            rest = rest[rest.index(after: end)...]
        }
        if rest.hasPrefix("((") { rest = rest.dropFirst() }
        return rest.isEmpty ? names : names + [String(rest)]
    }

    private static let words = ["RX": "Remix", "CR": "Cover"]

    private static func isNumber(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
