import Music

/// What is known of the items of an APEv2 tag.
struct APEFields {
    private var texts: [String: [String]] = [:]
    private var covers: [String: [UInt8]] = [:]
    private var gains = GainFields()
    private(set) var lyrics: LyricsFields

    init(wantsLyrics: Bool = false) {
        lyrics = LyricsFields(areWanted: wantsLyrics)
    }

    /// Takes one value of an item.
    mutating func take(_ name: String, _ bytes: UnsafeRawBufferPointer) {
        if name.hasPrefix("COVER ART") {
            // The name of a file, NUL, the file.
            let image = bytes.prefix(1024).firstIndex(of: 0).map { bytes[($0 + 1)...] } ?? bytes[...]
            if ImageKind(image) != nil, covers[name] == nil { covers[name] = Array(image) }
        } else if !lyrics.take(name, ID3Text.text(bytes.prefix(LyricsFields.longest))) {
            gains.take(name, ID3Text.text(bytes.prefix(TagValue.longestText)))
            texts[name, default: []].append(ID3Text.text(bytes.prefix(TagValue.longestText)))
        }
    }

    var tags: Tags {
        var tags = Tags()
        tags.title = lines("TITLE").first
        tags.artists = lines("ARTIST")
        tags.album = lines("ALBUM").first
        tags.albumArtists = lines("ALBUM ARTIST") + lines("ALBUMARTIST")
        tags.trackNumber = lines("TRACK").first.flatMap(TagValue.number)
        tags.discNumber = (lines("DISC") + lines("DISCNUMBER")).first.flatMap(TagValue.number)
        tags.date = lines("YEAR").first.flatMap(TagValue.date)
        tags.genres = GenreText.names(texts["GENRE"] ?? [])
        tags.composers = lines("COMPOSER")
        tags.replayGain = gains.replayGain()
        return tags
    }

    /// The front cover, or what else there is in its place.
    var cover: [UInt8]? {
        covers["COVER ART (FRONT)"] ?? covers.min { $0.key < $1.key }?.value
    }

    private func lines(_ name: String) -> [String] { TagValue.lines(texts[name] ?? []) }
}

/// What is known of an ID3v1 tag: texts of at most 30 bytes in an encoding that it does not tell.
struct ID3v1Fields {
    private(set) var tags = Tags()

    /// Takes one field.
    mutating func take(_ name: String, _ bytes: UnsafeRawBufferPointer) {
        guard let text = TagValue.lines([ID3Text.text(bytes)]).first else { return }
        switch name {
        case "title": tags.title = text
        case "artist": tags.artists = [text]
        case "album": tags.album = text
        case "year": tags.date = TagValue.date(text)
        case "track": tags.trackNumber = TagValue.number(text)
        case "genre": tags.genres = GenreText.names([text])
        default: break
        }
    }
}
