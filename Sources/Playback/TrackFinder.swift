import EventLoop
import Music
import Synchronization

/// Paths to look for music at.
struct TrackSearch: Sendable {
    /// Grows from search to search.
    var number: UInt64
    var paths: [FilePath]
    /// Whether a glance is to be taken at what is found, where it is but little: it is then known as soon as it is there.
    var glances: Bool
}

/// What the finder has found.
enum FinderNews: Sendable {
    /// The next tracks of a search, with what a glance at them shows where one was taken.
    case found(UInt64, [TrackLocation], [Track])
    /// What is passed over, and why, in one line.
    case problem(String)
    /// The search is over.
    case done(UInt64)
}

/// The thread that looks through folders and lists, one search after the other.
///
/// It is started for the first of them: a player that only goes on with its queue does without.
final class TrackFinder {
    private let source: TrackSource
    private let news: Mailbox<FinderNews>
    private let orders = Orders()
    private var thread: WorkerThread?

    /// As many tracks as are glanced at when they are found.
    private static let few = 20

    init(source: TrackSource, news: Mailbox<FinderNews>) {
        self.source = source
        self.news = news
    }

    /// Begins a search after those that were begun before.
    func find(_ search: TrackSearch) throws(EventLoopError) {
        orders.add(search)
        if thread == nil { thread = try start() }
    }

    /// Ends the searches begun so far, as soon as each has something to hand on.
    func cancelAll() {
        orders.cancelAll()
    }

    /// Ends the thread and waits for it; a file that hangs is waited for.
    func end() {
        orders.cancelAll()
        orders.end()
        thread?.join()
    }

    private func start() throws(EventLoopError) -> WorkerThread {
        try WorkerThread(name: "finder") { [source, news, orders] in
            while let search = orders.next() {
                var portions = Portions { tracks in
                    let isKnown = search.glances && tracks.count <= Self.few
                    let known = isKnown ? tracks.map { source.glance($0) } : []
                    news.post(.found(search.number, tracks, known))
                }
                for path in search.paths where !orders.isCancelled(search) {
                    source.find(
                        path,
                        { news.post(.problem($0)) },
                        { track in
                            portions.add(track)
                            return !orders.isCancelled(search)
                        }
                    )
                }
                portions.finish()
                news.post(.done(search.number))
            }
        }
    }
}

/// What is found, handed on in portions: the first is small, so that it is soon heard, and later ones are no burden to
/// the loop.
private struct Portions {
    private let handOn: ([TrackLocation]) -> Void
    private var waiting: [TrackLocation] = []
    private var size = 32

    private static let fullSize = 1000

    init(handOn: @escaping ([TrackLocation]) -> Void) {
        self.handOn = handOn
    }

    mutating func add(_ track: TrackLocation) {
        waiting.append(track)
        if waiting.count >= size { finish() }
    }

    mutating func finish() {
        guard !waiting.isEmpty else { return }
        handOn(waiting)
        waiting.removeAll(keepingCapacity: true)
        size = Self.fullSize
    }
}

/// The searches that wait, and what the finder sleeps on.
private final class Orders: Sendable {
    private struct Waiting: Sendable {
        var searches: [TrackSearch] = []
        var latest: UInt64 = 0
        /// Searches up to this number are not wanted any more.
        var cancelled: UInt64 = 0
        var isOver = false
    }

    private let waiting = Mutex(Waiting())
    private let changed = Semaphore()

    func add(_ search: TrackSearch) {
        waiting.withLock {
            $0.searches.append(search)
            $0.latest = search.number
        }
        changed.signal()
    }

    func cancelAll() {
        waiting.withLock { $0.cancelled = $0.latest }
    }

    func end() {
        waiting.withLock { $0.isOver = true }
        changed.signal()
    }

    func isCancelled(_ search: TrackSearch) -> Bool {
        waiting.withLock { search.number <= $0.cancelled }
    }

    /// Sleeps until there is a search; `nil` when the thread is to end.
    func next() -> TrackSearch? {
        while true {
            let (search, isOver) = waiting.withLock { waiting in
                (waiting.searches.isEmpty ? nil : waiting.searches.removeFirst(), waiting.isOver)
            }
            if isOver { return nil }
            if let search { return search }
            changed.wait()
        }
    }
}
