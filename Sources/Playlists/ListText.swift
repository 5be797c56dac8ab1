import Charset
import Music

/// Reads the text of one playlist, whose lines need not all be in one encoding.
///
/// Keeps the decoders that were needed: opening one costs a hundred times what a line does.
final class ListText {
    /// What most lines that are not ASCII seem to be in.
    let encoding: TextEncoding
    private var decoders: [TextEncoding: TextDecoder] = [:]

    init(_ encoding: TextEncoding) {
        self.encoding = encoding
    }

    /// The encoding of most lines that are not ASCII, by the beginning of a list, which may end within a character.
    static func encoding(of beginning: [UInt8]) -> TextEncoding {
        let isCut = beginning.count >= LineReader.longest
        let tail = isCut ? beginning.reversed().prefix(4).prefix { $0 & 0xC0 == 0x80 }.count + 1 : 0
        let sample = beginning.dropLast(tail)
        if String(validating: sample, as: UTF8.self) != nil { return .utf8 }
        let lines = sample.split(separator: UInt8(ascii: "\n")).filter { $0.contains { $0 >= 0x80 } }
        let foreign = lines.count { String(validating: $0, as: UTF8.self) == nil }
        return foreign * 2 <= lines.count ? .utf8 : TextEncoding.guess(sample)
    }

    /// The text of bytes as they are in `encoding`, or `nil` where they are not.
    func exactly(_ bytes: [UInt8], in encoding: TextEncoding) -> String? { decoder(encoding).exactly(bytes) }

    /// The text of bytes of this list.
    ///
    /// A line that is no UTF-8 in a list that is, was added by another program: it is guessed by itself.
    func decode(_ bytes: [UInt8]) -> String {
        guard encoding != .utf8, bytes.contains(where: { $0 >= 0x80 }) else {
            return String(validating: bytes, as: UTF8.self) ?? decoder(.foreign(bytes)).leniently(bytes)
        }
        let decoder = decoder(encoding)
        return decoder.exactly(bytes) ?? String(validating: bytes, as: UTF8.self) ?? decoder.leniently(bytes)
    }

    /// The text of bytes on one line, cleaned.
    func line(_ bytes: [UInt8]) -> String {
        let text = decode(bytes)
        return Self.isClean(text) ? text : Text.cleanLine(text)
    }

    /// The text of a field, or `nil` where nothing is left of it.
    func field(_ bytes: [UInt8]) -> String? {
        guard !bytes.isEmpty else { return nil }
        let text = line(bytes)
        return text.isEmpty ? nil : text
    }

    private func decoder(_ encoding: TextEncoding) -> TextDecoder {
        if let decoder = decoders[encoding] { return decoder }
        let decoder = TextDecoder(encoding)
        decoders[encoding] = decoder
        return decoder
    }

    /// Whether there is surely nothing to clean: spares nearly every line of a long list the trouble.
    private static func isClean(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            guard let first = bytes.first, let last = bytes.last, first != 0x20, last != 0x20 else {
                return bytes.isEmpty
            }
            // The blank of Chinese and Japanese is 0xE38080.
            if first == 0xE3 && bytes[1] == 0x80 || last == 0x80 { return false }
            // 0xC2, 0xE1, 0xE2 and 0xEF begin the controls, blanks, separators and marks that are not ASCII.
            return bytes.allSatisfy { byte in
                byte >= 0x20 && byte != 0x7F && byte != 0xC2 && byte != 0xE1 && byte != 0xE2 && byte != 0xEF
            }
        }
    }
}
