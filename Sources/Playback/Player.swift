package import Audio
package import EventLoop
package import Music

/// The player: the one owner of what is played, in a thin shell round the machine that decides.
///
/// On the loop only. Commands and events go into the machine, its actions go to the deck, and what the views see is
/// made anew after each. A track is shown when all that is shown of it is known, which is normally at once, since the
/// tracks around the current one are read ahead.
package final class Player: PlayerControl {
    /// What is shown now, whole and consistent.
    package private(set) var status = PlayerStatus()

    private var machine: PlaybackMachine
    private let deck: Deck
    private let worker: TrackWorker
    private let report: (String) -> Void
    /// Runs out when the current track has been waited for long enough.
    private let patience: Timer

    /// What is known of the entries around the current one.
    private var tracks: [TrackID: Track] = [:]
    /// What is being read at the moment.
    private var wanted: [TrackID] = []
    /// What was reported not to play and has not played since.
    private var reported: Set<TrackID> = []
    private var volume = 1.0
    private var problem: String?
    /// The position shown while the next track is not known well enough to be shown.
    private var positionWhileWaiting: TrackTime?

    /// The longest time for which a track that is current already is not shown because its file is slow.
    private static let longestWait = TrackTime.seconds(0.25)

    /// Makes a player with an empty queue.
    ///
    /// `seed` decides its shuffles, `now` is the clock that the output's instants are of, and `report` gets one line for
    /// people for each file that does not play.
    package init(
        loop: EventLoop,
        output: any AudioOutput,
        open: @escaping OpenDecoder,
        source: TrackSource,
        seed: UInt64,
        now: @escaping () -> Instant = Instant.now,
        report: @escaping (String) -> Void
    ) throws(EventLoopError) {
        final class Later { weak var player: Player? }
        let later = Later()
        machine = PlaybackMachine(seed: seed)
        deck = try Deck(loop: loop, output: output, open: open, now: now)
        let news = try loop.mailbox { (news: TrackNews) in later.player?.handle(news) }
        worker = try TrackWorker(source: source, news: news)
        patience = loop.timer { later.player?.showWhatIsKnown() }
        self.report = report
        later.player = self
        deck.delegate = self
    }

    /// Ends sound and threads; a file that hangs is waited for.
    package func end() {
        deck.end()
        worker.end()
    }

    /// Whether the current track is shown, or there is none: the state in which a service may show itself (C-2).
    package var isSettled: Bool { !patience.isRunning }

    package var position: TrackTime { positionWhileWaiting ?? truePosition }

    /// Makes `tracks` the queue, at rest at its first track.
    package func replaceQueue(with tracks: [TrackLocation]) {
        update { $0.replaceQueue(with: tracks) }
    }

    package func perform(_ command: PlayerCommand) {
        if case .setVolume(let volume) = command {
            self.volume = min(1, max(0, volume))
            deck.volume = self.volume
        }
        let heard = PlaybackMachine.Heard(position: truePosition, length: length)
        update { $0.perform(command, heard: heard) }
    }

    package func open(_ location: String) throws(OpenError) {
        worker.find(TrackSearch(paths: [try path(of: location)], purpose: .open))
    }

    package func play(_ locations: [String]) throws(OpenError) {
        var paths: [FilePath] = []
        for location in locations { paths.append(try path(of: location)) }
        worker.find(TrackSearch(paths: paths, purpose: .play))
    }

    package func play(_ playlist: PlaylistID, in file: FilePath) {
        worker.find(TrackSearch(paths: [file], purpose: .play))
    }

    package func add(
        _ locations: [String],
        at place: QueuePlace,
        isAdded: @escaping (Int) -> Void
    ) throws(OpenError) {
        isAdded(0)
    }

    package var queue: PlayQueue { machine.queue }

    private func path(of location: String) throws(OpenError) -> FilePath {
        if let scheme = FileURI.scheme(of: location), scheme != "file" {
            throw OpenError("cannot open \(scheme): locations; give a file")
        }
        guard let path = FileURI.decode(location) ?? FilePath(location), path.isAbsolute else {
            throw OpenError("cannot open '\(Text.cleanLine(location))': give a file: URI or an absolute path")
        }
        return path
    }

    // MARK: From decisions to sound and to what is shown

    /// Lets the machine decide, and carries out what it says.
    private func update(_ decide: (inout PlaybackMachine) -> [PlaybackMachine.Action]) {
        let shownPosition = position
        for action in decide(&machine) {
            switch action {
            case .load(let entry, let place):
                problem = nil
                deck.load(DeckTrack(entry), at: place, isPaused: false)
            case .setPaused(let isPaused):
                deck.setPaused(isPaused)
            case .unload:
                deck.unload()
            }
        }
        deck.setFollowing(machine.following.map(DeckTrack.init))
        readAhead()
        show(insteadOf: shownPosition)
    }

    /// Reads what may be shown next, and forgets what is far away.
    private func readAhead() {
        let near = (machine.queue.current.map { [$0] } ?? []) + machine.neighbours
        tracks = tracks.filter { track in near.contains { $0.id == track.key } }
        let missing = near.filter { tracks[$0.id] == nil }
        guard missing.map(\.id) != wanted else { return }
        wanted = missing.map(\.id)
        worker.read(missing)
    }

    /// Makes ``status`` anew; where the current track is not known yet, what was shown stays for a moment.
    private func show(insteadOf shownPosition: TrackTime) {
        guard let current = machine.queue.current, tracks[current.id] == nil else { return showWhatIsKnown() }
        guard !patience.isRunning else { return }
        positionWhileWaiting = shownPosition
        patience.start(after: Self.longestWait)
    }

    private func showWhatIsKnown() {
        patience.stop()
        positionWhileWaiting = nil
        var status = PlayerStatus()
        status.playback = machine.status
        status.loop = machine.loop
        status.isShuffled = machine.isShuffled
        status.volume = volume
        status.current = machine.queue.current.map { entry in
            CurrentTrack(id: entry.id, track: tracks[entry.id] ?? Track(entry.location))
        }
        status.canGoNext = machine.canGoNext
        status.canGoPrevious = machine.canGoPrevious
        status.jumps = machine.jumps
        status.problem = problem
        self.status = status
    }

    private var length: TrackTime? {
        machine.queue.current.flatMap { tracks[$0.id]?.length }
    }

    private var truePosition: TrackTime {
        let position: TrackTime =
            switch machine.state {
            case .stopped: .zero
            case .resting(let place): place
            case .held, .playing: deck.position
            }
        return length.map { min($0, position) } ?? position
    }

    // MARK: What the worker finds out

    private func handle(_ news: TrackNews) {
        switch news {
        case .read(let entry, let result):
            wanted.removeAll { $0 == entry.id }
            switch result {
            case .success(let track):
                tracks[entry.id] = track
                update { _ in [] }
            case .failure(let error):
                // All that will be known of it, so that it is not read again and again.
                tracks[entry.id] = Track(entry.location)
                pass(over: entry.id, because: error.description)
            }
        case .found(let tracks, .open):
            update { $0.open(tracks) }
        case .found(let tracks, .play):
            update { $0.play(tracks) }
        case .unusable(let path, let error):
            report("\(path): \(error)")
        }
    }

    private func pass(over id: TrackID, because reason: String) {
        guard let entry = machine.queue.entry(id) else { return }
        if reported.insert(id).inserted { report("\(entry.location): \(reason); skipped") }
        update { $0.handle(.failed(id)) }
    }
}

extension Player: DeckDelegate {
    package func deckBegan(_ track: TrackID, isContinuation: Bool) {
        reported.remove(track)
        update { $0.handle(.began(track, isContinuation: isContinuation)) }
    }

    package func deckEnded() {
        update { $0.handle(.ended) }
    }

    package func deckFailed(_ track: TrackID, _ error: DecoderError) {
        pass(over: track, because: error.description)
    }

    package func deckDamaged(_ track: TrackID, _ error: DecoderError) {
        guard let entry = machine.queue.entry(track) else { return }
        report("\(entry.location): \(error); the rest of it is left out")
    }

    package func deckLostOutput(_ reason: String, at place: TrackTime) {
        problem = reason
        report(reason)
        update { $0.handle(.lostOutput(at: place)) }
    }

    package func deckVolumeChanged(_ volume: Double) {
        self.volume = volume
        update { _ in [] }
    }
}

extension DeckTrack {
    init(_ entry: QueueEntry) {
        self.init(id: entry.id, location: entry.location)
    }
}
