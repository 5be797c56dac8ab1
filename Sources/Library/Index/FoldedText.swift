/// Text as it is compared: without regard to case, accents and width, so that `Ａmís` is `amis`.
///
/// Search and order both stand on it, so it keeps what tells words apart and is the same on every machine.
struct FoldedText {
    private(set) var scalars: [Unicode.Scalar] = []

    init(_ text: String) {
        scalars.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars { append(scalar) }
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x41...0x5A: scalars.append(Unicode.Scalar(UInt8(scalar.value + 32)))
        case 0...0x7F: scalars.append(scalar)
        // The accents of decomposed letters.
        case 0x300...0x36F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF: break
        case 0x3000: scalars.append(" ")
        // Letters and signs as wide as a Chinese character.
        case 0xFF01...0xFF5E: appendAgain(scalar.value - 0xFEE0)
        // Kana half as wide.
        case 0xFF66...0xFF9D: scalars.append(Self.wideKana[Int(scalar.value - 0xFF66)])
        case 0x3099, 0xFF9E: voice(by: 1)
        case 0x309A, 0xFF9F: voice(by: 2)
        // CJK, which is all that is left of most such titles, has neither case nor accents.
        case 0x3040...0x9FFF, 0xAC00...0xD7A3: scalars.append(scalar)
        default: appendLowercase(scalar)
        }
    }

    private mutating func appendAgain(_ value: UInt32) {
        if let scalar = Unicode.Scalar(value) { append(scalar) }
    }

    private mutating func appendLowercase(_ scalar: Unicode.Scalar) {
        for lower in scalar.properties.lowercaseMapping.unicodeScalars {
            if lower.value < 0x80 {
                scalars.append(lower)
            } else if !(0x300...0x36F).contains(lower.value) {
                scalars.append(Self.latinBase(of: lower) ?? lower)
            }
        }
    }

    /// The letter in "LATIN SMALL LETTER E WITH ACUTE".
    private static func latinBase(of scalar: Unicode.Scalar) -> Unicode.Scalar? {
        guard scalar.value < 0x250 || (0x1E00...0x1EFF).contains(scalar.value) else { return nil }
        let prefix = "LATIN SMALL LETTER "
        guard let name = scalar.properties.name, name.hasPrefix(prefix) else { return nil }
        let rest = name.utf8.dropFirst(prefix.utf8.count)
        guard let letter = rest.first, rest.dropFirst().starts(with: " WITH ".utf8) else { return nil }
        return Unicode.Scalar(letter + 32)
    }

    /// Makes か to が with one step, は to ぱ with two, where the sign for that comes behind.
    private mutating func voice(by step: UInt32) {
        guard let kana = scalars.last?.value,
            (0x304B...0x307D).contains(kana) || (0x30AB...0x30DD).contains(kana)
        else { return }
        if let voiced = Unicode.Scalar(kana + step) { scalars[scalars.count - 1] = voiced }
    }

    /// From U+FF66 on.
    private static let wideKana = Array(
        "ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン".unicodeScalars
    )
}
