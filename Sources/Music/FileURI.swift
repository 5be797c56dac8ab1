/// `file:` URIs, for which the bus has text and the kernel has bytes.
package enum FileURI {
    /// The URI of an absolute path, every byte but the unreserved ones and `/` percent-encoded (C094).
    package static func encode(_ path: FilePath) -> String {
        var uri = "file://"
        for byte in path.bytes {
            if isPlain(byte) {
                uri.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                uri.unicodeScalars.append("%")
                uri.unicodeScalars.append(Unicode.Scalar(hexDigits[Int(byte >> 4)]))
                uri.unicodeScalars.append(Unicode.Scalar(hexDigits[Int(byte & 15)]))
            }
        }
        return uri
    }

    /// The path that a `file:` URI names, or `nil` where it names none on this machine.
    ///
    /// `file:///p`, `file://localhost/p` and `file:/p` are accepted, the scheme in any letter case. A `%` that no
    /// two digits follow stands for itself, since many programs forget to encode it.
    package static func decode(_ uri: String) -> FilePath? {
        guard uri.utf8.count > 5, uri.prefix(5).lowercased() == "file:" else { return nil }
        var rest = Array(uri.utf8.dropFirst(5))
        if rest.starts(with: "//".utf8) {
            rest.removeFirst(2)
            let host = rest.prefix { $0 != UInt8(ascii: "/") }
            guard host.isEmpty || host.elementsEqual("localhost".utf8) else { return nil }
            rest.removeFirst(host.count)
        }
        guard rest.first == UInt8(ascii: "/") else { return nil }
        return FilePath(bytes: percentDecoded(rest))
    }

    /// The scheme of a URI in lower case, or `nil` for what is no URI (a path, a bare name).
    package static func scheme(of text: String) -> String? {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), colon > text.startIndex else {
            return nil
        }
        let scheme = text[..<colon].lowercased()
        guard let first = scheme.utf8.first, isLetter(first), scheme.utf8.allSatisfy(isSchemeByte) else {
            return nil
        }
        return scheme
    }

    /// Undoes percent-encoding once; a `%` that no two digits follow stands for itself.
    package static func percentDecoded(_ bytes: [UInt8]) -> [UInt8] {
        var decoded: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let high = hexValue(bytes[index + 1]), let low = hexValue(bytes[index + 2])
            {
                decoded.append(high << 4 | low)
                index += 3
            } else {
                decoded.append(bytes[index])
                index += 1
            }
        }
        return decoded
    }

    private static let hexDigits = Array("0123456789ABCDEF".utf8)

    private static func hexValue(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 32)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        isLetter(byte) && byte < 128 || isDigit(byte) || "-._~/".utf8.contains(byte)
    }

    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || "+-.".utf8.contains(byte)
    }
}
