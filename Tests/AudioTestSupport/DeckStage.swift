package import Audio
package import EventLoop
package import Music

/// A deck with its real thread and pipe, made-up files, and an output whose clock the test moves.
package final class DeckStage: DeckDelegate {
    package let loop: EventLoop
    package let output = SimulatedOutput()
    package let deck: Deck
    /// What the deck told, in words.
    package private(set) var log: [String] = []

    package init(open: @escaping OpenDecoder = ScriptedDecoder.open) throws {
        loop = try EventLoop()
        let output = output
        deck = try Deck(loop: loop, output: output, open: open, now: { output.now })
        deck.delegate = self
    }

    package static func track(
        _ number: Int,
        frames: Int64,
        rate: Int32 = 1000,
        breaksAt: Int64? = nil,
        changesAt: Int64? = nil
    ) -> DeckTrack {
        let script = ScriptedDecoder.Script(
            number: number,
            frames: frames,
            rate: rate,
            breaksAt: breaksAt,
            changesAt: changesAt
        )
        return DeckTrack(id: TrackID(UInt64(number)), location: script.location)
    }

    /// Waits until the output holds all that it can, or all that there is.
    package func fill() -> Bool {
        loop.run(until: { isFull })
    }

    /// Plays on, and so that nothing comes too late, until something has been told.
    package func play(until told: String) -> Bool {
        loop.run(until: { log.contains(told) }) {
            guard isFull else { return false }
            return output.playALittle()
        }
    }

    private var isFull: Bool {
        guard output.isOpen, let format = output.opened.last else { return false }
        return output.isDraining || output.heldFrames == Int(format.rate)
    }

    package func deckBegan(_ track: TrackID, isContinuation: Bool) {
        log.append((isContinuation ? "on to " : "began ") + "\(track.number)")
    }

    package func deckProgressed() {}
    package func deckWentOn() { log.append("went on") }

    package func deckEnded() { log.append("ended") }

    package func deckFailed(_ track: TrackID, _ error: DecoderError) { log.append("failed \(track.number)") }

    package func deckDamaged(_ track: TrackID, _ error: DecoderError) {
        log.append("damaged \(track.number)")
    }

    package func deckLostOutput(_ loss: OutputLoss, at place: TrackTime) {
        log.append("lost at \(place.microseconds)")
    }

    package func deckOutputReturned() { log.append("returned") }

    package func deckVolumeChanged(_ volume: Double) { log.append("volume \(volume)") }
}
