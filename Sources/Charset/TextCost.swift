/// How surprising bytes are as text of an encoding, in bits: the less, the likelier that somebody has written it.
///
/// A title has too few bytes for statistics of a language. What tells encodings apart is coarser: which characters are
/// common, which stand beside each other, and that words are neither in TWo cases nor half in another alphabet. The
/// numbers are rough logarithms of how rare each is, tried with names of places and languages in forty languages.
struct TextCost {
    private(set) var bits = 0.0
    private var (last, beforeLast) = (Kind.other, Kind.other)
    /// Cyrillic letters of the word so far, while none of them is a vowel.
    private var consonants = 0

    /// What a character is, as far as its neighbours are concerned.
    private enum Kind {
        /// Blank, digit, sign of ASCII.
        case other
        case lower, upper
        case lowerAccent, upperAccent
        /// Of another alphabet.
        case lowerLetter, upperLetter
        case han, kana, hangul
        case symbol, apostrophe

        var isPlain: Bool { self == .lower || self == .upper }
        var isAccent: Bool { self == .lowerAccent || self == .upperAccent }
        var isForeign: Bool { self == .lowerLetter || self == .upperLetter }
        var isLower: Bool { self == .lower || self == .lowerAccent || self == .lowerLetter }
        var isAsian: Bool { self == .han || self == .kana || self == .hangul }
        var isWord: Bool { isPlain || isAccent || isForeign }
    }

    /// Adds one text, `bytes`, which is `text` in `encoding`.
    mutating func add(_ bytes: [UInt8], as text: String, in encoding: TextEncoding) {
        switch encoding {
        case .big5: add(bytes) { Self.big5($0, $1) }
        case .gb18030: add(bytes) { Self.gb18030($0, $1) }
        case .shiftJIS: add(bytes) { Self.shiftJIS($0, $1) }
        case .uhc: add(bytes) { Self.uhc($0, $1) }
        default: for scalar in text.unicodeScalars { add(scalar) }
        }
        add(.other, 0)
    }

    /// What an encoding costs before anything is written in it: hardly any music has been named in KOI8.
    init(_ encoding: TextEncoding) {
        bits = encoding == .koi8 ? 6 : 0
    }

    private mutating func add(_ kind: Kind, _ cost: Double) {
        bits += cost + Self.step(from: last, to: kind)
        // A capital within a word is none alone: METALLICA, not МОСква.
        if kind == .lowerLetter, last == .upperLetter, beforeLast.isForeign { bits += 4 }
        (beforeLast, last) = (last, kind)
        if !kind.isForeign {
            if consonants > 2 { bits += 4 }
            consonants = 0
        }
    }

    private static func step(from last: Kind, to kind: Kind) -> Double {
        switch (last, kind) {
        case (let a, let b) where a.isPlain && b.isAsian || a.isAsian && b.isPlain: 8
        case (let a, let b) where a.isWord && b.isForeign != a.isForeign && b.isWord: 10
        case (.hangul, .han), (.han, .hangul): 5
        case (.hangul, .kana), (.kana, .hangul): 10
        case (let a, let b) where a.isWord && b == .symbol || a == .symbol && b.isWord: 5
        case (let a, .upperLetter) where a.isLower: 8
        case (let a, .upperAccent) where a.isLower: 8
        case (.upperAccent, .upperAccent): 0
        case (let a, let b) where a.isAccent && b.isAccent: 3
        default: 0
        }
    }
}

// MARK: Alphabets

extension TextCost {
    private mutating func add(_ scalar: Unicode.Scalar) {
        let value = scalar.value
        let isUpper = scalar.properties.isUppercase
        switch value {
        case 0..<0x80: addPlain(UInt8(value))
        case 0x80..<0xA0: add(.symbol, 40)
        case 0x2018, 0x2019, 0xB4: add(.apostrophe, 11)
        case 0xA0, 0xA1, 0xA9, 0xAA, 0xAB, 0xAE, 0xB0, 0xB7, 0xBA, 0xBB, 0xBF: add(.symbol, 11)
        case 0x2010...0x2026: add(.symbol, 11)
        case 0xC0..<0x250 where value != 0xD7 && value != 0xF7:
            let isRare = [0xDD, 0xDE, 0xF0, 0xFD, 0xFE, 0xFF, 0x178].contains(value)
            add(isUpper ? .upperAccent : .lowerAccent, (isUpper ? 9 : 8) + (isRare ? 3 : 0))
        case 0x400..<0x500:
            let small = scalar.properties.lowercaseMapping.unicodeScalars.first ?? scalar
            add(isUpper ? .upperLetter : .lowerLetter, Self.cyrillic(small) + (isUpper ? 1.5 : 0))
            consonants = Self.vowels.contains(small) ? -100 : consonants + 1
        case 0x2B0..<0x370: add(.lowerAccent, 10)
        case 0x370..<0x400, 0x530..<0x700, 0xE00..<0xE80:
            add(isUpper ? .upperLetter : .lowerLetter, isUpper ? 7.5 : 6)
        case 0x3040..<0x3100: add(.kana, 8)
        case 0x4E00..<0xA000: add(.han, 12)
        case 0xAC00..<0xD7B0: add(.hangul, 10)
        case 0x3000..<0x3040, 0xFF00..<0xFF60: add(.other, 12)
        default: add(.symbol, 16)
        }
    }

