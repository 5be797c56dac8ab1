package import Audio
package import Music

extension Overlap {
    /// Where the track `next` begins over the end of `track`, as far as `crossfade` wishes and both allow; `nil` where
    /// one is to follow the other.
    ///
    /// What belongs together is never mixed: an album, or the parts of one file. Each track is heard alone for at least
    /// half of its length.
    package init?(_ crossfade: TrackTime, from track: Track, to next: Track) {
        guard crossfade > .zero, !track.isOfOneAlbum(with: next),
            let length = track.length, let nextLength = next.length
        else { return nil }
        let longest = TrackTime(microseconds: min(length, nextLength).microseconds / 2)
        let overlap = min(crossfade, longest)
        guard overlap > .zero else { return nil }
        self.init(start: length - overlap, length: overlap)
    }
}

extension Track {
    /// Whether both are from one file, or of an album of one name by the same artist or in the same folder.
    fileprivate func isOfOneAlbum(with other: Track) -> Bool {
        if location.path == other.location.path { return true }
        guard let album = tags.album, album == other.tags.album else { return false }
        let isBySame = !tags.albumArtists.isEmpty && tags.albumArtists == other.tags.albumArtists
        return isBySame || location.path.folder == other.location.path.folder
    }
}
