import TagReading

/// What a cover is called in the cache: another picture, another name (C158).
struct CoverName: Hashable {
    var hash: ContentHash
    var kind: ImageKind

    init(_ hash: ContentHash, _ kind: ImageKind) {
        self.hash = hash
        self.kind = kind
    }

    /// The name of the file.
    var bytes: [UInt8] { Array("\(hash).\(kind.rawValue)".utf8) }

    /// The name while it is being written, as `mkstemp` wants it.
    var template: [UInt8] { Array(".\(hash).XXXXXX".utf8) }

    /// Reads ``bytes`` again; `nil` for what others have put into the folder.
    init?(fileName: [UInt8]) {
        guard fileName.count > 33, fileName[32] == dot, let hash = ContentHash(hexadecimal: fileName[..<32]),
            let kind = ImageKind(rawValue: String(decoding: fileName[33...], as: UTF8.self))
        else { return nil }
        self.init(hash, kind)
    }

    /// Whether a file of this name was being written when whoever did it ended.
    static func isUnfinished(_ fileName: [UInt8]) -> Bool {
        fileName.count == 40 && fileName[0] == dot && fileName[33] == dot
            && ContentHash(hexadecimal: fileName[1..<33]) != nil
    }
}

private let dot = UInt8(ascii: ".")
