import Charset
import Music

/// A text of a tag: as it is meant where the tag tells that, else its bytes.
///
/// Most text is ASCII, which is the same in all encodings; what is not waits until all of a file is there.
enum TagText: Equatable {
    case text(String)
    /// In an encoding that is to be found out; not ASCII.
    case undeclared(UndeclaredText)

    /// Text that is said to be Latin-1, which often is something else, or of which nothing is said.
    init(undeclared bytes: some Collection<UInt8>, mayBeCut: Bool = false) {
        let kept = Array(bytes.prefix(TagValue.longestText))
        if kept.allSatisfy({ $0 < 0x80 }) {
            self = .text(String(decoding: kept, as: UTF8.self))
        } else {
            self = .undeclared(UndeclaredText(kept, mayBeCut: mayBeCut || kept.count < bytes.count))
        }
    }

    /// Text that is UTF-8 by the rules of its tag; what is not may be anything.
    init(utf8 bytes: some Collection<UInt8>) {
        let kept = Self.kept(bytes)
        if let text = String(validating: kept, as: UTF8.self) {
            self = .text(text)
        } else {
            self.init(undeclared: kept)
        }
    }

    /// Text that says itself that it is UTF-8: what is not is damage.
    init(damagedUTF8 bytes: some Collection<UInt8>) {
        self = .text(String(decoding: Self.kept(bytes), as: UTF8.self))
    }

    /// At most ``TagValue/longestText`` bytes, no character cut.
    private static func kept(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var kept = Array(bytes.prefix(TagValue.longestText + 1))
        if kept.count > TagValue.longestText {
            while let last = kept.popLast(), last & 0xC0 == 0x80 {}
        }
        return kept
    }

    /// Whether nothing of it can be seen.
    var isBlank: Bool {
        if case .text(let text) = self { !text.unicodeScalars.contains(where: Self.isVisible) } else { false }
    }

    /// Whether a character is left when a text is cleaned.
    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x21...0x7E: true
        case 0...0xA0, 0xFEFF, 0xFFFE, 0xFFFF: false
        default: !scalar.properties.isWhitespace
        }
    }

    /// The text where it is known already: names, numbers and dates are ASCII.
    var known: String? {
        if case .text(let text) = self { text } else { nil }
    }
}

/// Makes the texts of one file readable, all in the same way.
struct TagTextReading {
    let decision: EncodingDecision?
    private let decoder: TextDecoder

    init(_ decision: EncodingDecision?) {
        self.decision = decision
        decoder = TextDecoder(decision?.encoding ?? .latin1)
    }

    func text(_ text: TagText) -> String {
        switch text {
        case .text(let text): return text
        case .undeclared(let text):
            if let exact = decoder.exactly(text) { return exact }
            // A part may have been written by another program than the rest.
            return String(validating: text.bytes, as: UTF8.self) ?? decoder.leniently(text.bytes)
        }
    }
}
