import Music

/// What is known of the items of an APE tag.
struct APEFields {
    private var texts = NamedTexts()
    private var covers: [String: [UInt8]] = [:]
    private var gains = GainFields()
    private var lyrics: LyricsFields

    init(wantsLyrics: Bool) {
        lyrics = LyricsFields(areWanted: wantsLyrics)
    }

    /// Takes an item; its name is in upper case.
    mutating func take(_ name: String, _ bytes: some Collection<UInt8>, isText: Bool, wantsCover: Bool) {
        if name.hasPrefix("COVER ART") {
            guard wantsCover, covers[name] == nil else { return }
            // The name of a file, NUL, the file.
            let image =
                bytes.prefix(1024).firstIndex(of: 0).map { bytes[bytes.index(after: $0)...] } ?? bytes[...]
            if ImageKind(image) != nil { covers[name] = Array(image) }
        } else if isText, !lyrics.take(name, LyricsFields.text(bytes)) {
            for value in bytes.split(separator: 0, maxSplits: TagValue.mostValues)
            where !texts.take(name, TagText(utf8: value)) {
                gains.take(name, TagText(utf8: value).known ?? "")
            }
        }
    }

    var content: TagContent {
        TagContent(
            texts: texts.texts,
            gain: gains.replayGain(),
            // The front cover, or what else there is in its place.
            cover: covers["COVER ART (FRONT)"] ?? covers.min { $0.key < $1.key }?.value,
            lyrics: lyrics.lyrics()
        )
    }
}

extension APEFields {
    /// The items of a tag are few, a hostile one's may be many.
    private static let mostItems = 10_000
    private static let footer = Array("APETAGEX".utf8)

    /// Reads the tag at the end of a file; there is none where nothing says so.
    init(_ file: TagBytes, _ place: FileEnd, wantsCover: Bool, wantsLyrics: Bool) {
        self.init(wantsLyrics: wantsLyrics)
        let (end, foot) = (place.endOfAPE, place.footer)
        guard foot.count == 32, foot.starts(with: Self.footer) else { return }
        let size = foot[12...].littleEndian(4)
        guard size >= 32, Int64(size) <= end, size <= TagBytes.largestTag else { return }
        var rest = file.bytes(at: end - Int64(size), count: size - 32)[...]
        for _ in 0..<min(foot[16...].littleEndian(4), Self.mostItems) {
            let (length, flags) = (rest.littleEndian(4), rest.dropFirst(4).littleEndian(4))
            let name = rest.dropFirst(8).prefix(256).prefix { $0 != 0 }
            guard rest.count > 9 + name.count, !name.isEmpty else { return }
            rest = rest.dropFirst(9 + name.count)
            take(
                String(decoding: name, as: UTF8.self).uppercased(),
                rest.prefix(length),
                isText: flags & 6 == 0,
                wantsCover: wantsCover
            )
            rest = rest.dropFirst(length)
        }
    }
}

/// An ID3v1 tag, the last 128 bytes of a file: texts of at most 30 bytes in an encoding that it does not tell.
struct ID3v1Fields {
    private(set) var content = TagContent()

    init(_ bytes: [UInt8]) {
        guard bytes.count == Self.size, bytes.starts(with: "TAG".utf8) else { return }
        let fields: [(TagField, Range<Int>)] = [
            (.title, 3..<33), (.artist, 33..<63), (.album, 63..<93), (.comment, 97..<127),
        ]
        for (field, range) in fields {
            // A zero in front of the last byte of the comment says that a track number follows.
            let text = bytes[range].prefix { $0 != 0 }
            // Some programs fill up with blanks.
            let end = text.lastIndex { $0 != UInt8(ascii: " ") }.map { $0 + 1 } ?? text.startIndex
            content.texts.add(TagText(undeclared: text[..<end], mayBeCut: end == range.upperBound), to: field)
        }
        let year = String(decoding: bytes[93..<97].prefix { $0 != 0 }, as: UTF8.self)
        if let number = Int(Text.cleanLine(year)), number >= 0 {
            // Four digits; some programs leave out zeros in front.
            content.texts.add(
                .text("\(String(repeating: "0", count: 4 - "\(number)".utf8.count))\(number)"),
                to: .date
            )
        }
        if bytes[125] == 0, bytes[126] > 0 { content.texts.add(.text("\(bytes[126])"), to: .track) }
        if let genre = GenreText.name(of: Int(bytes[127])) { content.texts.add(.text(genre), to: .genre) }
    }

    static let size = 128
}

/// What programs put behind the sound of an MPEG file, from the end on: ID3v1, Lyrics3, an APE tag.
struct FileEnd {
    let id3v1: ID3v1Fields
    /// Where an APE tag ends, if there is one.
    let endOfAPE: Int64
    /// The last 32 bytes of that.
    let footer: [UInt8]

    /// What is looked at at once.
    private static let usual = 192

    init(_ file: TagBytes) {
        let tail = file.bytes(at: max(0, file.size - Int64(Self.usual)), count: Self.usual)
        func bytes(_ count: Int, before end: Int64) -> [UInt8] {
            let place = Int64(tail.count) - (file.size - end) - Int64(count)
            if place >= 0 { return Array(tail[Int(place)...].prefix(count)) }
            return file.bytes(at: end - Int64(count), count: count)
        }
        let last = bytes(ID3v1Fields.size, before: file.size)
        id3v1 = ID3v1Fields(last)
        let end = file.size - (last.starts(with: "TAG".utf8) ? Int64(ID3v1Fields.size) : 0)
        endOfAPE = end - Self.lengthOfLyrics(bytes(15, before: end))
        footer = bytes(32, before: endOfAPE)
    }

    /// Lyrics3 ends with six digits that tell its length, and its name.
    private static func lengthOfLyrics(_ end: [UInt8]) -> Int64 {
        guard end.dropFirst(6).elementsEqual("LYRICS200".utf8),
            let length = Int64(String(decoding: end.prefix(6), as: UTF8.self)), length >= 0
        else { return 0 }
        return length + 15
    }
}
