import Music

/// The tag of FLAC, Ogg Vorbis and Opus: texts in UTF-8, each `NAME=value`, names in any case.
///
/// Read here and not by TagLib, which drops a text that is not quite UTF-8.
struct VorbisComments {
    private var texts: [Field: [String]] = [:]
    private var gains = GainFields()
    private var pictures = PictureChoice()
    private let isOpus: Bool
    private(set) var lyrics: LyricsFields

    private enum Field {
        case title, artist, album, albumArtist, track, disc, date, year, genre, composer
    }

    private static let fields: [String: Field] = [
        "TITLE": .title, "ARTIST": .artist, "ALBUM": .album, "ALBUMARTIST": .albumArtist,
        "ALBUM ARTIST": .albumArtist, "ALBUM_ARTIST": .albumArtist, "TRACKNUMBER": .track, "TRACK": .track,
        "DISCNUMBER": .disc, "DISC": .disc, "DATE": .date, "YEAR": .year, "GENRE": .genre,
        "COMPOSER": .composer,
    ]

    /// More of them than anybody writes are not looked at.
    private static let mostComments = 20_000
    private static let longestName = 64

    /// Takes apart what is behind the name of the packet or the head of the block; damage costs what is behind it.
    init(_ bytes: some Collection<UInt8>, isOpus: Bool = false, wantsCover: Bool, wantsLyrics: Bool = false) {
        self.isOpus = isOpus
        lyrics = LyricsFields(areWanted: wantsLyrics)
        var rest = bytes.dropFirst(4).dropFirst(bytes.littleEndian(4))
        guard rest.count >= 4 else { return }
        let count = rest.littleEndian(4)
        rest = rest.dropFirst(4)
        for _ in 0..<min(count, Self.mostComments) {
            guard rest.count > 4 else { return }
            let length = rest.littleEndian(4)
            rest = rest.dropFirst(4)
            take(rest.prefix(length), wantsCover: wantsCover)
            rest = rest.dropFirst(length)
        }
    }

    private mutating func take(_ comment: some Collection<UInt8>, wantsCover: Bool) {
        let head = comment.prefix(Self.longestName)
        guard let end = head.firstIndex(of: UInt8(ascii: "=")) else { return }
        let name = String(decoding: head[..<end], as: UTF8.self).uppercased()
        let value = comment[end...].dropFirst()
        if let field = Self.fields[name] {
            if texts[field, default: []].count < TagValue.mostValues {
                texts[field, default: []].append(Self.text(value))
            }
        } else if name == "METADATA_BLOCK_PICTURE" || name == "COVERART" {
            guard wantsCover else { return }
            let bytes = Base64.decode(value)
            let picture =
                name == "COVERART" ? PictureFrame(type: 0, image: bytes[...]) : PictureFrame(block: bytes)
            if let picture { pictures.offer(picture) }
        } else if !lyrics.take(name, ID3Text.text(value.prefix(LyricsFields.longest))) {
            gains.take(name, Self.text(value))
        }
    }

    /// At most ``TagValue/longestText`` bytes of it, no character cut.
    private static func text(_ value: some Collection<UInt8>) -> String {
        var bytes = Array(value.prefix(TagValue.longestText + 1))
        if bytes.count > TagValue.longestText {
            while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
        }
        return ID3Text.text(bytes)
    }

    var tags: Tags {
        var tags = Tags()
        tags.title = lines(.title).first
        tags.artists = lines(.artist)
        tags.album = lines(.album).first
        tags.albumArtists = lines(.albumArtist)
        tags.trackNumber = lines(.track).first.flatMap(TagValue.number)
        tags.discNumber = lines(.disc).first.flatMap(TagValue.number)
        tags.date = (lines(.date) + lines(.year)).lazy.compactMap(TagValue.date).first
        tags.genres = GenreText.names(texts[.genre] ?? [])
        tags.composers = lines(.composer)
        tags.replayGain = gains.replayGain(prefersR128: isOpus)
        return tags
    }

    /// The front cover, or what else there is in its place.
    var cover: [UInt8]? { pictures.best?.image }

    private func lines(_ field: Field) -> [String] { TagValue.lines(texts[field] ?? []) }
}

/// Bytes written in 64 letters.
enum Base64 {
    /// What they stand for; other letters, such as line breaks, are passed over.
    static func decode(_ letters: some Collection<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(letters.count / 4 * 3)
        var (bits, count): (UInt32, Int) = (0, 0)
        for letter in letters {
            guard let value = value(of: letter) else { continue }
            bits = bits << 6 | value
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return bytes
    }

    private static func value(of letter: UInt8) -> UInt32? {
        switch letter {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(letter - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(letter - UInt8(ascii: "a") + 26)
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(letter - UInt8(ascii: "0") + 52)
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
