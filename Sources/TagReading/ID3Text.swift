/// Text as ID3v2 frames hold it: a byte that tells the encoding, then values with NUL between them.
enum ID3Text {
    enum Encoding: Equatable {
        /// Said to be Latin-1, often something else.
        case bytes
        /// A byte order mark tells the order, or ought to.
        case utf16
        case utf16BigEndian
        case utf8

        init(_ byte: UInt8) {
            switch byte {
            case 1: self = .utf16
            case 2: self = .utf16BigEndian
            case 3: self = .utf8
            default: self = .bytes
            }
        }

        /// How many NUL bytes end a text.
        var unit: Int { self == .utf16 || self == .utf16BigEndian ? 2 : 1 }
    }

    /// The values of a text frame.
    static func values(_ frame: some Collection<UInt8>) -> [String] {
        guard let first = frame.first else { return [] }
        let bytes = Array(frame.dropFirst().prefix(TagValue.longestText))
        switch Encoding(first) {
        case .bytes: return split(bytes).map(text)
        case .utf8: return split(bytes).map { String(decoding: $0, as: UTF8.self) }
        case .utf16: return values(utf16: bytes, isBigEndian: isBigEndian(bytes))
        case .utf16BigEndian: return values(utf16: bytes, isBigEndian: true)
        }
    }

    /// The text of 8-bit bytes of unknown encoding: UTF-8 where it can be that, else Latin-1.
    static func text(_ bytes: some Collection<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    private static func split(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        bytes.split(separator: 0, maxSplits: TagValue.mostValues)
    }

    /// The first mark rules until another comes: later values often have none of their own (C177).
    private static func values(utf16 bytes: [UInt8], isBigEndian: Bool) -> [String] {
        var (values, value, isBigEndian) = ([String](), [UInt16](), isBigEndian)
        func finish() {
            if !value.isEmpty { values.append(String(decoding: value, as: UTF16.self)) }
            value = []
        }
        // An odd byte at the end is no text (C179).
        for place in stride(from: 0, to: bytes.count - 1, by: 2) {
            let unit = UInt16(bytes[place]) << 8 | UInt16(bytes[place + 1])
            switch isBigEndian ? unit : unit.byteSwapped {
            case 0: finish()
            case 0xFEFF where value.isEmpty: continue
            case 0xFFFE where value.isEmpty: isBigEndian.toggle()
            case let unit: value.append(unit)
            }
        }
        finish()
        return values
    }

    /// Without a mark, the order in which more of it is ordinary text; in doubt little-endian (C174).
    static func isBigEndian(_ bytes: [UInt8]) -> Bool {
        if bytes.starts(with: [0xFE, 0xFF]) { return true }
        if bytes.starts(with: [0xFF, 0xFE]) { return false }
        var (big, little) = (0, 0)
        for place in stride(from: 0, to: bytes.count - 1, by: 2) {
            let unit = UInt16(bytes[place]) << 8 | UInt16(bytes[place + 1])
            big += weight(unit)
            little += weight(unit.byteSwapped)
        }
        return big > little
    }

    /// How much a code unit looks like text; ASCII read in the wrong order looks like Chinese, rarely the reverse.
    private static func weight(_ unit: UInt16) -> Int {
        switch unit {
        case 0x20...0x7E: 2
        case 0xA0...0x24F, 0x370...0x52F, 0x3000...0x30FF, 0x4E00...0x9FFF, 0xAC00...0xD7A3: 1
        default: 0
        }
    }
}
