import Music

/// What the texts of a tag mean, whichever kind of tag they are in.
enum TagValue {
    /// More bytes of one text than anybody reads are cut: what is shown goes over the bus.
    static let longestText = 4 << 10
    /// More values of one field than anybody reads are dropped.
    static let mostValues = 64

    /// The values fit to be shown on one line, those left empty dropped.
    static func lines(_ values: [String]) -> [String] {
        Array(values.lazy.map(Text.cleanLine).filter { !$0.isEmpty }.prefix(mostValues))
    }

    /// The number in front of `3/12`; `nil` for 0, for none and for more than there can be.
    static func number(_ text: String) -> Int32? {
        let digits = text.drop(while: \.isWhitespace).prefix { $0.isASCII && $0.isNumber }
        return Int32(digits).flatMap { $0 > 0 ? $0 : nil }
    }

    /// As much of a date as is known, out of `2009-09-04 14:20` or `2009`; `nil` where there is no year.
    static func date(_ text: String) -> String? {
        let parts = text.prefix { $0 == "-" || $0.isASCII && $0.isNumber }
            .split(separator: "-", omittingEmptySubsequences: false)
        guard let year = parts.first, year.count == 4, year >= "1000" else { return nil }
        guard parts.count > 1, isNumber(parts[1], in: 1...12) else { return String(year) }
        guard parts.count > 2, isNumber(parts[2], in: 1...31) else { return "\(year)-\(parts[1])" }
        return "\(year)-\(parts[1])-\(parts[2])"
    }

    /// A tempo, rounded; `nil` for what no music has.
    static func beatsPerMinute(_ text: String) -> Int32? {
        guard let number = GainText.number(text), (1..<10_000).contains(number) else { return nil }
        return Int32(number.rounded())
    }

    /// An identifier of MusicBrainz, in lower case.
    static func identifier(_ text: String) -> String? {
        let isOne =
            text.utf8.count == 36
            && text.utf8.enumerated().allSatisfy { index, byte in
                [8, 13, 18, 23].contains(index)
                    ? byte == UInt8(ascii: "-") : Character(Unicode.Scalar(byte)).isHexDigit
            }
        return isOne ? text.lowercased() : nil
    }

    /// Several, where a program has put a sign between them.
    static func identifiers(_ text: String) -> [String] {
        text.split { "/;, ".contains($0) }.compactMap { identifier(String($0)) }
    }

    private static func isNumber(_ text: Substring, in range: ClosedRange<Int>) -> Bool {
        text.count == 2 && Int(text).map(range.contains) == true
    }
}
