package import Music

/// A file to play, and the entry of the queue that it stands for.
package struct DeckTrack: Equatable, Sendable {
    package var id: TrackID
    package var location: TrackLocation

    package init(id: TrackID, location: TrackLocation) {
        self.id = id
        self.location = location
    }
}
