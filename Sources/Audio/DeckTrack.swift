package import Music

/// What is to be played, and the entry of the queue that it stands for.
package struct DeckTrack: Sendable {
    package var id: TrackID
    package var location: TrackLocation
    /// What its loudness is brought in line with.
    package var gain: GainKind

    package init(id: TrackID, location: TrackLocation, gain: GainKind = .album) {
        self.id = id
        self.location = location
        self.gain = gain
    }
}

extension DeckTrack: Equatable {
    /// By their ids: an entry stays the same track when its file is moved while it plays.
    package static func == (left: DeckTrack, right: DeckTrack) -> Bool { left.id == right.id }
}
