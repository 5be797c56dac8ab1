package import Music

/// What is to be played, and the entry of the queue that it stands for.
package struct DeckTrack: Sendable {
    package var id: TrackID
    package var location: TrackLocation

    package init(id: TrackID, location: TrackLocation) {
        self.id = id
        self.location = location
    }
}

extension DeckTrack: Equatable {
    /// By their ids: an entry stays the same track when its file is moved while it plays.
    package static func == (left: DeckTrack, right: DeckTrack) -> Bool { left.id == right.id }
}
