import Charset
import Music

/// Text of a playlist, whose lines need not all be in one encoding.
enum WrittenText {
    /// The encoding of most lines that are not ASCII, by the beginning of a list.
    static func encoding(of sample: [UInt8]) -> TextEncoding {
        if String(validating: sample, as: UTF8.self) != nil { return .utf8 }
        let lines = sample.split(separator: newline).filter { $0.contains { $0 >= 0x80 } }
        // The last line may be cut within a character.
        let foreign = lines.filter { String(validating: $0, as: UTF8.self) == nil }
        if foreign.count * 2 <= lines.count, lines.count > 1 { return .utf8 }
        return TextEncoding.guess(sample)
    }

    /// The text of bytes in a list that seems to be in `encoding`.
    ///
    /// A line that is no UTF-8 in a list that is, was added by another program: it is guessed by itself.
    static func decode(_ bytes: [UInt8], _ encoding: TextEncoding) -> String {
        let utf8 = String(validating: bytes, as: UTF8.self)
        guard bytes.contains(where: { $0 >= 0x80 }) else { return utf8 ?? "" }
        guard encoding != .utf8 else { return utf8 ?? TextDecoder(.foreign(bytes)).leniently(bytes) }
        let decoder = TextDecoder(encoding)
        return decoder.exactly(bytes) ?? utf8 ?? decoder.leniently(bytes)
    }

    /// The text of bytes on one line, cleaned.
    static func line(_ bytes: [UInt8], _ encoding: TextEncoding) -> String {
        if encoding == .utf8, isClean(bytes), let text = String(validating: bytes, as: UTF8.self) {
            return text
        }
        return Text.cleanLine(decode(bytes, encoding))
    }

    /// The text of a field, or `nil` where nothing is left of it.
    static func field(_ bytes: [UInt8], _ encoding: TextEncoding) -> String? {
        guard !bytes.isEmpty else { return nil }
        let text = line(bytes, encoding)
        return text.isEmpty ? nil : text
    }

    /// Whether there is surely nothing to clean: spares nearly every line of a long list the trouble.
    private static func isClean(_ bytes: [UInt8]) -> Bool {
        guard let first = bytes.first, let last = bytes.last, first != 0x20, first < 0x80, last != 0x20,
            last < 0x80
        else { return bytes.isEmpty }
        // 0xC2, 0xE2 and 0xEF begin the controls, separators and marks that are not ASCII.
        return bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != 0xC2 && $0 != 0xE2 && $0 != 0xEF }
    }

    private static let newline = UInt8(ascii: "\n")
}
