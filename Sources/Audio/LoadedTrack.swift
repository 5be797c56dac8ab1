import Music

/// The track on the deck, and what was said to follow it.
struct LoadedTrack {
    /// What is to be heard behind the track: another or nothing.
    struct Following {
        var wish: WishNumber
        var track: DeckTrack?
        var overlap: Overlap?
    }

    /// The track that is heard, or about to be.
    private(set) var track: DeckTrack
    /// The wish that its sound answers.
    private(set) var wish: WishNumber
    /// Where it is before the first sample is heard.
    var start: TrackTime
    var isPaused: Bool
    /// `nil` until something was said, and when that did not play.
    var following: Following?
    /// Whether anybody knows that it is heard.
    private(set) var isTold = false

    init(_ track: DeckTrack, wish: WishNumber, start: TrackTime, isPaused: Bool) {
        self.track = track
        self.wish = wish
        self.start = start
        self.isPaused = isPaused
    }

    /// Whether what answers a wish is to be heard, now or behind the track.
    func wants(_ wish: WishNumber) -> Bool {
        wish == self.wish || wish == following?.wish
    }

    /// Takes in that `segment` is heard; `nil` where that is nothing new, else whether it has followed the track.
    mutating func hear(_ segment: HeardTimeline.Segment) -> Bool? {
        let isContinuation = segment.serial != wish
        guard isContinuation || !isTold else { return nil }
        isTold = true
        if isContinuation {
            track = segment.track
            wish = segment.serial
            following = nil
        }
        return isContinuation
    }
}
