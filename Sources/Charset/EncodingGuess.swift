import CUchardet

extension TextEncoding {
    /// How much of a text is looked at: enough to tell, and bounded whatever the size of a file.
    package static let sampleSize = 64 * 1024

    /// The encoding of bytes of which nothing is known: what their mark says, UTF-8 where they are UTF-8, else the guess
    /// of uchardet, else Latin-1.
    package static func guess(_ bytes: some Collection<UInt8>) -> TextEncoding {
        if let announced = announced(by: bytes) { return announced.encoding }
        let sample = Array(bytes.prefix(sampleSize))
        if isUTF8(sample, isCut: sample.count < bytes.count) { return .utf8 }
        return foreign(sample)
    }

    /// The encoding of a sample that is not UTF-8, or not throughout, judged by those of its lines that are not ASCII.
    package static func foreign(_ sample: [UInt8]) -> TextEncoding {
        let foreignLines = sample.split(separator: newline).filter { $0.contains { $0 >= 0x80 } }
        let sample = Array(foreignLines.joined(separator: [newline]))
        // A title or two is less than uchardet dares to judge by; said again and again, it does.
        let repeats = max(1, min(8, 512 / max(1, sample.count)))
        guard let label = label(of: sample, repeats: repeats) else { return .latin1 }
        // Few letters of Russian look like either; music files with the Macintosh's are hardly found.
        let encoding = TextEncoding(label: label == "MAC-CYRILLIC" ? "WINDOWS-1251" : label)
        if encoding == .utf8 { return isMostlyUTF8(sample) ? .utf8 : .latin1 }
        // A few accents say that it is a language of Europe, not which: then the commonest.
        if alike.contains(label), sample.count(where: { $0 >= 0x80 }) < 8 { return .windows1252 }
        return TextDecoder(encoding).isKnown ? encoding : .latin1
    }

    /// Latin alphabets that share most of their accented letters with Windows-1252.
    private static let alike: Set<String> = [
        "ISO-8859-2", "ISO-8859-3", "ISO-8859-4", "ISO-8859-9", "ISO-8859-10", "ISO-8859-13", "ISO-8859-14",
        "ISO-8859-15", "ISO-8859-16", "WINDOWS-1250", "WINDOWS-1257", "WINDOWS-1258",
    ]

    private static func label(of sample: [UInt8], repeats: Int) -> String? {
        guard let detector = uchardet_new() else { return nil }
        defer { uchardet_delete(detector) }
        sample.withUnsafeBytes { bytes in
            guard let start = bytes.bindMemory(to: CChar.self).baseAddress else { return }
            for _ in 0..<repeats {
                guard uchardet_handle_data(detector, start, bytes.count) == 0 else { return }
                uchardet_handle_data(detector, "\n", 1)
            }
        }
        uchardet_data_end(detector)
        guard let label = uchardet_get_charset(detector), label.pointee != 0 else { return nil }
        return String(cString: label).uppercased()
    }

    /// A sample that was cut may end within a character, which has at most four bytes.
    private static func isUTF8(_ sample: [UInt8], isCut: Bool) -> Bool {
        (0...(isCut ? 3 : 0)).contains { String(validating: sample.dropLast($0), as: UTF8.self) != nil }
    }

    /// Whether a sample that is not quite UTF-8 is nothing else either: hardly a character in it is damaged.
    private static func isMostlyUTF8(_ sample: [UInt8]) -> Bool {
        let scalars = String(decoding: sample, as: UTF8.self).unicodeScalars
        let damaged = scalars.count { $0 == "\u{FFFD}" }
        return damaged * 10 < scalars.count { !$0.isASCII }
    }
}

private let newline = UInt8(ascii: "\n")
