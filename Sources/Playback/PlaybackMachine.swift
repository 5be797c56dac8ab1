package import Music

/// What is playing, decided without threads, files or clocks: a command or event in, a new state and actions out.
package struct PlaybackMachine: Equatable, Sendable {
    /// Where the current track stands.
    package enum State: Equatable, Sendable {
        case stopped
        /// Paused with nothing on the deck: playing goes on from this place.
        case resting(at: TrackTime)
        /// Paused with the sound on the deck, ready to go on.
        case held
        case playing
    }

    /// What the player does to the deck.
    package enum Action: Equatable, Sendable {
        /// Puts the track on the deck and plays it from this place.
        case load(QueueEntry, at: TrackTime)
        case setPaused(Bool)
        case unload
    }

    /// What is known at the moment of a command of the sound itself.
    package struct Heard: Equatable, Sendable {
        package var position: TrackTime
        package var length: TrackTime?

        package init(position: TrackTime, length: TrackTime?) {
            self.position = position
            self.length = length
        }
    }

    /// What happened without having been asked for.
    package enum Event: Equatable, Sendable {
        /// A track is heard that was loaded or followed the one before.
        case began(TrackID, isContinuation: Bool)
        /// The last track has been heard to its end.
        case ended
        /// A track does not play.
        case failed(TrackID)
        /// There is no sound any more; the track had come as far as this.
        case lostOutput(at: TrackTime, mayReturn: Bool)
        /// After a loss for a moment there can be sound again, where it was heard before.
        case outputReturned
        /// The sound stood still for a while although nobody wanted that, or is not where clocks believe it to be.
        case wentOn
        /// The sleep timer has run out, at this place in the track, and nothing is heard any more.
        case fellAsleep(at: TrackTime)
    }

    package private(set) var queue: PlayQueue
    package private(set) var state = State.stopped
    package private(set) var loop = LoopMode.playlist
    /// What a shuffle keeps together when there is one.
    package private(set) var shuffleKind = ShuffleKind.tracks
    /// Whether the end of the current track is the end, once.
    package private(set) var stopsAfterCurrent = false
    /// How often the position has jumped within a track.
    package private(set) var jumps: UInt64 = 0
    /// Entries that did not play since something last did; they are passed over.
    private var skipped: Set<TrackID> = []
    /// The entry that was current when the first of them did not play.
    private var skippedFrom: TrackID?
    private var isGoingBack = false
    /// Whether playing goes on by itself as soon as there can be sound again: nobody has wanted anything else since.
    package private(set) var awaitsOutput = false
    /// The current entry as a former process has left it, until it is played or another is current.
    private var restored: TrackID?
    /// What has become of the queue since ``takeEdits()``.
    private var unsaved: [QueueEdit] = []

    /// A track that has played for longer is begun again by Previous; 0 for never.
    private let previousRestartsAfter: TrackTime

    /// So many entries in a row that do not play are a disk that is away; the next thousand will not play either.
    private static let mostSkipped = 1000

    package init(seed: UInt64, previousRestartsAfter: TrackTime = .zero) {
        queue = PlayQueue(seed: seed)
        self.previousRestartsAfter = previousRestartsAfter
    }

    /// Takes up what a former process has left; nothing sounds until it is asked for (C263 to C265).
    package mutating func restore(_ former: RestoredPlayback) {
        queue = former.queue
        restored = queue.current?.id
        loop = former.modes.loop
        shuffleKind = former.modes.shuffleKind
        stopsAfterCurrent = former.modes.stopsAfterCurrent
        state = queue.current == nil || former.modes.isStopped ? .stopped : .resting(at: former.place)
    }

    /// The edits since this was last asked, in order.
    package mutating func takeEdits() -> [QueueEdit] {
        defer { unsaved = [] }
        return unsaved
    }

    package var status: PlaybackStatus {
        switch state {
        case .stopped: .stopped
        case .resting, .held: .paused
        case .playing: .playing
        }
    }

    package var isShuffled: Bool { queue.shuffleKind != nil }

    /// Next and Previous wrap round the ends, as under Track, which concerns only the end of a track (C021, C126).
    private var isWrapping: Bool { loop != .none }

    package var canGoNext: Bool { queue.following(wrapping: isWrapping, skipping: skipped) != nil }

    package var canGoPrevious: Bool { queue.preceding(wrapping: isWrapping, skipping: skipped) != nil }

    /// What is heard when the current track ends by itself.
    package var following: QueueEntry? {
        if stopsAfterCurrent { return nil }
        if loop == .track, let current = queue.current, !skipped.contains(current.id) { return current }
        return queue.following(wrapping: isWrapping, skipping: skipped)
    }

    /// The entries that a Next, a Previous or the track's end would make current: behind the last one the first, also where
    /// nothing is repeated, since the queue comes to rest there.
    package var neighbours: [QueueEntry] {
        [following, queue.following(wrapping: true), queue.preceding(wrapping: isWrapping)].compactMap {
            $0
        }
    }

    // MARK: The queue

    /// A new queue, at rest at its first track; nothing sounds until it is asked for.
    package mutating func replaceQueue(with tracks: [TrackLocation]) -> [Action] {
        edit(.replace(tracks))
        forgetSkipped()
        awaitsOutput = false
        state = queue.current == nil ? .stopped : .resting(at: .zero)
        return [.unload]
    }

    /// A new queue, played from its first track; where there is nothing in it the old one stays.
    package mutating func play(_ tracks: [TrackLocation]) -> [Action] {
        guard !tracks.isEmpty else { return [] }
        _ = replaceQueue(with: tracks)
        // Shuffled music does not always begin with the same song (C124).
        if isShuffled { edit(.rewind) }
        isGoingBack = false
        return play(at: .zero)
    }

    /// Plays `tracks` now, behind what was current.
    package mutating func open(_ tracks: [TrackLocation]) -> [Action] {
        guard !tracks.isEmpty else { return [] }
        let place = queue.currentIndex.map { $0 + 1 } ?? 0
        edit(.insert(tracks, at: place))
        edit(.jump(to: queue[place].id))
        isGoingBack = false
        return play(at: .zero)
    }

    /// Puts tracks into the queue; what plays plays on.
    package mutating func insert(_ tracks: [TrackLocation], at place: QueuePlace) -> [Action] {
        guard !tracks.isEmpty else { return [] }
        switch place {
        case .end: edit(.append(tracks))
        case .start, .next, .after: edit(.insert(tracks, at: index(of: place)))
        }
        return []
    }

    /// Where in the list a new entry would stand that is put at `place`.
    package func index(of place: QueuePlace) -> Int {
        switch place {
        case .start: 0
        case .end: queue.count
        case .next: queue.currentIndex.map { $0 + 1 } ?? 0
        case .after(let id): queue.index(of: id).map { $0 + 1 } ?? queue.count
        }
    }

    /// A file or folder is elsewhere now (C233).
    package mutating func relocate(from old: FilePath, to new: FilePath) -> [Action] {
        edit(.relocate(from: old, to: new))
        return []
    }

    private mutating func remove(_ ids: [TrackID]) -> [Action] {
        let former = queue.current?.id
        edit(.remove(ids))
        guard queue.current?.id != former else { return [] }
        guard queue.current != nil else { return empty() }
        isGoingBack = false
        return begin(at: .zero)
    }

    private mutating func clear() -> [Action] {
        edit(.replace([]))
        return empty()
    }

    private mutating func empty() -> [Action] {
        awaitsOutput = false
        state = .stopped
        forgetSkipped()
        return [.unload]
    }

    /// Changes the queue, and remembers that for who keeps it.
    private mutating func edit(_ edit: QueueEdit) {
        queue.apply(edit)
        unsaved.append(edit)
    }

    /// Makes what follows current; returns whether there was something.
    private mutating func goForward() -> Bool {
        guard let next = queue.following(wrapping: isWrapping, skipping: skipped) else { return false }
        edit(.goForward(to: next.id))
        return true
    }

    /// Makes what precedes current; returns whether there was something.
    private mutating func goBack() -> Bool {
        guard let former = queue.preceding(wrapping: isWrapping, skipping: skipped) else { return false }
        edit(.goBack(to: former.id))
        return true
    }

    // MARK: Commands

    package mutating func perform(_ command: PlayerCommand, heard: Heard) -> [Action] {
        switch command {
        case .play: play()
        case .pause: pause()
        case .playPause: state == .playing ? pause() : play()
        case .stop: stop()
        case .next: next()
        case .previous: previous(heard)
        case .seek(let offset): seek(to: max(.zero, heard.position + offset), heard, isNextBeyondEnd: true)
        case .setPosition(let id, let place):
            id == queue.current?.id && place >= .zero ? seek(to: place, heard, isNextBeyondEnd: false) : []
        case .setLoop(let mode): set { $0.loop = mode }
        case .setShuffle(let isShuffled): set { $0.edit(.shuffle(isShuffled ? $0.shuffleKind : nil)) }
        case .setShuffleKind(let kind): setShuffleKind(kind)
        case .setStopsAfterCurrent(let stops): set { $0.stopsAfterCurrent = stops }
        case .goTo(let id): goTo(id)
        case .remove(let ids): remove(ids)
        case .move(let ids, let after): set { $0.edit(.move(ids, after: after)) }
        case .clear: clear()
        case .setVolume, .sleep: []
        }
    }

    private mutating func set(_ change: (inout Self) -> Void) -> [Action] {
        change(&self)
        return []
    }

    private mutating func setShuffleKind(_ kind: ShuffleKind) -> [Action] {
        shuffleKind = kind
        if isShuffled { edit(.shuffle(kind)) }
        return []
    }

    private mutating func goTo(_ id: TrackID) -> [Action] {
        guard queue.index(of: id) != nil else { return [] }
        if id == queue.current?.id { jumps += 1 } else { edit(.jump(to: id)) }
        isGoingBack = false
        return play(at: .zero)
    }

    private mutating func play() -> [Action] {
        switch state {
        case .playing:
            return []
        case .held:
            state = .playing
            return [.setPaused(false)]
        case .resting(let place):
            return play(at: place)
        case .stopped:
            return play(at: .zero)
        }
    }

    private mutating func play(at place: TrackTime) -> [Action] {
        guard let current = queue.current else { return [] }
        restored = nil
        awaitsOutput = false
        state = .playing
        return [.load(current, at: place)]
    }

    private mutating func pause() -> [Action] {
        awaitsOutput = false
        guard state == .playing else { return [] }
        state = .held
        return [.setPaused(true)]
    }

    private mutating func stop() -> [Action] {
        awaitsOutput = false
        guard state != .stopped else { return [] }
        state = .stopped
        return [.unload]
    }

    private mutating func next() -> [Action] {
        isGoingBack = false
        return move { $0.goForward() }
    }

    private mutating func previous(_ heard: Heard) -> [Action] {
        if previousRestartsAfter > .zero, state != .stopped, heard.position > previousRestartsAfter {
            jumps += 1
            return begin(at: .zero)
        }
        isGoingBack = true
        return move { $0.goBack() }
    }

    /// Makes another entry current; playing goes on with it, paused stays paused and stopped stopped (C005).
    private mutating func move(_ step: (inout Self) -> Bool) -> [Action] {
        let former = queue.current?.id
        guard step(&self) else { return [] }
        restored = nil
        if queue.current?.id == former, state != .stopped { jumps += 1 }
        return begin(at: .zero)
    }

    /// The current track from `place`, in the state that there was.
    private mutating func begin(at place: TrackTime) -> [Action] {
        switch state {
        case .stopped:
            return []
        case .resting, .held:
            state = .resting(at: place)
            return [.unload]
        case .playing:
            return play(at: place)
        }
    }

    private mutating func seek(to place: TrackTime, _ heard: Heard, isNextBeyondEnd: Bool) -> [Action] {
        guard state != .stopped, let length = heard.length else { return [] }
        guard place <= length else { return isNextBeyondEnd ? next() : [] }
        jumps += 1
        return begin(at: place)
    }

    // MARK: Events

    package mutating func handle(_ event: Event) -> [Action] {
        switch event {
        case .began(let id, let isContinuation): began(id, isContinuation: isContinuation)
        case .ended: ended()
        case .failed(let id): failed(id)
        case .lostOutput(let place, let mayReturn): lostOutput(at: place, mayReturn: mayReturn)
        case .outputReturned: outputReturned()
        case .wentOn: set { $0.jumps += 1 }
        case .fellAsleep(let place): fallAsleep(at: place)
        }
    }

    private mutating func began(_ id: TrackID, isContinuation: Bool) -> [Action] {
        if isContinuation {
            if id == queue.current?.id {
                jumps += 1
            } else {
                _ = goForward()
            }
        }
        forgetSkipped()
        isGoingBack = false
        return []
    }

    private mutating func ended() -> [Action] {
        guard state == .playing || state == .held else { return [] }
        let former = queue.current?.id
        let isLast = stopsAfterCurrent
        stopsAfterCurrent = false
        if !isLast, loop == .track, let former, !skipped.contains(former) {
            jumps += 1
            return begin(at: .zero)
        }
        let goesOn = goForward()
        if goesOn, !isLast { return begin(at: .zero) }
        if !goesOn { edit(.rewind) }
        state = .stopped
        forgetSkipped()
        return [.unload]
    }

    private mutating func failed(_ id: TrackID) -> [Action] {
        // No turn has come yet: a disk that is not there now may be when it does.
        guard restored == nil || restored != queue.current?.id else { return [] }
        // Stopped, nobody waits for a song; what was given up must not be taken up again by itself.
        if id == queue.current?.id, state == .stopped { return [] }
        skipped.insert(id)
        guard let current = queue.current?.id, id == current else { return [] }
        skippedFrom = skippedFrom ?? current
        if skipped.count < Self.mostSkipped, isGoingBack ? goBack() : goForward() { return begin(at: .zero) }
        // Nothing is left to try: one round is enough. The place is not lost by it.
        if let skippedFrom, skippedFrom != current { edit(.jump(to: skippedFrom)) }
        state = .stopped
        forgetSkipped()
        return [.unload]
    }

    private mutating func forgetSkipped() {
        skipped = []
        skippedFrom = nil
    }

    private mutating func lostOutput(at place: TrackTime, mayReturn: Bool) -> [Action] {
        guard state == .playing || state == .held else { return [] }
        awaitsOutput = mayReturn && state == .playing
        state = .resting(at: place)
        return []
    }

    /// Paused with nothing on the deck: what lies there has faded and is not what Play should go on with.
    private mutating func fallAsleep(at place: TrackTime) -> [Action] {
        awaitsOutput = false
        guard state == .playing || state == .held else { return [] }
        state = .resting(at: place)
        return [.unload]
    }

    private mutating func outputReturned() -> [Action] {
        guard awaitsOutput, case .resting(let place) = state else { return [] }
        return play(at: place)
    }
}
