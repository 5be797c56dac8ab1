import EventLoop
package import Music
import Synchronization

/// Why a file cannot be used, in words that go behind its path.
package struct ReadError: Error, Equatable, Sendable, CustomStringConvertible {
    package var description: String

    package init(_ description: String) {
        self.description = description
    }
}

/// How the player learns of files; both are called on a thread of their own and may block.
package struct TrackSource: Sendable {
    /// What a file says of its music, with its exact length and its cover written out.
    package var read: @Sendable (TrackLocation) -> Result<Track, ReadError>
    /// The tracks that a path stands for: itself, or what is below it when it is a folder.
    ///
    /// What is there but cannot be looked at is told to the closure.
    package var find: @Sendable (FilePath, (FilePath, ReadError) -> Void) -> [TrackLocation]

    package init(
        read: @escaping @Sendable (TrackLocation) -> Result<Track, ReadError>,
        find: @escaping @Sendable (FilePath, (FilePath, ReadError) -> Void) -> [TrackLocation]
    ) {
        self.read = read
        self.find = find
    }
}

/// Paths to look for music at, and what for.
struct TrackSearch: Sendable {
    enum Purpose: Sendable {
        /// To play behind the current track.
        case open
        /// To play instead of the queue.
        case play
    }

    var paths: [FilePath]
    var purpose: Purpose
}

/// What the worker has found out.
enum TrackNews: Sendable {
    case read(QueueEntry, Result<Track, ReadError>)
    case found([TrackLocation], TrackSearch.Purpose)
    /// A path that is passed over, and why.
    case unusable(FilePath, ReadError)
}

/// The thread that reads tags, lengths and covers ahead of their turn, and looks through folders.
final class TrackWorker {
    private let wishes = Wishes()
    private let thread: WorkerThread

    /// Starts the thread, which posts what it finds out.
    init(source: TrackSource, news: Mailbox<TrackNews>) throws(EventLoopError) {
        thread = try WorkerThread(name: "tracks") { [wishes] in
            while let wish = wishes.next() {
                switch wish {
                case .read(let entry):
                    news.post(.read(entry, source.read(entry.location)))
                case .find(let search):
                    let found = search.paths.flatMap { source.find($0) { news.post(.unusable($0, $1)) } }
                    news.post(.found(found, search.purpose))
                }
            }
        }
    }

    /// Reads `entries`, most urgent first; what was asked for before and has not been begun is no longer wanted.
    func read(_ entries: [QueueEntry]) {
        wishes.change { $0.reads = entries[...] }
    }

    /// Looks for music, after what is looked for already.
    func find(_ search: TrackSearch) {
        wishes.change { $0.finds.append(search) }
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
        var finds: [TrackSearch] = []
        var isOver = false
    }

    enum Wish: Sendable {
        case read(QueueEntry)
        case find(TrackSearch)
    }

    private let waiting = Mutex(Waiting())
    private let changed = Semaphore()

    func change(_ body: (inout Waiting) -> Void) {
        waiting.withLock { body(&$0) }
        changed.signal()
    }

    /// Sleeps until something is wanted; `nil` when the thread is to end.
    func next() -> Wish? {
        while true {
            let (wish, isOver) = waiting.withLock { waiting in (Self.takeOne(from: &waiting), waiting.isOver)
            }
            if isOver { return nil }
            if let wish { return wish }
            changed.wait()
        }
    }

    private static func takeOne(from waiting: inout Waiting) -> Wish? {
        if !waiting.finds.isEmpty { return .find(waiting.finds.removeFirst()) }
        return waiting.reads.popFirst().map { .read($0) }
    }
}
