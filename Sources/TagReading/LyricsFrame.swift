import Charset

/// The head of a frame of lyrics in ID3v2, and the texts behind it, of which each ends with NUL.
struct LyricsFrame {
    /// What stands between the encoding and the texts: the language, and what more there is.
    let head: [UInt8]
    private let encoding: ID3Text.Encoding
    private var rest: ArraySlice<UInt8>
    /// The order of the description goes for texts that do not say theirs.
    private var isBigEndian: Bool

    /// Passes the description; `nil` where the head is cut.
    init?(_ frame: some Collection<UInt8>, headCount: Int) {
        let bytes = Array(frame.prefix(LyricsFields.longest))
        guard let first = bytes.first, bytes.count > headCount + 1 else { return nil }
        encoding = ID3Text.Encoding(first)
        head = Array(bytes[1..<headCount + 1])
        rest = bytes[(headCount + 1)...]
        isBigEndian = encoding == .utf16BigEndian
        if encoding == .utf16 { isBigEndian = ID3Text.isBigEndian(Array(rest)) }
        _ = next()
    }

    /// The text behind the description, as a whole.
    var text: String {
        var frame = self
        return frame.next() ?? ""
    }

    /// Takes the next text off; `nil` where there is none.
    ///
    /// One that the end cuts off is text as far as it goes.
    mutating func next() -> String? {
        guard !rest.isEmpty else { return nil }
        let unit = encoding.unit
        var end = rest.startIndex
        while end + unit <= rest.endIndex, !rest[end..<end + unit].allSatisfy({ $0 == 0 }) { end += unit }
        let bytes = rest[rest.startIndex..<min(end, rest.endIndex)]
        rest = rest.dropFirst(bytes.count + unit)
        return decoded(bytes)
    }

    /// Takes a number of four bytes off; `nil` where it is cut.
    mutating func nextNumber() -> Int? {
        guard rest.count >= 4 else { return nil }
        defer { rest = rest.dropFirst(4) }
        return rest.bigEndian(4)
    }

    private mutating func decoded(_ bytes: ArraySlice<UInt8>) -> String {
        switch encoding {
        case .utf8: return String(decoding: bytes, as: UTF8.self)
        // Said to be Latin-1; a text of this length tells better what it is.
        case .bytes: return DecodedText(Array(bytes)).text
        case .utf16, .utf16BigEndian:
            var bytes = bytes
            if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
                isBigEndian = bytes.first == 0xFE
                bytes = bytes.dropFirst(2)
            }
            let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map { place in
                let unit = UInt16(bytes[place]) << 8 | UInt16(bytes[place + 1])
                return isBigEndian ? unit : unit.byteSwapped
            }
            return String(decoding: units, as: UTF16.self)
        }
    }
}
