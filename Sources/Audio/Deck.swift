package import EventLoop
package import Music

/// Plays one track and then what follows it: the decoder thread, the pipe and the output as one thing.
///
/// What it says is what is heard, not what is decoded. On the loop only; no call waits.
package final class Deck {
    package weak var delegate: (any DeckDelegate)?

    private let output: any AudioOutput
    private var pipe: PipeReader
    private var thread: DecoderThread
    /// Gives another thread of the same kind, for when this one hangs in a file.
    private let startThread: () throws(EventLoopError) -> DecoderThread
    /// Threads that hang in files.
    private var abandoned: [DecoderThread] = []
    /// Runs out when the thread should have begun what it was told.
    private let slowness: Timer
    private let now: () -> Instant
    /// Runs out when the next track is heard.
    private let boundary: Timer
    /// Runs out at once: what must not be done while the output asks for samples is done then.
    private let attention: Timer

    /// The number of the last wish.
    private var wishes: WishNumber = 0
    /// The number of the one by which all before it are forgotten.
    private var order: WishNumber = 0
    private var loaded: LoadedTrack?
    /// The format of the open stream, `nil` without one.
    private var format: StreamFormat?
    /// What the stream holds since it was opened or cut.
    private var timeline: HeardTimeline?
    private var draining = Draining.no
    private var fade: SlowFade?
    /// Whether the output holds sound that was made softer.
    private var holdsFaded = false

    /// A thread that is at work looks at its orders within a small part of this.
    private static let longestHang = TrackTime.seconds(0.5)
    /// A disk on which so many threads hang is of no use to one more.
    private static let mostAbandoned = 3

    private enum Draining {
        case no
        /// Nothing follows.
        case toTheEnd
        /// What follows needs a stream of another format.
        case toReopen
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
        slowness = loop.timer { later.deck?.replaceHangingThread() }
        let events = try loop.mailbox { (event: DecoderEvent) in later.deck?.handle(event) }
        let startThread = { () throws(EventLoopError) in
            try DecoderThread(pipe: AudioPipe(), open: open, events: events)
        }
        self.startThread = startThread
        thread = try startThread()
        pipe = PipeReader(thread.pipe)
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
        loaded = LoadedTrack(track, wish: wishes, start: start, isPaused: isPaused)
        thread.perform(DecoderOrder(wish: wishes, track: track, start: start))
        slowness.start(after: Self.longestHang)
        if format != nil {
            output.cut(beginsInMidWave: start > .zero)
            output.setPaused(isPaused)
        }
        attend()
    }

    /// Takes the track off and ends the stream.
    package func unload() {
        guard loaded != nil || format != nil else { return }
        clear()
        format = nil
        thread.perform(DecoderOrder(wish: wishes))
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

    /// Has the sound grow softer so that nothing is heard at `end` any more; `nil` has it be as loud as it is.
    package func fadeOut(until end: Instant?) {
        fade = end.map { SlowFade(until: $0, from: now()) }
        guard holdsFaded else { return }
        // What is on its way grows softer towards another moment.
        tellWhatIsHeard()
        guard let loaded else { return }
        load(loaded.track, at: position, isPaused: loaded.isPaused)
        if let following = loaded.following { setFollowing(following.track, overlap: following.overlap) }
    }

    /// Says what is heard after the track on the deck, `nil` for nothing, and where it begins over its end.
    ///
    /// May change at any time: what is on its way behind the track is taken back, and heard is what would have been if
    /// this had been said before. Only an overlap whose place is decoded already comes too late, and the one follows
    /// the other. Where the output cannot take it back any more, the track goes on from where it is heard.
    package func setFollowing(_ track: DeckTrack?, overlap: Overlap? = nil) {
        guard let loaded, needsChange(of: loaded.following, to: track, overlap) else { return }
        // It is about to be told that this track is over.
        if isOver(loaded) { return boundary.start(after: .zero) }
        wishes += 1
        self.loaded?.following = LoadedTrack.Following(wish: wishes, track: track, overlap: overlap)
        thread.setFollowing(
            DecoderFollowing(wish: wishes, after: loaded.wish, track: track, overlap: overlap)
        )
        guard takeBack(behind: loaded) else {
            load(loaded.track, at: position, isPaused: loaded.isPaused)
            return setFollowing(track, overlap: overlap)
        }
        attend()
    }

    /// Where in its track the sound is that is heard now; 0 without a track.
    package var position: TrackTime {
        guard let loaded else { return .zero }
        let now = now()
        // What follows in a stream of its own is not heard yet when that is opened.
        guard timeline?.first?.serial == loaded.wish || timeline?.isHeard(at: now) == true else {
            return loaded.start
        }
        return timeline?.place(at: now) ?? loaded.start
    }

    /// The volume of the stream, as ``AudioOutput/volume``.
    package var volume: Double? {
        get { output.volume }
        set { output.volume = newValue }
    }

    // MARK: What is not wanted any more

    /// Forgets the track and all that answers it, now or later.
    private func clear() {
        wishes += 1
        order = wishes
        loaded = nil
        timeline = nil
        draining = .no
        holdsFaded = false
        pipe.skipToNextMark()
        boundary.stop()
        attention.stop()
    }

    private func needsChange(
        of former: LoadedTrack.Following?,
        to track: DeckTrack?,
        _ overlap: Overlap?
    ) -> Bool {
        guard let former, former.track == track else { return true }
        // Where the end has been handed over already, it is too late for an overlap.
        return former.overlap != overlap && draining == .no && timeline?.last?.serial != former.wish
    }

    /// Whether what follows it is heard already, of which the delegate has not been told yet.
    private func isOver(_ loaded: LoadedTrack) -> Bool {
        let now = now()
        guard timeline?.isHeard(at: now) == true, let heard = timeline?.passSegments(at: now) else {
            return false
        }
        return heard.serial != loaded.wish
    }

    /// Takes back from the output what was handed behind the end of the track; `false` where it is too late for that.
    private func takeBack(behind loaded: LoadedTrack) -> Bool {
        let former = timeline
        let frames = timeline?.takeBack(behind: loaded.wish)
        if frames != nil { pipe.skipToNextMark() }
        let isDraining = draining != .no && !isAtOtherFormat
        if isDraining { draining = .no }
        guard let frames, frames > 0 else {
            // What comes now follows without a gap, if it comes in time.
            if isDraining { _ = output.takeBack(0) }
            return true
        }
        if output.takeBack(frames) { return true }
        timeline = former
        return false
    }

    /// Whether the stream still has to be opened anew for what comes next.
    private var isAtOtherFormat: Bool {
        if case .otherFormat = front() { true } else { false }
    }

    // MARK: What happens

    private func handle(_ event: DecoderEvent) {
        switch event {
        case .hasSound:
            attend()
        case .damaged(let track, let error, let wish):
            // Of a thread that was left in a file, or of a track that is off the deck, nobody wants to know.
            guard wish >= order else { return }
            delegate?.deckDamaged(track, error)
        case .failed(let track, let error, let wish):
            guard let loaded, loaded.wants(wish) else { return }
            if wish == loaded.following?.wish { self.loaded?.following = nil }
            delegate?.deckFailed(track, error)
        }
    }

    /// Has another thread do what this one has not even looked at, since it hangs in a file.
    private func replaceHangingThread() {
        abandoned.removeAll { $0.joinIfEnded() }
        guard thread.isBehind, abandoned.count < Self.mostAbandoned, let fresh = try? startThread() else {
            return
        }
        fresh.take(thread.abandon())
        abandoned.append(thread)
        thread = fresh
        pipe = PipeReader(fresh.pipe)
        attend()
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
                // What was heard in another format up to here goes on, and a load goes where it was sent.
                let beginsInMidWave = !loaded.isTold && loaded.start > .zero
                output.open(other, paused: loaded.isPaused, beginsInMidWave: beginsInMidWave)
            } else if draining != .toReopen {
                draining = .toReopen
                output.prepare(other)
                output.drain()
            }
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
        case end
    }

    /// Passes the marks that the open stream can take, as far as the next sample.
    private func front() -> Front {
        while let loaded {
            switch pipe.front(wanted: loaded.wants) {
            case .nothing:
                wakeWriter()
                return .nothing
            case .samples:
                return .samples
            case .mark(let mark):
                guard case .sound(let track, let place, let markFormat) = mark.kind else { return .end }
                guard markFormat == format else { return .otherFormat(markFormat) }
                draining = .no
                if timeline == nil { timeline = HeardTimeline(rate: markFormat.rate) }
                timeline?.begin(track, serial: mark.wish, at: place)
                pipe.passMark()
            }
        }
        return .nothing
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
        guard let isContinuation = loaded?.hear(segment) else { return }
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
                soften(UnsafeMutableBufferPointer(rebasing: samples[filled..<filled + count]), format)
                timeline?.hand(over: Int64(count / channels))
                filled += count
            case .nothing:
                break filling
            case .otherFormat, .end:
                attention.start(after: .zero)
                break filling
            }
        }
        wakeWriter()
        return filled
    }

    /// Makes what is handed over next as loud as it is to be when it is heard.
    private func soften(_ samples: UnsafeMutableBufferPointer<Float>, _ format: StreamFormat) {
        guard let fade, let heard = timeline?.timeOfNextFrame(at: now()) else { return }
        if fade.apply(to: samples, format: format, heardFrom: heard) { holdsFaded = true }
    }

    package func outputTimed(unheard: Int64, at instant: Instant, isAdvancing: Bool) {
        guard let loaded else { return }
        let isAdvancing = isAdvancing && !loaded.isPaused
        let wentOn = timeline?.sync(unheard: unheard, at: instant, isAdvancing: isAdvancing) == true
        tellWhatIsHeard()
        if wentOn { delegate?.deckWentOn() }
        delegate?.deckProgressed()
    }

    package func outputDrained() {
        switch draining {
        case .no:
            break
        case .toReopen:
            tellWhatIsHeard()
            guard draining == .toReopen else { return }
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
        if let instant = loss.heardUntil { timeline?.hold(at: instant) }
        let place = position
        clear()
        format = nil
        thread.perform(DecoderOrder(wish: wishes))
        delegate?.deckLostOutput(loss, at: place)
    }

    package func outputReturned() {
        delegate?.deckOutputReturned()
    }
}
