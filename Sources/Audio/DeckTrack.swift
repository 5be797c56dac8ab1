package import Music

/// A file to play, and the entry of the queue that it stands for.
package struct DeckTrack: Equatable, Sendable {
    package var id: TrackID
    package var path: FilePath

    package init(id: TrackID, path: FilePath) {
        self.id = id
        self.path = path
    }
}
