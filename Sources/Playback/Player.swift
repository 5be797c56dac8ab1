package import Audio
package import EventLoop
package import Music

/// The player: the one owner of what is played, in a thin shell round the machine that decides.
///
/// On the loop only. Commands and events go into the machine, its actions go to the deck, its edits to who keeps them,
/// and what the views see is made anew after each. A track is shown when all that is shown of it is known, which is
/// normally at once, since the tracks around the current one are read ahead.
package final class Player: PlayerControl {
    /// What is shown now, whole and consistent.
    package private(set) var status = PlayerStatus()

    /// Who keeps what must outlive the process; not owned.
    package weak var recorder: (any PlaybackRecorder)?

    private var machine: PlaybackMachine
    private let deck: Deck
    private let tracks: Lookahead
    private let finder: TrackFinder
    private let report: (String) -> Void
    private let crossfade: TrackTime
    /// Runs out when the current track has been waited for long enough.
    private let patience: Timer
    private let sleepTimer: SleepTimer
    /// Runs out when the next line of the lyrics is sung; runs only while one is to come.
    private let nextLine: Timer

    private var searches = Searches()
    /// What was reported not to play and has not played since.
    private var reported: Set<TrackID> = []
    private var volume = 1.0
    private var playlist: PlaylistID?
    private var problem: String?
    /// The position shown while the next track is not known well enough to be shown.
    private var positionWhileWaiting: TrackTime?
    /// What was kept last, and after how many jumps.
    private var recorded = PlaybackModes()
    private var recordedJumps: UInt64 = 0

    /// So many files that do not play are named one by one.
    private static let mostReported = 50

    /// The longest time for which a track that is current already is not shown because its file is slow.
    private static let longestWait = TrackTime.seconds(0.25)

    /// A line is told when it is heard rather than a moment before, which would cost another look.
    private static let lineDelay = TrackTime.seconds(0.001)
    /// Sound that stands still is not looked at all the time.
    private static let shortestLook = TrackTime.seconds(0.05)

    /// Makes a player with an empty queue.
    ///
    /// `seed` decides its shuffles. Tracks that do not belong together overlap by `crossfade`. `now` is the clock that the
    /// output's instants are of, and `report` gets one line for people for each file that does not play.
    package init(
        loop: EventLoop,
        output: any AudioOutput,
        open: @escaping OpenDecoder,
        source: TrackSource,
        seed: UInt64,
        previousRestartsAfter: TrackTime = .zero,
        crossfade: TrackTime = .zero,
        now: @escaping () -> Instant = Instant.now,
        report: @escaping (String) -> Void
    ) throws(EventLoopError) {
        final class Later { weak var player: Player? }
        let later = Later()
        machine = PlaybackMachine(seed: seed, previousRestartsAfter: previousRestartsAfter)
        deck = try Deck(loop: loop, output: output, open: open, now: now)
        tracks = try Lookahead(loop: loop, source: source)
        let found = try loop.mailbox { (news: FinderNews) in later.player?.handle(news) }
        finder = TrackFinder(source: source, news: found)
        patience = loop.timer { later.player?.showWhatIsKnown() }
        sleepTimer = SleepTimer(loop: loop, now: now) { later.player?.fallAsleep() }
        nextLine = loop.timer { later.player?.followLyrics(lookingAgainAfter: Self.shortestLook) }
        self.report = report
        self.crossfade = crossfade
        later.player = self
        deck.delegate = self
        tracks.onNews = { later.player?.learn($0) }
    }

    /// Ends sound and threads; a file that hangs is waited for.
    package func end() {
        deck.end()
        tracks.end()
        finder.end()
    }

    /// Whether the current track is shown, or there is none: the state in which a service may show itself (C-2).
    package var isSettled: Bool { !patience.isRunning && !searches.isQueueAwaited }

    package var position: TrackTime { positionWhileWaiting ?? truePosition }

    package var queue: PlayQueue { machine.queue }

    /// Takes up what a former process has left, at rest: its modes, and its queue unless there is to be another.
    package func restore(_ former: RestoredPlayback, withQueue: Bool) {
        var former = former
        if withQueue {
            playlist = former.modes.playlist
        } else {
            former.queue.apply(.replace([]))
        }
        volume = former.modes.volume
        // A volume of 1 is what a stream has anyhow, unless the sound server knows better.
        if volume < 1 { deck.volume = volume }
        recorded = former.modes
        update { machine in
            machine.restore(former)
            return []
        }
        tracks.follow(machine.queue)
    }

    // MARK: What the views ask for

    package func perform(_ command: PlayerCommand) {
        switch command {
        case .setVolume(let volume):
            self.volume = min(1, max(0, volume))
            deck.volume = self.volume
        case .sleep(let time):
            sleepTimer.set(time)
            deck.fadeOut(until: sleepTimer.end)
        case .clear:
            cancelSearches()
            playlist = nil
        default:
            break
        }
        let heard = PlaybackMachine.Heard(position: truePosition, length: length)
        update { $0.perform(command, heard: heard) }
    }

    package func open(_ location: String) throws(OpenError) {
        find([try FilePath(location: location)], for: .open)
    }

    package func play(_ locations: [String]) throws(OpenError) {
        replaceQueue(with: try paths(locations), playing: true)
    }

    package func play(_ playlist: PlaylistID, in file: FilePath) {
        cancelSearches()
        find([file], for: .queue(playing: true, playlist))
    }

    package func add(
        _ locations: [String],
        at place: QueuePlace,
        isAdded: @escaping (Int) -> Void
    ) throws(OpenError) {
        find(try paths(locations), for: .addition(place, isAdded))
    }

    /// Makes what is found at `paths` the queue, played from its first track or at rest there.
    package func replaceQueue(with paths: [FilePath], playing: Bool) {
        cancelSearches()
        find(paths, for: .queue(playing: playing, nil))
    }

    private func paths(_ locations: [String]) throws(OpenError) -> [FilePath] {
        var paths: [FilePath] = []
        for location in locations { paths.append(try FilePath(location: location)) }
        return paths
    }

    private func find(_ paths: [FilePath], for purpose: Searches.Purpose) {
        let number = searches.begin(purpose)
        do throws(EventLoopError) {
            try finder.find(TrackSearch(number: number, paths: paths, glances: purpose.isAddition))
        } catch {
            report("\(error)")
            searches.end(number)
        }
    }

    private func cancelSearches() {
        finder.cancelAll()
        searches.endAll()
    }

    private func fallAsleep() {
        let place = truePosition
        update { $0.handle(.fellAsleep(at: place)) }
        deck.fadeOut(until: nil)
    }

    // MARK: What becomes of files meanwhile

    /// Reads again what is shown of the files at `paths`, which have changed (C155).
    package func reread(_ paths: [FilePath]) {
        tracks.invalidate(Set(paths))
        update { _ in [] }
    }

    /// Follows files and folders that have all been moved at once (C233).
    package func relocate(_ moves: [(old: FilePath, new: FilePath)]) {
        update { machine in Self.oneByOne(moves).flatMap { machine.relocate(from: $0.old, to: $0.new) } }
        tracks.relocate(machine.queue)
        update { _ in [] }
    }

    /// The moves as steps of which none meets another: where two change places, all step aside first.
    private static func oneByOne(
        _ moves: [(old: FilePath, new: FilePath)]
    ) -> [(old: FilePath, new: FilePath)] {
        let olds = Set(moves.map(\.old))
        guard moves.contains(where: { olds.contains($0.new) }) else { return moves }
        func aside(_ path: FilePath) -> FilePath { path.appending("\u{1}".utf8) }
        return moves.map { ($0.old, aside($0.old)) } + moves.map { (aside($0.old), $0.new) }
    }

    // MARK: From decisions to sound and to what is shown

    /// Lets the machine decide, and carries out what it says.
    private func update(_ decide: (inout PlaybackMachine) -> [PlaybackMachine.Action]) {
        let shownPosition = position
        for action in decide(&machine) {
            switch action {
            case .load(let entry, let place):
                problem = nil
                deck.load(deckTrack(entry), at: place, isPaused: false)
            case .setPaused(let isPaused):
                deck.setPaused(isPaused)
            case .unload:
                deck.unload()
            }
        }
        let following = machine.following
        deck.setFollowing(following.map(deckTrack), overlap: overlap(with: following))
        let edits = machine.takeEdits()
        record(edits)
        if !edits.isEmpty { tracks.follow(machine.queue) }
        tracks.read((machine.queue.current.map { [$0] } ?? []) + machine.neighbours)
        show(insteadOf: shownPosition)
    }

    /// Songs in random order are to be equally loud, albums to keep their quiet songs quiet.
    private func deckTrack(_ entry: QueueEntry) -> DeckTrack {
        let isMixed = machine.isShuffled && machine.shuffleKind == .tracks
        return DeckTrack(id: entry.id, location: entry.location, gain: isMixed ? .track : .album)
    }

    private func record(_ edits: [QueueEdit]) {
        guard let recorder else { return }
        if !edits.isEmpty { recorder.record(edits, leadingTo: machine.queue) }
        var modes = PlaybackModes()
        modes.loop = machine.loop
        modes.volume = volume
        modes.stopsAfterCurrent = machine.stopsAfterCurrent
        modes.shuffleKind = machine.shuffleKind
        modes.isStopped = machine.status == .stopped
        modes.playlist = playlist
        // While it plays by itself, its place is kept apart, where that costs nothing.
        let isMoved = machine.state != .playing || !edits.isEmpty || machine.jumps != recordedJumps
        modes.place = isMoved ? truePosition : recorded.place
        recordedJumps = machine.jumps
        guard modes != recorded else { return }
        recorded = modes
        recorder.record(modes)
    }

    /// Makes ``status`` anew; where the current track is not known yet, the one that was shown stays for a moment.
    private func show(insteadOf shownPosition: TrackTime) {
        guard let current = machine.queue.current, !tracks.isWhole(current.id) else {
            return showWhatIsKnown()
        }
        if !patience.isRunning {
            positionWhileWaiting = shownPosition
            patience.start(after: Self.longestWait)
        }
        let shown = status
        status = presentStatus()
        status.current = shown.current
        status.canGoNext = shown.canGoNext
        status.canGoPrevious = shown.canGoPrevious
        status.jumps = shown.jumps
        status.lyricsLine = shown.lyricsLine
        nextLine.stop()
    }

    private func showWhatIsKnown() {
        patience.stop()
        positionWhileWaiting = nil
        status = presentStatus()
        followLyrics()
    }

    /// Shows the line of the lyrics that is heard now, and waits for the next while it plays.
    private func followLyrics(lookingAgainAfter pause: TrackTime = .zero) {
        // While a track is waited for, what was shown stays.
        guard positionWhileWaiting == nil, let current = status.current,
            current.id == machine.queue.current?.id
        else { return nextLine.stop() }
        guard let lyrics = current.track.lyrics, lyrics.isTimed else { return nextLine.stop() }
        let clock = LyricsClock(lyrics, at: truePosition)
        status.lyricsLine = clock.line
        if machine.state == .playing, let rest = clock.untilNext {
            nextLine.start(after: max(pause, rest + Self.lineDelay))
        } else {
            nextLine.stop()
        }
    }

    private func presentStatus() -> PlayerStatus {
        var status = PlayerStatus()
        status.playback = machine.status
        status.loop = machine.loop
        status.isShuffled = machine.isShuffled
        status.shuffleKind = machine.shuffleKind
        status.stopsAfterCurrent = machine.stopsAfterCurrent
        status.volume = volume
        status.current = machine.queue.current.map { entry in
            CurrentTrack(id: entry.id, track: tracks[entry.id] ?? Track(entry.location))
        }
        status.listed = tracks.listed
        status.queueCount = machine.queue.count
        status.sleepsAt = sleepTimer.end
        status.playlist = playlist
        status.canGoNext = machine.canGoNext
        status.canGoPrevious = machine.canGoPrevious
        status.jumps = machine.jumps
        status.problem = problem
        return status
    }

    /// Where `following` begins over the end of the current track, if it does.
    private func overlap(with following: QueueEntry?) -> Overlap? {
        guard crossfade > .zero, let current = machine.queue.current, let following,
            tracks.isWhole(current.id),
            let track = tracks[current.id], let next = tracks[following.id]
        else { return nil }
        return Overlap(crossfade, from: track, to: next)
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

    // MARK: What the workers find out

    private func learn(_ failure: (entry: QueueEntry, error: ReadError)?) {
        if let failure {
            pass(over: failure.entry.id, because: failure.error.description)
        } else {
            update { _ in [] }
        }
    }

    private func handle(_ news: FinderNews) {
        switch news {
        case .found(let number, let locations, let known):
            if let search = searches[number] { take(locations, known, for: search, number) }
        case .problem(let line):
            report(line)
        case .done(let number):
            if let search = searches[number], search.count > 1000 { recorder?.recordWhole(machine.queue) }
            searches.end(number)
        }
    }

    /// Puts what a search has found where it belongs.
    private func take(
        _ locations: [TrackLocation],
        _ known: [Track],
        for search: Searches.Search,
        _ number: UInt64
    ) {
        guard !locations.isEmpty else { return }
        let place: Int
        if let last = search.last {
            place = machine.index(of: .after(last))
            // What comes to stand at the end is no less shuffled than what stands there.
            let isEnd = place == machine.queue.count
            update { $0.insert(locations, at: isEnd ? .end : .after(last)) }
        } else {
            switch search.purpose {
            case .open:
                place = machine.index(of: .next)
                update { $0.open(locations) }
            case .queue(let isPlaying, let playlist):
                place = 0
                self.playlist = playlist
                update { isPlaying ? $0.play(locations) : $0.replaceQueue(with: locations) }
            case .addition(let wanted, _):
                place = machine.index(of: wanted)
                update { $0.insert(locations, at: wanted) }
            }
        }
        let ids = machine.queue.ids(in: place..<place + locations.count)
        searches.note(number, last: ids.last, count: ids.count)
        tracks.learn(zip(ids, known))
        update { _ in [] }
    }

    private func pass(over id: TrackID, because reason: String) {
        guard let entry = machine.queue.entry(id) else { return }
        if reported.insert(id).inserted {
            if reported.count <= Self.mostReported {
                report("\(entry.location): \(reason); skipped")
            } else if reported.count == Self.mostReported + 1 {
                report("more songs do not play; they are not named until one plays. Is a disk missing?")
            }
        }
        let wasPlaying = machine.status == .playing
        update { $0.handle(.failed(id)) }
        guard wasPlaying, machine.status == .stopped else { return }
        problem = "no song of the queue plays (\(reason)); is a disk missing?"
        update { _ in [] }
    }
}

extension Player: DeckDelegate {
    package func deckBegan(_ track: TrackID, isContinuation: Bool) {
        if reported.count > Self.mostReported { reported = [] }
        reported.remove(track)
        update { $0.handle(.began(track, isContinuation: isContinuation)) }
    }

    package func deckProgressed() {
        guard machine.state == .playing, let current = machine.queue.currentID else { return }
        recorder?.record(truePosition, of: current)
        followLyrics()
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

    package func deckLostOutput(_ loss: OutputLoss, at place: TrackTime) {
        problem = loss.reason
        report(loss.reason)
        update { machine in
            let isElsewhere = loss.heardUntil != nil
            return (isElsewhere ? machine.handle(.wentOn) : [])
                + machine.handle(.lostOutput(at: place, mayReturn: loss.mayReturn))
        }
    }

    package func deckOutputReturned() {
        update { $0.handle(.outputReturned) }
    }

    package func deckWentOn() {
        update { $0.handle(.wentOn) }
    }

    package func deckVolumeChanged(_ volume: Double) {
        self.volume = volume
        update { _ in [] }
    }
}

extension FilePath {
    /// The file that `location` names: a `file:` URI or an absolute path.
    fileprivate init(location: String) throws(OpenError) {
        if let scheme = FileURI.scheme(of: location), scheme != "file" {
            throw OpenError("cannot open \(scheme): locations; give a file")
        }
        guard let path = FileURI.decode(location) ?? FilePath(location), path.isAbsolute else {
            throw OpenError("cannot open '\(Text.cleanLine(location))': give a file: URI or an absolute path")
        }
        self = path
    }
}
