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
    static func values(_ frame: some Collection<UInt8>) -> [TagText] {
        guard let first = frame.first else { return [] }
        let bytes = Array(frame.dropFirst().prefix(TagValue.longestText))
        let encoding = Encoding(first)
        return values(bytes, encoding, isBigEndian: encoding == .utf16 && isBigEndian(bytes))
    }

    /// The description of a frame and the values behind it; `headCount` bytes in front of it are no text.
    ///
    /// The order of the description goes for values that do not say theirs (C176).
    static func described(
        _ frame: some Collection<UInt8>,
        headCount: Int = 0
    ) -> (name: String, values: [TagText]) {
        guard let first = frame.first else { return ("", []) }
        let encoding = Encoding(first)
        let bytes = Array(frame.dropFirst(1 + headCount).prefix(TagValue.longestText))
        var end = 0
        while end + encoding.unit <= bytes.count,
            bytes[end..<end + encoding.unit].contains(where: { $0 != 0 })
        {
            end += encoding.unit
        }
        let (name, rest) = (Array(bytes[..<end]), Array(bytes.dropFirst(end + encoding.unit)))
        let isBig = encoding == .utf16 && isBigEndian(name.isEmpty ? rest : name)
        return (
            values(name, encoding, isBigEndian: isBig).first?.known ?? "",
            values(rest, encoding, isBigEndian: isBig)
        )
    }

    private static func values(_ bytes: [UInt8], _ encoding: Encoding, isBigEndian: Bool) -> [TagText] {
        switch encoding {
        case .bytes: split(bytes).map { TagText(undeclared: $0) }
        case .utf8: split(bytes).map { TagText(damagedUTF8: $0) }
        case .utf16: values(utf16: bytes, isBigEndian: isBigEndian).map(TagText.text)
        case .utf16BigEndian: values(utf16: bytes, isBigEndian: true).map(TagText.text)
        }
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
