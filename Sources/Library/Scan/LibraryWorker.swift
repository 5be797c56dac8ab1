import CLinux
import EventLoop
import Glibc
import Music
import TagReading

/// What the library's worker tells the loop.
enum LibraryNews: Sendable {
    /// How many tracks the index knows.
    case tracks(Int)
    case playlists([PlaylistSummary])
    case progress(ScanProgress)
    case measuring(ScanProgress)
    /// All that has been measured is in the index.
    case measured
    /// A scan is over, or has failed.
    case scanned
    /// Why the library is of no use or out of date; `nil` where it is in order.
    case problem(String?)
    case moved([MovedPath])
    case retagged([FilePath])
    /// One line for people.
    case say(String)
}

/// The thread that scans and alone changes the index.
///
/// At rest it has no connection and no memory but its stack.
final class LibraryWorker {
    private let wishes: LibraryWishes
    private let thread: WorkerThread

    init(
        _ settings: LibrarySettings,
        _ file: IndexFile,
        _ wishes: LibraryWishes,
        _ watches: FolderWatches?,
        _ news: Mailbox<LibraryNews>
    ) throws(EventLoopError) {
        self.wishes = wishes
        thread = try WorkerThread(name: "library") {
            // What is heard and asked for comes first.
            setpriority(CInt(PRIO_PROCESS.rawValue), 0, 10)
            let work = LibraryWork(settings, file, wishes, watches, news)
            while let wish = wishes.next() { work.carryOut(wish) }
        }
    }

    /// Stops what it does and waits for that; a disk that hangs is waited for.
    func end() {
        wishes.end()
        thread.join()
    }
}

/// What the worker does; on its thread.
private final class LibraryWork {
    private let settings: LibrarySettings
    private let file: IndexFile
    private let wishes: LibraryWishes
    private let watches: FolderWatches?
    private let news: Mailbox<LibraryNews>
    private var index: LibraryIndex?
    /// Folders that were told of, so that each is told once.
    private var unreadable: [FilePath: String] = [:]
    private var lastProblem: String?

    init(
        _ settings: LibrarySettings,
        _ file: IndexFile,
        _ wishes: LibraryWishes,
        _ watches: FolderWatches?,
        _ news: Mailbox<LibraryNews>
    ) {
        self.settings = settings
        self.file = file
        self.wishes = wishes
        self.watches = watches
        self.news = news
    }

    func carryOut(_ wish: LibraryWishes.Waiting) {
        var wish = wish
        for _ in 0..<2 {
            do throws(DatabaseError) {
                try carryOut(wish, in: openedIndex())
                break
            } catch {
                // The library goes on with what it has.
                if let count = try? index?.files.count() { news.post(.tracks(count)) }
                index = nil
                guard error == .corrupt else {
                    let problem = "the library index \(file.path) cannot be written: \(error)"
                    if set(problem: problem) { news.post(.say(problem)) }
                    break
                }
                news.post(.say("the library index \(file.path) is made anew: \(error)"))
                file.delete()
                wish.isScanWanted = true
            }
        }
        if wish.isScanWanted || !wish.folders.isEmpty { news.post(.scanned) }
        if wish.isMeasuringOver { news.post(.measured) }
        index = nil
        linux_trim_memory()
    }

    private func openedIndex() throws(DatabaseError) -> LibraryIndex {
        if let index { return index }
        let database = try file.openForWriting { news.post(.say($0)) }
        let opened = try LibraryIndex(database, roots: settings.folders)
        index = opened
        return opened
    }

    private func carryOut(_ wish: LibraryWishes.Waiting, in index: LibraryIndex) throws(DatabaseError) {
        try note(wish, in: index)
        guard wish.isScanWanted || !wish.folders.isEmpty else { return }
        if wish.isScanWanted {
            news.post(.progress(ScanProgress()))
            // What is known already can be shown at once.
            news.post(.tracks(try index.files.count()))
            news.post(.playlists(try index.playlists.summaries()))
        }
        let pace = ScanPace()
        var playlistsChanged = false
        let scope = ScanScope(
            index: index,
            roots: settings.folders,
            wanted: settings.wanted,
            watches: watches,
            read: { [settings] in Self.read($0, settings) },
            tell: { [unowned self] item in
                if case .playlistsChanged = item { playlistsChanged = true }
                take(item, pace, index)
            },
            shouldStop: { [wishes] in wishes.hasEnded }
        )
        let scan = Scan(scope)
        let blocked = try wish.isScanWanted ? scan.all() : scan.some(wish.folders)
        news.post(.tracks(try index.files.count()))
        if playlistsChanged { news.post(.playlists(try index.playlists.summaries())) }
        if wish.isScanWanted || !blocked.isEmpty {
            // It has been said already.
            let root = blocked.first { settings.folders.contains($0.path) }
            set(problem: root.map { "\($0.path): \($0.reason)" })
        }
    }

    private func note(_ wish: LibraryWishes.Waiting, in index: LibraryIndex) throws(DatabaseError) {
        guard !wish.measured.isEmpty || !wish.played.isEmpty || !wish.loudness.isEmpty else { return }
        try index.change { () throws(DatabaseError) in
            for (path, measured) in wish.measured {
                guard
                    let folder = try path.folder.flatMap({ (folder) throws(DatabaseError) in
                        try index.folders.folder(at: folder)
                    })
                else { continue }
                try index.files.note(measured, ofName: Array(path.name), in: folder.id)
            }
            for (playlist, time) in wish.played { try index.playlists.notePlayed(playlist, at: time) }
            for measured in wish.loudness { try index.loudness.note(measured) }
        }
    }

    private func take(_ item: ScanNews, _ pace: ScanPace, _ index: LibraryIndex) {
        switch item {
        case .surveyed(let unchanged): pace.progress.seen = unchanged
        case .counted(let total): pace.progress.total = total
        case .handled(let wasRead):
            pace.progress.seen += 1
            pace.progress.read += wasRead ? 1 : 0
        case .moved(let moves): news.post(.moved(moves))
        case .retagged(let paths): news.post(.retagged(paths))
        case .playlistsChanged: break
        case .unreadable(let path, let reason):
            guard unreadable.updateValue(reason, forKey: path) != reason else { break }
            news.post(.say("\(path): \(reason); what is known of it is kept"))
        case .readable(let path): unreadable[path] = nil
        }
        if pace.isDue {
            news.post(.progress(pace.progress))
            if let count = try? index.files.count() { news.post(.tracks(count)) }
        }
    }

    /// Says whether it is another than before.
    @discardableResult
    private func set(problem: String?) -> Bool {
        guard problem != lastProblem else { return false }
        lastProblem = problem
        news.post(.problem(problem))
        return true
    }

    /// Bad files are remembered like good ones.
    private static func read(_ path: FilePath, _ settings: LibrarySettings) -> IndexedTrack {
        var track = IndexedTrack()
        do throws(TagError) {
            track.tags = try TagReader.readTags(path, settings.encodings)
            track.length = settings.length(path)
        } catch {
            track.problem = error.description
        }
        return track
    }
}

/// How far a scan is, and when that is worth telling again.
private final class ScanPace {
    var progress = ScanProgress()
    private var told = Instant.now()

    /// A few times a second.
    var isDue: Bool {
        let now = Instant.now()
        guard now.since(told) >= .seconds(0.25) else { return false }
        told = now
        return true
    }
}
