import Music

/// How a track lies in the columns of the index.
enum TrackColumns {
    static let names = """
        title, artists, album, album_artists, genres, composers, date, track, disc, length, is_exact, problem, \
        track_gain, track_peak, album_gain, album_peak
        """
    static let count: CInt = 16

    /// Declared without types: what goes in comes out.
    static let declaration = names

    static func values(_ track: IndexedTrack) -> [SQLValue] {
        let tags = track.tags
        return [
            SQLValue(tags.title), list(tags.artists), SQLValue(tags.album), list(tags.albumArtists),
            list(tags.genres), list(tags.composers), SQLValue(tags.date), SQLValue(tags.trackNumber),
            SQLValue(tags.discNumber), SQLValue(track.length.time?.microseconds),
            .integer(track.length.isExact ? 1 : 0), SQLValue(track.problem),
        ] + LoudnessColumns.values(tags.replayGain)
    }

    /// Reads the columns from `first` on.
    static func read(_ row: borrowing Statement, from first: CInt) -> IndexedTrack {
        var track = IndexedTrack()
        track.tags.title = row.text(first)
        track.tags.artists = list(row.text(first + 1))
        track.tags.album = row.text(first + 2)
        track.tags.albumArtists = list(row.text(first + 3))
        track.tags.genres = list(row.text(first + 4))
        track.tags.composers = list(row.text(first + 5))
        track.tags.date = row.text(first + 6)
        track.tags.trackNumber = row.number(first + 7).flatMap(Int32.init(exactly:))
        track.tags.discNumber = row.number(first + 8).flatMap(Int32.init(exactly:))
        let length = row.number(first + 9).map(TrackTime.init(microseconds:))
        track.length = FileLength(length, isExact: row.integer(first + 10) != 0)
        track.problem = row.text(first + 11)
        track.tags.replayGain = LoudnessColumns.read(row, from: first + 12)
        return track
    }

    /// Cleaned text holds no control characters, so one can stand between the values.
    private static let separator: Character = "\u{1F}"

    private static func list(_ values: [String]) -> SQLValue {
        values.isEmpty ? .null : .text(values.joined(separator: String(separator)))
    }

    private static func list(_ text: String?) -> [String] {
        text?.split(separator: separator).map(String.init) ?? []
    }
}
