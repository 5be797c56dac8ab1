import EventLoop
import Music
import Synchronization

/// What the worker has learned.
enum TrackNews: Sendable {
    /// All but the cover, which is still looked for.
    case text(QueueEntry, Track)
    case read(QueueEntry, Result<Track, ReadError>)
    /// What was to be glanced at, all at once where nothing came in between: who shows a list shows it anew once.
    case glanced([QueueEntry], [Track])
}

/// The thread that reads tags, lengths and covers ahead of their turn.
final class TrackWorker {
    private let wishes = Wishes()
    private let thread: WorkerThread

    /// Starts the thread, which posts what it finds out.
    init(source: TrackSource, news: Mailbox<TrackNews>) throws(EventLoopError) {
        thread = try WorkerThread(name: "tracks") { [wishes] in
            while let wish = wishes.next(resting: source.rest) {
                switch wish {
                case .read(let entry):
                    let track = source.read(entry.location) { news.post(.text(entry, $0)) }
                    news.post(.read(entry, track))
                case .glance(let entries):
                    // What is asked for meanwhile goes before, and names what is still to be glanced at.
                    var glances: [Track] = []
                    for entry in entries where !wishes.hasChanged {
                        glances.append(source.glance(entry.location))
                    }
                    news.post(.glanced(Array(entries.prefix(glances.count)), glances))
                }
            }
        }
    }

    /// Reads `entries`, most urgent first, and then glances at `others`; what was asked for before and has not been
    /// begun is no longer wanted.
    func read(_ entries: [QueueEntry], glancingAt others: [QueueEntry]) {
        wishes.change {
            $0.reads = entries[...]
            $0.glances = others
        }
    }

    /// Ends the thread and waits for it; a file that hangs is waited for.
    func end() {
        wishes.change { $0.isOver = true }
        thread.join()
    }
}

/// What is wanted of the worker, and what it sleeps on.
private final class Wishes: Sendable {
    struct Waiting: Sendable {
        var reads: ArraySlice<QueueEntry> = []
        var glances: [QueueEntry] = []
        var isOver = false
        /// Whether something was asked for since the last wish was taken.
        var hasChanged = false
    }

    enum Wish: Sendable {
        case read(QueueEntry)
        case glance([QueueEntry])
    }

    private let waiting = Mutex(Waiting())
    private let changed = Semaphore()

    func change(_ body: (inout Waiting) -> Void) {
        waiting.withLock {
            body(&$0)
            $0.hasChanged = true
        }
        changed.signal()
    }

    var hasChanged: Bool { waiting.withLock { $0.hasChanged } }

    /// Sleeps until something is wanted, and calls `rest` before; `nil` when the thread is to end.
    func next(resting rest: () -> Void) -> Wish? {
        while true {
            let (wish, isOver) = waiting.withLock { waiting in (Self.takeOne(from: &waiting), waiting.isOver)
            }
            if isOver { return nil }
            if let wish { return wish }
            rest()
            changed.wait()
        }
    }

    private static func takeOne(from waiting: inout Waiting) -> Wish? {
        waiting.hasChanged = false
        if let entry = waiting.reads.popFirst() { return .read(entry) }
        guard !waiting.glances.isEmpty else { return nil }
        defer { waiting.glances = [] }
        return .glance(waiting.glances)
    }
}