    private mutating func addPlain(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): add(.lower, 5)
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): add(.upper, 5.5)
        case UInt8(ascii: " "): add(.other, 3)
        case UInt8(ascii: "0")...UInt8(ascii: "9"): add(.other, 5)
        default: add(.other, 7)
        }
    }

    private static let vowels = Set("аеёиоуыэюяіїєў".unicodeScalars)
    private static let common = Set("оеаинтсрвлкмдпу".unicodeScalars)
    private static let rare = Set("ъёэфщцьіїєґў".unicodeScalars)

    private static func cyrillic(_ letter: Unicode.Scalar) -> Double {
        if common.contains(letter) { return 4.5 }
        if rare.contains(letter) { return 8 }
        return (0x430..<0x450).contains(letter.value) ? 6 : 15
    }
}

// MARK: Two bytes a character

extension TextCost {
    private typealias Character = (kind: Kind, cost: Double, length: Int)

    private mutating func add(_ bytes: [UInt8], _ character: (UInt8, UInt8) -> Character) {
        var index = 0
        while index < bytes.count {
            guard bytes[index] >= 0x80 else {
                addPlain(bytes[index])
                index += 1
                continue
            }
            let found = character(bytes[index], index + 1 < bytes.count ? bytes[index + 1] : 0)
            add(found.kind, found.cost)
            index += found.length
        }
    }

    /// Common characters come first in the table, then rare ones.
    private static func big5(_ lead: UInt8, _ trail: UInt8) -> Character {
        switch lead {
        case 0xA1...0xA3: (.other, 12, 2)
        case 0xA4...0xC5: (.han, 10.5, 2)
        case 0xC6 where trail < 0x7F: (.han, 10.5, 2)
        case 0xC9...0xF9: (.han, 18, 2)
        default: (.han, 24, 2)
        }
    }

    /// Outside the rows of GB 2312 there are traditional characters.
    private static func gb18030(_ lead: UInt8, _ trail: UInt8) -> Character {
        switch (lead, trail) {
        case (_, 0x30...0x39): (.han, 40, 4)
        case (0xB0...0xD7, 0xA1...): (.han, 10.5, 2)
        case (0xD8...0xF7, 0xA1...): (.han, 18, 2)
        case (0xA1, 0xA1...), (0xA3, 0xA1...): (.other, 12, 2)
        case (0xA4...0xA5, 0xA1...): (.kana, 16, 2)
        case (0x81...0xA0, _), (0xAA...0xFE, ..<0xA1): (.han, 16, 2)
        default: (.symbol, 20, 2)
        }
    }

    private static func shiftJIS(_ lead: UInt8, _ trail: UInt8) -> Character {
        switch (lead, trail) {
        case (0xA1...0xDF, _): (.kana, 11, 1)
        case (0x81, _): (.kana, 9, 2)
        case (0x82, 0x9F...), (0x83, ...0x96): (.kana, 7.5, 2)
        case (0x82, _): (.other, 10, 2)
        case (0x88...0x97, _): (.han, 11, 2)
        case (0x98...0x9F, _), (0xE0...0xEA, _): (.han, 18, 2)
        default: (.han, 24, 2)
        }
    }

    private static func uhc(_ lead: UInt8, _ trail: UInt8) -> Character {
        switch (lead, trail) {
        case (0xB0...0xC8, 0xA1...): (.hangul, 9, 2)
        case (0xCA...0xFD, 0xA1...): (.han, 18, 2)
        case (0xA1...0xA3, 0xA1...): (.other, 12, 2)
        case (0x81...0xC6, ..<0xA1): (.hangul, 17, 2)
        default: (.symbol, 20, 2)
        }
    }
}
