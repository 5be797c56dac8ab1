/// The tags of WAV and AIFF files: an ID3v2 tag in a chunk, and texts in chunks of their own.
struct ChunkTags {
    private var id3v2 = ID3v2Fields()
    private var texts: [String: TagText] = [:]
    /// Whether what is in it is MPEG audio, which may have tags of its own.
    private(set) var holdsMPEG = false

    /// Files of instruments have some dozens.
    private static let mostChunks = 2000

    /// The names of chunks of text in WAV and in AIFF.
    private static let textChunks = Set(fields.map(\.0))

    /// Looks at the heads of all chunks, and into those that matter.
    init(_ file: TagBytes, wantsCover: Bool, wantsLyrics: Bool = false) {
        let head = file.bytes(at: 0, count: 12)
        let isBigEndian = head.starts(with: "FORM".utf8)
        holdsMPEG = head.dropFirst(8).elementsEqual("RMP3".utf8)
        func number(_ bytes: some Collection<UInt8>) -> Int {
            isBigEndian ? bytes.bigEndian(4) : bytes.littleEndian(4)
        }
        var offset: Int64 = 12
        var largeSize: Int64?
        for _ in 0..<Self.mostChunks {
            let chunk = file.bytes(at: offset, count: 8)
            guard chunk.count == 8 else { return }
            let name = String(decoding: chunk.prefix(4), as: UTF8.self)
            let size = number(chunk.dropFirst(4))
            offset += 8
            var length = Int64(size)
            switch name {
            case "ID3 ", "id3 ", "ID32":
                id3v2 = ID3v2Fields(
                    file,
                    at: offset,
                    length: length,
                    wantsCover: wantsCover,
                    wantsLyrics: wantsLyrics
                )
            case "LIST":
                // Only a head that says INFO holds texts.
                if file.bytes(at: offset, count: 4).elementsEqual("INFO".utf8) {
                    takeTexts(file.bytes(at: offset + 4, count: min(size - 4, 1 << 16)))
                }
            case "ds64": largeSize = Int64(clamping: file.bytes(at: offset + 8, count: 8).littleEndian(8))
            case "data" where size == 0xFFFF_FFFF: length = largeSize ?? length
            case "fmt ":
                holdsMPEG =
                    holdsMPEG || [0x50, 0x55].contains(file.bytes(at: offset, count: 2).littleEndian(2))
            default: take(name, file.bytes(at: offset, count: min(size, TagValue.longestText)))
            }
            guard length >= 0, length < file.size else { return }
            offset += length + length & 1
        }
    }

    private mutating func take(_ name: String, _ bytes: @autoclosure () -> [UInt8]) {
        guard Self.textChunks.contains(name), texts[name] == nil else { return }
        texts[name] = TagText(utf8: bytes().prefix { $0 != 0 })
    }

    private mutating func takeTexts(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while rest.count > 8 {
            let size = rest.dropFirst(4).littleEndian(4)
            let text = rest.dropFirst(8).prefix(size)
            take(String(decoding: rest.prefix(4), as: UTF8.self), Array(text.prefix(TagValue.longestText)))
            rest = rest.dropFirst(8 + size + size & 1)
        }
    }

    var content: TagContent {
        var texts = TagTexts()
        for (name, field) in Self.fields {
            // The first of two names for the same counts, unless it is left blank.
            guard texts.values[field] == nil, let text = self.texts[name] else { continue }
            texts.add(text, to: field)
        }
        return id3v2.content.filled(from: TagContent(texts: texts))
    }

    private static let fields: [(String, TagField)] = [
        ("INAM", .title), ("NAME", .title), ("IART", .artist), ("AUTH", .artist), ("IPRD", .album),
        ("ICRD", .date), ("IGNR", .genre), ("ITRK", .track), ("IPRT", .track), ("ICMT", .comment),
    ]
}
