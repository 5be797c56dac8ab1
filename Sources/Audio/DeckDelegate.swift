package import Music

/// What a deck tells its owner, on the loop, never from inside one of the owner's own calls.
package protocol DeckDelegate: AnyObject {
    /// The track is heard now: the loaded one, or the one that was to follow (`isContinuation`).
    func deckBegan(_ track: TrackID, isContinuation: Bool)
    /// The position was worked out anew: about once a second while sound is heard.
    func deckProgressed()
    /// The sound goes on after it stood still because nothing came: a clock that ran on meanwhile is wrong.
    func deckWentOn()
    /// The last track has been heard to its end and nothing followed it.
    func deckEnded()
    /// A track that was loaded or was to follow does not play.
    func deckFailed(_ track: TrackID, _ error: DecoderError)
    /// A track is broken and ends early.
    func deckDamaged(_ track: TrackID, _ error: DecoderError)
    /// The stream is gone and the deck is empty; the track had come as far as `place`.
    func deckLostOutput(_ loss: OutputLoss, at place: TrackTime)
    /// After a loss for a moment: the same device is there again.
    func deckOutputReturned()
    /// Somebody else set the volume, 0 to 1.
    func deckVolumeChanged(_ volume: Double)
}
