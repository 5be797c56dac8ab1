/// The names under which Vorbis comments and APE tags have their texts, and ID3v2 those that have no frame.
///
/// Programs use the names of one kind of tag in others.
enum NamedFields {
    /// What a text with a name in upper case tells; `isSecond` where another name for the same goes before it.
    static func field(_ name: String) -> (field: TagField, isSecond: Bool)? {
        if let field = first[name] { return (field, false) }
        if let field = second[name] { return (field, true) }
        // Quod Libet says whose rating it is.
        return name.hasPrefix("RATING:") ? (.rating, false) : nil
    }

    private static let first: [String: TagField] = [
        "TITLE": .title, "ARTIST": .artist, "ALBUM": .album, "ALBUMARTIST": .albumArtist,
        "ALBUM ARTIST": .albumArtist, "ALBUM_ARTIST": .albumArtist, "TRACKNUMBER": .track, "TRACK": .track,
        "DISCNUMBER": .disc, "DISC": .disc, "DATE": .date, "GENRE": .genre, "COMPOSER": .composer,
        "COMMENT": .comment, "BPM": .tempo, "FMPS_RATING": .rating,
        "MUSICBRAINZ_TRACKID": .recordingID, "MUSICBRAINZ_RELEASETRACKID": .releaseTrackID,
        "MUSICBRAINZ_ALBUMID": .releaseID, "MUSICBRAINZ_RELEASEGROUPID": .releaseGroupID,
        "MUSICBRAINZ_ARTISTID": .artistID, "MUSICBRAINZ_ALBUMARTISTID": .albumArtistID,
        // As Picard writes them in ID3v2 and MP4.
        "MUSICBRAINZ TRACK ID": .recordingID, "MUSICBRAINZ RELEASE TRACK ID": .releaseTrackID,
        "MUSICBRAINZ ALBUM ID": .releaseID, "MUSICBRAINZ RELEASE GROUP ID": .releaseGroupID,
        "MUSICBRAINZ ARTIST ID": .artistID, "MUSICBRAINZ ALBUM ARTIST ID": .albumArtistID,
    ]

    private static let second: [String: TagField] = [
        "YEAR": .date, "DESCRIPTION": .comment, "TEMPO": .tempo, "RATING": .rating,
    ]
}

/// The texts of a tag in which each has a name.
struct NamedTexts {
    private var (first, second) = (TagTexts(), TagTexts())

    /// Takes a text with a name in upper case; `false` where that is none that is known.
    mutating func take(_ name: String, _ text: @autoclosure () -> TagText) -> Bool {
        guard let (field, isSecond) = NamedFields.field(name) else { return false }
        if isSecond { second.add(text(), to: field) } else { first.add(text(), to: field) }
        return true
    }

    var texts: TagTexts { first.filled(from: second) }
}
