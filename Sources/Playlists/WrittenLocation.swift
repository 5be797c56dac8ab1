import Charset
import Music

/// A location as a playlist writes it: bytes whose encoding, separators and escapes are a matter of guessing.
struct WrittenLocation: Equatable, Sendable {
    enum Kind: Equatable, Sendable {
        /// A path as it is: `%` stands for itself.
        case path
        /// A URI reference to a file: percent-encoded, and relative to `base`, which is a folder that ends in a slash,
        /// or empty for the list's own.
        case reference(base: [UInt8])
        case network
    }

    var bytes: [UInt8]
    /// How to read the bytes: what its list seems to be in.
    var encoding: TextEncoding
    var kind: Kind

    /// A location in a list that writes paths, and now and then a URI among them (M3U, PLS, CUE).
    init(path bytes: [UInt8], _ encoding: TextEncoding) {
        self.bytes = bytes
        self.encoding = encoding
        kind =
            switch Scheme(bytes) {
            case nil: .path
            case .file: .reference(base: [])
            case .network: .network
            }
    }

    /// A location in a list that writes URI references (XSPF); `base` as in ``Kind/reference(base:)``, `nil` for one
    /// that is on the network.
    init(reference bytes: [UInt8], base: [UInt8]?) {
        self.bytes = bytes
        encoding = .utf8
        kind =
            switch (Scheme(bytes), base) {
            case (.network, _), (nil, nil): .network
            case (.file, _): .reference(base: [])
            case (nil, .some(let base)): .reference(base: base)
            }
    }

    /// Calls `body` with the paths that it can stand for, the likeliest first, until there is a result; relative ones begin
    /// in the list's folder.
    ///
    /// Bytes that are no UTF-8 are read as what the list seems to be in, then as the encodings that lists of this kind
    /// were mostly written in (C237).
    func firstResult<Result>(_ text: ListText, _ body: ([UInt8]) -> Result?) -> Result? {
        func attempt(_ path: [UInt8]?) -> Result? {
            guard let path, !path.isEmpty, !path.contains(0) else { return nil }
            if let result = body(path) { return result }
            // In the bytes of other encodings a backslash may be part of a character.
            guard path.contains(backslash), String(validating: path, as: UTF8.self) != nil else { return nil }
            return body(path.map { $0 == backslash ? slash : $0 })
        }
        switch kind {
        case .network: return nil
        case .reference(let base):
            if let result = attempt(Self.path(of: bytes, base: base)) { return result }
            // Not every program that writes URIs knows how.
            return Scheme(bytes) == nil ? attempt(base + bytes) : nil
        case .path:
            if let result = attempt(bytes) { return result }
            for encoding in encodings {
                guard let path = text.exactly(bytes, in: encoding).map({ Array($0.utf8) }), path != bytes
                else { continue }
                if let result = attempt(path) { return result }
            }
            return nil
        }
    }

    /// What it means where nothing of all that exists; `nil` on the network or another system's drive.
    func plainPath(_ text: ListText) -> [UInt8]? {
        switch kind {
        case .network: return nil
        case .reference(let base): return Self.path(of: bytes, base: base)
        case .path:
            guard !isOnDrive else { return nil }
            guard bytes.contains(where: { $0 >= 0x80 || $0 == backslash }) else { return bytes }
            return Array(text.decode(bytes).utf8).map { $0 == backslash ? slash : $0 }
        }
    }

    /// Whether it begins with a drive letter or a server, as paths of Windows do.
    private var isOnDrive: Bool {
        if bytes.starts(with: [backslash, backslash]) { return true }
        return bytes.count > 2 && bytes[1] == UInt8(ascii: ":") && bytes[2] == backslash && isLetter(bytes[0])
    }

    /// What else than UTF-8 the bytes may be in, the likeliest first.
    private var encodings: [TextEncoding] {
        guard bytes.contains(where: { $0 >= 0x80 }) else { return [] }
        let isUTF8 = String(validating: bytes, as: UTF8.self) != nil
        if encoding == .utf8 { return isUTF8 ? [] : [.foreign(bytes)] + Self.usual }
        return [encoding] + (isUTF8 ? [] : Self.usual)
    }

    private static let usual: [TextEncoding] = [.gb18030, .big5, .shiftJIS, .windows1252]

    private static func path(of reference: [UInt8], base: [UInt8]) -> [UInt8]? {
        let reference = reference.prefix { $0 != UInt8(ascii: "#") }
        if Scheme(reference) == .file {
            return FileURI.decode(String(decoding: reference, as: UTF8.self))?.bytes
        }
        let path = percentDecoded(reference)
        return path.first == slash ? path : base + path
    }
}

/// What the beginning of a location says of it, where it is a URI.
enum Scheme {
    case file, network

    /// `nil` for a path: only what has `//` behind the colon is a URI, or `file:`; a song may be called `Op. 3: Largo`.
    init?(_ location: some RandomAccessCollection<UInt8>) {
        guard let colon = location.prefix(16).firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let name = location[..<colon]
        guard name.count > 1, name.allSatisfy({ isLetter($0) || "0123456789+-.".utf8.contains($0) }) else {
            return nil
        }
        if name.map({ $0 | 32 }) == Array("file".utf8) {
            self = .file
        } else if location[colon...].dropFirst().starts(with: "//".utf8) {
            self = .network
        } else {
            return nil
        }
    }
}

/// Undoes percent-encoding once (C243); nothing where NUL comes of it, since no file is called so.
func percentDecoded(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    let decoded = FileURI.percentDecoded(Array(bytes))
    return decoded.contains(0) ? [] : decoded
}

func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 32) && byte < 0x80
}

let slash = UInt8(ascii: "/")
let backslash = UInt8(ascii: "\\")
