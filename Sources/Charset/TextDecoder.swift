import Glibc

/// Turns bytes of one encoding into text, as often as is wanted.
///
/// One thread owns it. Making one costs many times what using it does. What is to be shown still has to be cleaned with
/// `Text`.
package final class TextDecoder {
    package let encoding: TextEncoding
    /// `nil` for what needs no table, and for an encoding that this system does not know.
    private let converter: iconv_t?

    package init(_ encoding: TextEncoding) {
        self.encoding = encoding
        guard case .other(let name) = encoding else {
            converter = nil
            return
        }
        let converter = iconv_open("UTF-8", name)
        // iconv says -1 where others say nil.
        self.converter = converter == iconv_t(bitPattern: -1) ? nil : converter
    }

    deinit {
        if let converter { iconv_close(converter) }
    }

    /// Whether this system knows the encoding; if not, text comes out as Latin-1.
    package var isKnown: Bool {
        if case .other = encoding { converter != nil } else { true }
    }

    /// The text of the bytes, or `nil` where they are not text in this encoding.
    package func exactly(_ bytes: [UInt8]) -> String? {
        switch encoding {
        case .utf8: String(validating: bytes, as: UTF8.self)
        case .latin1: latin1(bytes)
        case .other: converter.flatMap { convert(bytes, with: $0, lenient: false) }
        }
    }

    /// The text of the bytes, with U+FFFD for what is no text in this encoding.
    package func leniently(_ bytes: [UInt8]) -> String {
        switch encoding {
        case .utf8: String(decoding: bytes, as: UTF8.self)
        case .latin1: latin1(bytes)
        case .other: converter.flatMap { convert(bytes, with: $0, lenient: true) } ?? latin1(bytes)
        }
    }

    private func latin1(_ bytes: [UInt8]) -> String {
        var text = ""
        text.unicodeScalars.append(contentsOf: bytes.lazy.map { Unicode.Scalar($0) })
        return text
    }

    private func convert(_ bytes: [UInt8], with converter: iconv_t, lenient: Bool) -> String? {
        iconv(converter, nil, nil, nil, nil)
        var source = bytes
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 2)
        let isText = source.withUnsafeMutableBytes { source in
            var input = source.bindMemory(to: CChar.self).baseAddress
            var left = source.count
            return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1024) { room in
                while left > 0 {
                    var output = room.baseAddress
                    var free = room.count
                    let status = iconv(converter, &input, &left, &output, &free)
                    let failure = status == -1 ? errno : 0
                    text.append(contentsOf: UnsafeRawBufferPointer(room)[..<(room.count - free)])
                    guard failure != 0, failure != E2BIG else { continue }
                    guard lenient, left > 0 else { return false }
                    text.append(contentsOf: "\u{FFFD}".utf8)
                    // A character that the end cuts off is one fault, whatever its length.
                    let step = failure == EINVAL ? left : 1
                    input = input.map { $0 + step }
                    left -= step
                }
                return true
            }
        }
        return isText ? String(decoding: text, as: UTF8.self) : nil
    }
}
