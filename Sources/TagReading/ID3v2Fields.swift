import Music

/// What is known of the frames of an ID3v2 tag, of any version.
struct ID3v2Fields {
    private var texts: [Field: [String]] = [:]
    private var pictures = PictureChoice()
    private var gains = GainFields()
    private(set) var lyrics: LyricsFields

    init(wantsLyrics: Bool = false) {
        lyrics = LyricsFields(areWanted: wantsLyrics)
    }

    /// The text frames that are read, by what they tell.
    private enum Field {
        case title, artist, album, albumArtist, track, disc, recorded, released, year, dayAndMonth, genre,
            composer
        case namedAlbumArtist, namedDisc
    }

    /// Four letters since version 2.3, three before.
    private static let fields: [String: Field] = [
        "TIT2": .title, "TPE1": .artist, "TALB": .album, "TPE2": .albumArtist, "TRCK": .track, "TPOS": .disc,
        "TDRC": .recorded, "TDRL": .released, "TYER": .year, "TDAT": .dayAndMonth, "TCON": .genre,
        "TCOM": .composer,
        "TT2": .title, "TP1": .artist, "TAL": .album, "TP2": .albumArtist, "TRK": .track, "TPA": .disc,
        "TYE": .year, "TDA": .dayAndMonth, "TCO": .genre, "TCM": .composer,
    ]

    /// The texts with a name of their own in which some programs put what has a frame.
    private static let namedFields: [String: Field] = [
        "ALBUM ARTIST": .namedAlbumArtist, "ALBUMARTIST": .namedAlbumArtist, "DISCNUMBER": .namedDisc,
    ]

    /// Takes a frame.
    mutating func take(_ name: String, _ bytes: UnsafeRawBufferPointer) {
        if lyrics.takeFrame(name, bytes) { return }
        if name == "APIC" || name.hasPrefix("PIC") {
            if let picture = PictureFrame(bytes, isOld: name != "APIC") { pictures.offer(picture) }
        } else if name == "TXXX" || name == "TXX" {
            let values = ID3Text.values(bytes)
            guard let name = values.first?.uppercased() else { return }
            if lyrics.take(name, LyricsFrame(bytes, headCount: 0)?.text ?? "") { return }
            if let field = Self.namedFields[name] {
                texts[field, default: []] += values.dropFirst()
            } else if let value = values.dropFirst().first {
                gains.take(name, value)
            }
        } else if name == "RVA2" {
            gains.takeRelativeVolume(bytes)
        } else if name == "RGAD" {
            gains.takeAdjustment(bytes)
        } else if let field = Self.fields[name] {
            texts[field, default: []] += ID3Text.values(bytes)
        }
    }

    var tags: Tags {
        var tags = Tags()
        tags.title = lines(.title).first
        tags.artists = lines(.artist)
        tags.album = lines(.album).first
        let albumArtists = lines(.albumArtist)
        tags.albumArtists = albumArtists.isEmpty ? lines(.namedAlbumArtist) : albumArtists
        tags.trackNumber = lines(.track).first.flatMap(TagValue.number)
        tags.discNumber = (lines(.disc) + lines(.namedDisc)).first.flatMap(TagValue.number)
        tags.date = date
        tags.genres = GenreText.names(texts[.genre] ?? [])
        tags.composers = lines(.composer)
        tags.replayGain = gains.replayGain()
        return tags
    }

    /// The front cover, or what else there is in its place.
    var cover: [UInt8]? { pictures.best?.image }

    private func lines(_ field: Field) -> [String] { TagValue.lines(texts[field] ?? []) }

    /// Before version 2.4 the year and `DDMM` have a frame each.
    private var date: String? {
        let whole = (lines(.recorded) + lines(.released)).lazy.compactMap(TagValue.date).first
        if let whole { return whole }
        guard let year = lines(.year).first else { return nil }
        if let day = lines(.dayAndMonth).first, day.count == 4 {
            return TagValue.date("\(year)-\(day.suffix(2))-\(day.prefix(2))")
        }
        return TagValue.date(year)
    }
}
