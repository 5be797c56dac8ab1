/// What a file says of its music, cleaned: no empty text, no control characters, valid Unicode.
///
/// An absent value is `nil` or an empty list, never an empty string.
package struct Tags: Equatable, Sendable {
    package var title: String?
    package var artists: [String] = []
    package var album: String?
    package var albumArtists: [String] = []
    /// 1 or more.
    package var trackNumber: Int32?
    /// 1 or more.
    package var discNumber: Int32?
    /// ISO 8601, as much as is known: `2019`, `2019-05`, `2019-05-04`.
    package var date: String?
    package var genres: [String] = []
    package var composers: [String] = []
    /// What somebody has noted; may have line breaks.
    package var comments: [String] = []
    /// 1 or more.
    package var beatsPerMinute: Int32?
    /// How the listener likes it, above 0 and up to 1.
    package var rating: Double?
    package var musicBrainz = MusicBrainzIDs()
    package var replayGain = ReplayGain()

    package init() {}
}

/// Under which identifiers MusicBrainz knows a track and what belongs to it: UUIDs in lower case.
package struct MusicBrainzIDs: Equatable, Sendable {
    package var recording: String?
    package var releaseTrack: String?
    package var release: String?
    package var releaseGroup: String?
    package var artists: [String] = []
    package var albumArtists: [String] = []

    package init() {}
}
