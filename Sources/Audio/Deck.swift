package import EventLoop
package import Music

/// What a deck tells its owner, on the loop, never from inside one of the owner's own calls.
package protocol DeckDelegate: AnyObject {
    /// The track is heard now: the loaded one, or the one that was to follow (`isContinuation`).
    func deckBegan(_ track: TrackID, isContinuation: Bool)
    /// The position was worked out anew: about once a second while sound is heard.
    func deckProgressed()
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

/// Plays one track and then what follows it: the decoder thread, the pipe and the output as one thing.
///
/// What it says is what is heard, not what is decoded. On the loop only; no call waits.
package final class Deck {
    package weak var delegate: (any DeckDelegate)?

    private let output: any AudioOutput
    private let pipe = AudioPipe()
    private let thread: DecoderThread
    private let now: () -> Instant
    /// Runs out when the next track is heard.
    private let boundary: Timer
    /// Runs out at once: what must not be done while the output asks for samples is done then.
    private let attention: Timer

    private var generation: UInt64 = 0
    private var loaded: Loaded?
    /// The format of the open stream, `nil` without one.
    private var format: StreamFormat?
    /// What the stream holds since it was opened or flushed.
    private var timeline: HeardTimeline?
    /// Whether what comes out of the pipe answers an order that has been replaced.
    private var isStale = true
    private var draining = Draining.no

    private enum Draining {
        case no
        /// Nothing follows.
        case toTheEnd
        /// What follows needs a stream of another format.
        case toReopen
    }

    private struct Loaded {
        /// The track that is heard, or about to be.
        var track: DeckTrack
        /// Where it is before the first sample is heard.
        var start: TrackTime
        var isPaused: Bool
        /// What was said to follow it; `nil` until something was.
        var following: Following?
        /// The serial number of the track's own sound, before anything that follows it.
        var serial: UInt64?
        /// The serial number of the sound last told to the delegate.
        var heardSerial: UInt64?
    }

    private struct Following: Equatable {
        var track: DeckTrack?
    }

    /// Starts the decoder thread; `now` is the clock that the output's instants are of.
    package init(
        loop: EventLoop,
        output: any AudioOutput,
        open: @escaping OpenDecoder,
        now: @escaping () -> Instant = Instant.now
    ) throws(EventLoopError) {
        // The callbacks are needed before the deck that they call exists.
        final class Later { weak var deck: Deck? }
        let later = Later()
        self.output = output
        self.now = now
        boundary = loop.timer { later.deck?.tellWhatIsHeard() }
        attention = loop.timer { later.deck?.attend() }
        let events = try loop.mailbox { (event: DecoderEvent) in later.deck?.handle(event) }
        thread = try DecoderThread(pipe: pipe, open: open, events: events)
        later.deck = self
        output.source = self
    }

    /// Ends the stream and the decoder thread; the deck is of no use afterwards.
    package func end() {
        unload()
        thread.end()
    }

    // MARK: What the owner asks for

    /// Plays `track` from `start` in place of whatever is on the deck, which is silent at once.
    package func load(_ track: DeckTrack, at start: TrackTime, isPaused: Bool) {
        clear()
        loaded = Loaded(track: track, start: start, isPaused: isPaused)
        thread.perform(DecoderOrder(generation: generation, track: track, start: start))
        if format != nil {
            output.cut()
            output.setPaused(isPaused)
        }
        attend()
    }

    /// Takes the track off and ends the stream.
    package func unload() {
        guard loaded != nil || format != nil else { return }
        clear()
        format = nil
        thread.perform(DecoderOrder(generation: generation))
        output.close()
    }

    /// Holds the sound or lets it go on, at once.
    package func setPaused(_ isPaused: Bool) {
        guard loaded != nil, loaded?.isPaused != isPaused else { return }
        loaded?.isPaused = isPaused
        if isPaused {
            timeline?.freeze(at: now())
            boundary.stop()
        }
        output.setPaused(isPaused)
    }

    /// Says what is heard after the track on the deck, `nil` for nothing; may change at any time.
    ///
    /// Where something else is on its way already, it is thrown away, and the track goes on from where it is heard.
    package func setFollowing(_ track: DeckTrack?) {
        guard let loaded, loaded.following != Following(track: track) else { return }
        self.loaded?.following = Following(track: track)
        if let ahead = timeline?.last, ahead.serial != loaded.serial, ahead.track != track {
            replaceWhatIsAhead(by: track)
        } else {
            thread.setFollowing(DecoderFollowing(after: loaded.track.id, track: track))
        }
    }

    /// Where in its track the sound is that is heard now; 0 without a track.
    package var position: TrackTime {
        guard let loaded else { return .zero }
        return timeline?.place(at: now()) ?? loaded.start
    }

    /// The volume of the stream, as ``AudioOutput/volume``.
    package var volume: Double? {
        get { output.volume }
        set { output.volume = newValue }
    }

    // MARK: What happens

    /// Forgets the track and all that answers it, now or later.
    private func clear() {
        generation += 1
        loaded = nil
        timeline = nil
        isStale = true
        draining = .no
        boundary.stop()
        attention.stop()
    }

    /// Goes on from where the track is heard, since what is prepared behind it is not wanted.
    private func replaceWhatIsAhead(by track: DeckTrack?) {
        guard let loaded else { return }
        load(loaded.track, at: position, isPaused: loaded.isPaused)
        setFollowing(track)
    }

    private func handle(_ event: DecoderEvent) {
        switch event {
        case .hasSound:
            attend()
        case .failed(let track, let error, generation):
            if loaded?.following?.track?.id == track { loaded?.following = nil }
            delegate?.deckFailed(track, error)
        case .damaged(let track, let error):
            delegate?.deckDamaged(track, error)
        case .failed:
            break
        }
    }

    /// Does what the pipe's next mark or sample calls for.
    private func attend() {
        guard let loaded else { return }
        switch front() {
        case .nothing:
            break
        case .samples:
            output.sourceHasSound()
        case .otherFormat(let other):
            if timeline == nil {
                format = other
                output.open(other, paused: loaded.isPaused)
            } else if draining != .toReopen {
                draining = .toReopen
                output.drain()
            }
        case .unwanted:
            replaceWhatIsAhead(by: loaded.following?.track)
        case .end:
            pipe.passMark()
            draining = .toTheEnd
            if format == nil { outputDrained() } else { output.drain() }
            // More may come all the same, and must be told of.
            attend()
        }
    }

    /// What comes next out of the pipe for the stream that is open.
    private enum Front {
        case nothing
        case samples
        case otherFormat(StreamFormat)
        /// The decoder has gone on to something that is not to follow any more.
        case unwanted
        case end
    }

    /// Passes what is stale and the marks that the open stream can take, as far as the next sample.
    private func front() -> Front {
        while true {
            if let mark = pipe.nextMark() {
                isStale = mark.generation != generation
                if !isStale {
                    guard case .sound(let track, let serial, let place, let markFormat) = mark.kind else {
                        return .end
                    }
                    guard isWanted(track, serial: serial) else { return .unwanted }
                    guard markFormat == format else { return .otherFormat(markFormat) }
                    begin(track, serial: serial, at: place, rate: markFormat.rate)
                }
                pipe.passMark()
            } else if isStale, pipe.skip() > 0 {
                continue
            } else if pipe.hasSamples {
                return .samples
            } else if pipe.waitForSound() {
                wakeWriter()
                return .nothing
            }
        }
    }

    private func isWanted(_ track: DeckTrack, serial: UInt64) -> Bool {
        guard let loaded, let own = loaded.serial, serial != own else { return true }
        return loaded.following == nil || loaded.following?.track == track
    }

    private func begin(_ track: DeckTrack, serial: UInt64, at place: TrackTime, rate: Int32) {
        draining = .no
        if loaded?.serial == nil { loaded?.serial = serial }
        if timeline == nil { timeline = HeardTimeline(rate: rate) }
        timeline?.begin(track, serial: serial, at: place)
    }

    private func wakeWriter() {
        if pipe.takeWriterWaits() { thread.wake() }
    }

    /// Tells the delegate when another stretch of sound is heard than before, and waits for the next.
    private func tellWhatIsHeard() {
        let now = now()
        guard timeline?.isHeard(at: now) == true, let segment = timeline?.passSegments(at: now) else {
            return
        }
        if let next = timeline?.timeToNextSegment(at: now) { boundary.start(after: next) }
        guard let loaded, segment.serial != loaded.heardSerial else { return }
        let isContinuation = segment.serial != loaded.serial
        self.loaded?.heardSerial = segment.serial
        if isContinuation {
            self.loaded?.track = segment.track
            self.loaded?.serial = segment.serial
            self.loaded?.following = nil
        }
        delegate?.deckBegan(segment.track.id, isContinuation: isContinuation)
    }
}

extension Deck: OutputSource {
    package func fill(_ samples: UnsafeMutableBufferPointer<Float>) -> Int {
        guard let format, loaded != nil else { return 0 }
        let channels = Int(format.channels)
        let room = samples.count / channels * channels
        var filled = 0
        filling: while filled < room {
            switch front() {
            case .samples:
                let count = pipe.read(into: UnsafeMutableBufferPointer(rebasing: samples[filled..<room]))
                timeline?.hand(over: Int64(count / channels))
                filled += count
            case .nothing:
                break filling
            case .otherFormat, .unwanted, .end:
                attention.start(after: .zero)
                break filling
            }
        }
        wakeWriter()
        return filled
    }

    package func outputTimed(unheard: Int64, at instant: Instant, isAdvancing: Bool) {
        guard let loaded else { return }
        timeline?.sync(unheard: unheard, at: instant, isAdvancing: isAdvancing && !loaded.isPaused)
        tellWhatIsHeard()
        delegate?.deckProgressed()
    }

    package func outputDrained() {
        switch draining {
        case .no:
            break
        case .toReopen:
            draining = .no
            let place = position
            loaded?.start = place
            timeline = nil
            attention.start(after: .zero)
        case .toTheEnd:
            draining = .no
            tellWhatIsHeard()
            delegate?.deckEnded()
        }
    }

    package func outputVolumeChanged(_ volume: Double) {
        delegate?.deckVolumeChanged(volume)
    }

    package func outputLost(_ loss: OutputLoss) {
        let place = position
        clear()
        format = nil
        thread.perform(DecoderOrder(generation: generation))
        delegate?.deckLostOutput(loss, at: place)
    }

    package func outputReturned() {
        delegate?.deckOutputReturned()
    }
}
