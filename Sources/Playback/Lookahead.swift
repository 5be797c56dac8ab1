import EventLoop
import Music

/// Knows the tracks around the current one: all of those that may be shown next, and at a glance those that are listed.
///
/// On the loop only; the reading is done by the track worker.
final class Lookahead {
    /// The entries around the current one, with what is known of each by now.
    private(set) var listed: [ListedTrack] = []

    /// Called when something has been learned, with the entry that turned out not to play, if it was that.
    var onNews: (_ failure: (entry: QueueEntry, error: ReadError)?) -> Void = { _ in }

    private let worker: TrackWorker
    private var tracks = KnownTracks()
    private var window = QueueWindow()
    /// What is being read at the moment.
    private var wanted: [TrackID] = []
    /// The most urgent entry: the one that plays.
    private var current: TrackID?

    init(loop: EventLoop, source: TrackSource) throws(EventLoopError) {
        final class Later { weak var lookahead: Lookahead? }
        let later = Later()
        let news = try loop.mailbox { (news: TrackNews) in later.lookahead?.take(news) }
        worker = try TrackWorker(source: source, news: news)
        later.lookahead = self
    }

    /// Ends the worker; a file that hangs is waited for.
    func end() {
        worker.end()
    }

    /// What is known of an entry; `nil` where nothing is.
    subscript(id: TrackID) -> Track? { tracks[id] }

    /// Whether all is known that is shown of an entry that plays.
    func isWhole(_ id: TrackID) -> Bool { tracks.isWhole(id) }

    /// Lists what is around the current entry, after the queue has been edited.
    func follow(_ queue: PlayQueue) {
        window.follow(queue)
        listed = window.places.map { place in
            let entry = queue[place]
            return ListedTrack(id: entry.id, track: listedTrack(entry.id) ?? Track(entry.location))
        }
    }

    /// Reads what is not known of `near`, most urgent first, and of what is listed; forgets what is far away.
    func read(_ near: [QueueEntry]) {
        tracks.forgetAll(but: Set(near.map(\.id) + listed.map(\.id)))
        current = near.first?.id
        tracks.doubt(allBut: Set(near.map(\.id)))
        let missing = tracks.missing(in: near, whole: true)
        let others = listed.map { QueueEntry(id: $0.id, location: $0.track.location) }
        let glances = tracks.missing(in: others, whole: false)
            .filter { glance in !missing.contains { $0.id == glance.id } }
        let ids = (missing + glances).map(\.id)
        guard ids != wanted else { return }
        wanted = ids
        worker.read(missing, glancingAt: glances)
    }

    /// Takes in what a glance has shown of some entries.
    func learn(_ glances: some Sequence<(TrackID, Track)>) {
        for (id, track) in glances { learn(id, track, isWhole: false) }
    }

    /// The files at these paths have changed: what is known of them is shown until they have been read again.
    func invalidate(_ paths: Set<FilePath>) {
        tracks.invalidate { paths.contains($0) }
    }

    /// Files of the queue are elsewhere now.
    func relocate(_ queue: PlayQueue) {
        tracks.relocate { queue.entry($0)?.location }
        follow(queue)
    }

    private func take(_ news: TrackNews) {
        switch news {
        case .text(let entry, let track):
            // Lists can wait for the rest.
            tracks.learnText(entry.id, track)
            if entry.id == current { onNews(nil) }
        case .read(let entry, .success(let track)):
            wanted.removeAll { $0 == entry.id }
            learn(entry.id, track, isWhole: true)
            onNews(nil)
        case .read(let entry, .failure(let error)):
            wanted.removeAll { $0 == entry.id }
            // All that will be known of it, so that it is not read again and again.
            learn(entry.id, Track(entry.location), isWhole: true)
            onNews((entry, error))
        case .glanced(let entries, let glances):
            let glanced = Set(entries.map(\.id))
            wanted.removeAll { glanced.contains($0) }
            learn(zip(entries.map(\.id), glances))
            onNews(nil)
        }
    }

    private func learn(_ id: TrackID, _ track: Track, isWhole: Bool) {
        tracks.learn(id, track, isWhole: isWhole)
        guard let place = listed.firstIndex(where: { $0.id == id }) else { return }
        listed[place].track = listedTrack(id) ?? track
    }

    /// What a list shows has no lyrics: there may be a hundred.
    private func listedTrack(_ id: TrackID) -> Track? {
        var track = tracks[id]
        track?.lyrics = nil
        return track
    }
}
