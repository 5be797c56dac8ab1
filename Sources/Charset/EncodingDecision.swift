/// A short text that does not say how it is encoded, such as a field of an old tag.
package struct UndeclaredText: Equatable, Sendable {
    package var bytes: [UInt8]
    /// Whether it fills the room that there was for it, so that its last character may be cut.
    package var mayBeCut: Bool

    package init(_ bytes: [UInt8], mayBeCut: Bool = false) {
        self.bytes = bytes
        self.mayBeCut = mayBeCut
    }
}

/// In which encoding texts are that belong together, and why that is thought.
///
/// All are looked at together: two characters are too few to tell, and whoever wrote a tag wrote all of it (C169). Text
/// of the West stays what it is in any doubt: a false conversion is worse than none (C172).
package struct EncodingDecision: Equatable, Sendable {
    package let encoding: TextEncoding
    /// In words that go behind "because".
    package let reason: String

    package init(_ encoding: TextEncoding, because reason: String) {
        self.encoding = encoding
        self.reason = reason
    }

    /// Decides about `texts`; `nil` where they are all ASCII, so that there is nothing to decide.
    package init?(_ texts: [UndeclaredText], order: EncodingOrder) {
        let foreign = texts.filter { $0.bytes.contains { $0 >= 0x80 } }
        guard !foreign.isEmpty else { return nil }
        self = Self.choice(foreign, order)
    }

    /// Decides on an encoding that somebody has asked for; it gives way to UTF-8 alone, where it does not fit itself.
    package init?(_ texts: [UndeclaredText], forced encoding: TextEncoding, because reason: String) {
        let foreign = texts.filter { $0.bytes.contains { $0 >= 0x80 } }
        guard !foreign.isEmpty else { return nil }
        if !Self.fits(foreign, encoding), Self.fits(foreign, .utf8) {
            self.init(.utf8, because: Self.isUTF8)
        } else {
            self.init(encoding, because: reason)
        }
    }
}

extension EncodingDecision {
    /// What is tried besides those that are asked for.
    private static let known: [TextEncoding] = [
        .big5, .gb18030, .shiftJIS, .uhc, .windows1251, .koi8, .windows1252,
    ]
    /// Readings that differ by fewer bits are equally good.
    private static let margin = 8.0
    /// By so much another reading has to be better than one in the letters of the West, where others are thought of.
    private static let foreignMargin = 3.0
    /// By so much another reading has to be better than UTF-8, which few short texts are by chance.
    private static let utf8Margin = 6.0

    /// Held open, never used: the C library would load each table anew for each file.
    private nonisolated(unsafe) static let tables = known.map(TextDecoder.init)
    private static let isUTF8 = "all of it is valid UTF-8"

    private static func choice(_ texts: [UndeclaredText], _ order: EncodingOrder) -> EncodingDecision {
        // What has characters of three bytes and is UTF-8 is nothing else.
        let isUTF8 = fits(texts, .utf8)
        if isUTF8, texts.contains(where: { $0.bytes.contains { $0 >= 0xE0 } }) {
            return EncodingDecision(.utf8, because: Self.isUTF8)
        }
        _ = tables
        let others = known.filter { !order.encodings.contains($0) }
        let readings = (order.encodings + others).compactMap { encoding in
            bits(of: texts, in: encoding).map { (encoding: encoding, bits: $0) }
        }
        let foreign = readings.filter { !$0.encoding.isLatin }
        let best = foreign.map(\.bits).min() ?? .infinity
        if isUTF8, let bits = bits(of: texts, in: .utf8), bits <= best + utf8Margin {
            return EncodingDecision(.utf8, because: Self.isUTF8)
        }
        let latinMargin = order.encodings.first?.isLatin == false ? foreignMargin : margin
        if let latin = readings.first(where: { $0.encoding.isLatin }), latin.bits <= best + latinMargin {
            return EncodingDecision(latin.encoding, because: "it has a few accents among plain letters")
        }
        let fitting = foreign.filter { $0.bits <= best + margin }
        guard let likeliest = fitting.min(by: { $0.bits < $1.bits }) else {
            return EncodingDecision(.latin1, because: "it is text in no encoding that was tried")
        }
        if fitting.count == 1 {
            let reason = "it makes more sense in that than in any other"
            return EncodingDecision(likeliest.encoding, because: reason)
        }
        let (encoding, reason) =
            preferred(fitting.map(\.encoding), order, texts) ?? (likeliest.encoding, "is likelier")
        let names = fitting.map(\.encoding.name).joined(separator: " and ")
        return EncodingDecision(encoding, because: "of \(names), which fit alike, it \(reason)")
    }

    /// The one to take of several that fit alike: what is thought of first, else what uchardet says.
    private static func preferred(
        _ fitting: [TextEncoding],
        _ order: EncodingOrder,
        _ texts: [UndeclaredText]
    ) -> (TextEncoding, String)? {
        if let first = order.encodings.first(where: fitting.contains) {
            return (first, "is to be tried first")
        }
        let guess = TextEncoding.foreign(Array(texts.map(\.bytes).joined(separator: [0x0A])))
        return fitting.contains(guess) ? (guess, "is what uchardet says") : nil
    }

    /// Whether all texts are valid in an encoding.
    private static func fits(_ texts: [UndeclaredText], _ encoding: TextEncoding) -> Bool {
        let decoder = TextDecoder(encoding)
        return decoder.isKnown && texts.allSatisfy { decoder.exactly($0) != nil }
    }

    /// How surprising the texts are in an encoding; `nil` where they are none in it.
    ///
    /// One that is damaged does not spoil it for many that are not.
    private static func bits(of texts: [UndeclaredText], in encoding: TextEncoding) -> Double? {
        let decoder = TextDecoder(encoding)
        guard decoder.isKnown else { return nil }
        var (cost, damage, isAny) = (TextCost(encoding), 0.0, false)
        for text in texts {
            if let decoded = decoder.exactly(text) {
                cost.add(text.bytes, as: decoded, in: encoding)
                isAny = true
            } else {
                damage += 60 + 8 * Double(text.bytes.count)
            }
        }
        return isAny ? cost.bits + damage : nil
    }
}

extension TextDecoder {
    /// The text, without a last character that is cut where that may be; `nil` where it is no text in this encoding.
    package func exactly(_ text: UndeclaredText) -> String? {
        if let decoded = exactly(text.bytes) { return decoded }
        guard text.mayBeCut else { return nil }
        return (1...3).lazy.compactMap { self.exactly(text.bytes.dropLast($0)) }.first
    }
}
