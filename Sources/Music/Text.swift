/// Text from outside (tags, file names, arguments) made fit for the bus and the screen.
///
/// Cleaned once, where it enters: libdbus ends the process on text that is not UTF-8 and C cuts text at NUL
/// (C045 to C050).
package enum Text {
    /// The bytes as text: what is not UTF-8 becomes U+FFFD, control characters go, blank ends are trimmed.
    package static func clean(bytes: some Sequence<UInt8>) -> String {
        clean(String(decoding: Array(bytes), as: UTF8.self))
    }

    /// The text without control characters (line breaks and tabs stay) and without blank ends.
    package static func clean(_ text: String) -> String {
        if isPlain(text) { return text }
        let kept = text.unicodeScalars.filter { scalar in
            switch scalar.value {
            case 0x09, 0x0A: true
            case 0x00...0x1F, 0x7F...0x9F, 0xFFFE, 0xFFFF, 0xFEFF: false
            default: true
            }
        }
        var view = kept[...]
        while let first = view.first, first.properties.isWhitespace { view.removeFirst() }
        while let last = view.last, last.properties.isWhitespace { view.removeLast() }
        return String(String.UnicodeScalarView(view))
    }

    /// The cleaned text on one line: line breaks and tabs become spaces.
    package static func cleanLine(_ text: String) -> String {
        if isPlain(text) { return text }
        return String(clean(text).map { $0.isNewline || $0 == "\t" ? " " : $0 })
    }

    /// Whether it is ASCII with nothing to clean, as most text is: a library has a million of them.
    private static func isPlain(_ text: String) -> Bool {
        let bytes = text.utf8
        return bytes.first != 0x20 && bytes.last != 0x20 && bytes.allSatisfy { (0x20...0x7E).contains($0) }
    }
}
