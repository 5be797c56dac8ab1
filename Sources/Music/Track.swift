/// A file of music as it is found: what it says of itself, how long it is, what it looks like.
///
/// Complete before the track is announced: none of it changes while it plays (C-20, C-23, C-25).
package struct Track: Equatable, Sendable {
    package var location: TrackLocation
    package var tags: Tags
    /// Exact to the sample, gapless trimming taken off; `nil` where it could not be found out.
    package var length: TrackTime?
    /// An image file that is complete and stays while the track plays or is next.
    package var cover: FilePath?
    /// Its words, with times from its own start; `nil` where there are none.
    package var lyrics: Lyrics?

    /// `tags` are those of the whole file; of a stretch of it, what the cue sheet says goes before them.
    package init(
        _ location: TrackLocation,
        tags: Tags = Tags(),
        length: TrackTime? = nil,
        cover: FilePath? = nil,
        lyrics: Lyrics? = nil
    ) {
        self.location = location
        self.tags = tags
        self.length = length
        self.cover = cover
        self.lyrics = lyrics
        guard let excerpt = location.excerpt else { return }
        self.tags.title = excerpt.title ?? tags.title
        if let artist = excerpt.artist { self.tags.artists = [artist] }
        self.tags.album = excerpt.album ?? tags.album
        self.tags.trackNumber = excerpt.number ?? tags.trackNumber
    }

    /// What it is called: its title, else its file name without suffix; never empty (C-21).
    package var title: String {
        if let title = tags.title { return title }
        let stem = location.path.stem
        return stem.isEmpty ? "Untitled" : stem
    }
}
