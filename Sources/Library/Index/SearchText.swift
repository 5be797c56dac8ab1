/// What is searched in and searched for, as words between spaces.
///
/// Only letters, digits and signs that stand for themselves are left, so nothing in a query can mean anything to the
/// search engine. Characters of Chinese, Japanese and Korean are words of one: a run of them anywhere in a title is
/// then a phrase of words.
enum SearchText {
    /// The words of `text` for the index.
    ///
    /// Where an apostrophe parts letters both readings are there, `o` `ayaw` and `oayaw`, so that the same thing is found
    /// under every apostrophe and without one.
    static func indexed(_ text: String) -> String {
        let folded = FoldedText(text).scalars
        let words = spaced(folded)
        let joined = joinedAtApostrophes(folded)
        return joined.isEmpty ? words : "\(words) \(joined)"
    }

    /// The FTS5 expression that finds what has each word of `query`, or a word that begins so; `nil` finds everything.
    static func expression(for query: String) -> String? {
        let words = query.split { $0.isWhitespace || $0 == "\0" }.prefix(mostWords)
        let terms = words.compactMap { word -> String? in
            let phrase = spaced(FoldedText(String(word)).scalars.filter { !isApostrophe($0) })
            guard let last = phrase.unicodeScalars.last else { return nil }
            // What is a word of its own begins no longer one.
            return standsAlone(last) ? "\"\(phrase)\"" : "\"\(phrase)\"*"
        }
        return terms.isEmpty ? nil : terms.joined(separator: " ")
    }

    /// Nobody types more, and each costs.
    private static let mostWords = 32

    private static func spaced(_ scalars: [Unicode.Scalar]) -> String {
        var words = String.UnicodeScalarView()
        var isInWord = false
        for scalar in scalars {
            let alone = standsAlone(scalar)
            guard alone || isPartOfWord(scalar) else {
                isInWord = false
                continue
            }
            if !words.isEmpty, alone || !isInWord { words.append(" ") }
            words.append(scalar)
            isInWord = !alone
        }
        return String(words)
    }

    /// The words around apostrophes without them, also where a space stands in front: `O 'ayaw`.
    private static func joinedAtApostrophes(_ scalars: [Unicode.Scalar]) -> String {
        guard scalars.contains(where: isApostrophe) else { return "" }
        var joined: [String] = []
        var word = String.UnicodeScalarView()
        var hasApostrophe = false
        func finish() {
            if hasApostrophe, !word.isEmpty { joined.append(String(word)) }
            word = .init()
            hasApostrophe = false
        }
        for (index, scalar) in scalars.enumerated() {
            let next = index + 1 < scalars.count ? scalars[index + 1] : " "
            if isApostrophe(scalar) {
                hasApostrophe = !word.isEmpty
            } else if isPartOfWord(scalar), !standsAlone(scalar) {
                word.append(scalar)
            } else if scalar != " " || !isApostrophe(next) {
                finish()
            }
        }
        finish()
        return joined.joined(separator: " ")
    }

    private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x80 { return isASCIIWord(scalar) }
        if isApostrophe(scalar) { return false }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .decimalNumber, .letterNumber, .otherNumber, .nonspacingMark, .spacingMark:
            return true
        default: return false
        }
    }

    private static func isASCIIWord(_ scalar: Unicode.Scalar) -> Bool {
        (0x61...0x7A).contains(scalar.value) || (0x30...0x39).contains(scalar.value)
    }

    /// Whether a scalar is a word of its own: what is written without spaces, and pictures.
    private static func standsAlone(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case ..<0x2E80: scalar.value > 0x7F && scalar.properties.generalCategory == .otherSymbol
        // Kana with their long vowel, Bopomofo, Hangul.
        case 0x3041...0x3096, 0x309D...0x309F, 0x30A1...0x30FA, 0x30FC...0x30FF, 0x3105...0x312F,
            0x31A0...0x31BF, 0x31F0...0x31FF, 0xAC00...0xD7A3:
            true
        default: scalar.properties.isIdeographic || scalar.properties.generalCategory == .otherSymbol
        }
    }

    /// Everything that people and programs write for an apostrophe or a glottal stop.
    private static func isApostrophe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x27, 0x60, 0xB4, 0x2B9...0x2BD, 0x2C8, 0x2018, 0x2019, 0x201B, 0x2032, 0xA78B, 0xA78C: true
        default: false
        }
    }
}
