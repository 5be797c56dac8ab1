import Charset
import Music

/// What a text of a tag tells.
package enum TagField: Sendable {
    case title, artist, album, albumArtist, track, disc, date, genre, composer, comment, tempo, rating
    case recordingID, releaseTrackID, releaseID, releaseGroupID, artistID, albumArtistID

    /// Whether it is a number or the like, of which the first counts that can be understood, in whichever tag it is.
    var isUnderstood: Bool {
        switch self {
        case .track, .disc, .date, .tempo, .rating: true
        default: false
        }
    }
}

/// The texts of a tag, or of all tags of a file, by what they tell; those left blank are not there.
struct TagTexts: Equatable {
    private(set) var values: [TagField: [TagText]] = [:]

    mutating func add(_ text: TagText, to field: TagField) {
        guard !text.isBlank, values[field, default: []].count < TagValue.mostValues else { return }
        values[field, default: []].append(text)
    }

    mutating func add(_ texts: [TagText], to field: TagField) {
        for text in texts { add(text, to: field) }
    }

    /// These texts, with what they lack taken from `other`, field by field.
    func filled(from other: TagTexts) -> TagTexts {
        if other.values.isEmpty { return self }
        if values.isEmpty { return other }
        var texts = self
        texts.values.merge(other.values) { own, _ in own }
        for (field, values) in self.values where field.isUnderstood {
            texts.values[field] = values + (other.values[field] ?? [])
        }
        return texts
    }

    /// Those of which it is to be found out how they are encoded; what is not ASCII in a number tells nothing of that.
    var undeclared: [UndeclaredText] {
        values.filter { !$0.key.isUnderstood }.values.joined().compactMap {
            if case .undeclared(let text) = $0 { text } else { nil }
        }
    }
}

/// What the tags of a file hold, put together but not yet made readable.
struct TagContent: Equatable {
    var texts = TagTexts()
    var gain = ReplayGain()
    var cover: [UInt8]?
    var lyrics = TaggedLyrics()

    /// This, with what it lacks taken from `other`, field by field.
    func filled(from other: TagContent) -> TagContent {
        TagContent(
            texts: texts.filled(from: other.texts),
            gain: gain.filled(from: other.gain),
            cover: cover ?? other.cover,
            lyrics: lyrics.filled(from: other.lyrics)
        )
    }
}

/// The texts of a file as they are in it, line breaks and blank ends with them; what is not understood as well.
package struct StoredTexts: Equatable, Sendable {
    private var values: [TagField: [String]] = [:]

    package init() {}

    init(_ texts: TagTexts, _ reading: TagTextReading) {
        values = texts.values.mapValues { $0.map(reading.text) }
    }

    package subscript(field: TagField) -> [String] { values[field] ?? [] }

    /// The date that counts: the first that is one, else what there is in its place.
    package var date: String? {
        self[.date].first { TagValue.date(Text.cleanLine($0)) != nil } ?? self[.date].first
    }

    /// On one line each, fit to be shown; none empty.
    func lines(_ field: TagField) -> [String] { values[field].map(TagValue.lines) ?? [] }

    /// The first that `meaning` understands.
    func first<Meaning>(_ field: TagField, _ meaning: (String) -> Meaning?) -> Meaning? {
        guard let texts = values[field] else { return nil }
        for text in TagValue.lines(texts) {
            if let meaning = meaning(text) { return meaning }
        }
        return nil
    }
}

extension Tags {
    init(_ texts: StoredTexts, gain: ReplayGain) {
        self.init()
        title = texts.lines(.title).first
        artists = texts.lines(.artist)
        album = texts.lines(.album).first
        albumArtists = texts.lines(.albumArtist)
        trackNumber = texts.first(.track, TagValue.number)
        discNumber = texts.first(.disc, TagValue.number)
        date = texts.first(.date, TagValue.date)
        genres = GenreText.names(texts[.genre])
        composers = texts.lines(.composer)
        comments = texts[.comment].map(Text.clean).filter { !$0.isEmpty }
        beatsPerMinute = texts.first(.tempo, TagValue.beatsPerMinute)
        rating = texts.first(.rating, RatingText.rating)
        musicBrainz = MusicBrainzIDs(texts)
        replayGain = gain
    }
}

extension MusicBrainzIDs {
    fileprivate init(_ texts: StoredTexts) {
        self.init()
        recording = texts.first(.recordingID, TagValue.identifier)
        releaseTrack = texts.first(.releaseTrackID, TagValue.identifier)
        release = texts.first(.releaseID, TagValue.identifier)
        releaseGroup = texts.first(.releaseGroupID, TagValue.identifier)
        artists = texts.lines(.artistID).flatMap(TagValue.identifiers)
        albumArtists = texts.lines(.albumArtistID).flatMap(TagValue.identifiers)
    }
}
