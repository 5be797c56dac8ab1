package import EventLoop
import Glibc
package import Music

/// The user's music: what there is, found by any word, kept up to date while it changes.
///
/// On the loop only. The work is done by a thread that scans and one that answers; the loop waits for neither.
package final class Library: LibraryControl {
    package private(set) var status = LibraryStatus()
    /// What the index knows of a file, for any thread.
    package let reader: IndexReader

    /// Called when ``status`` has changed.
    package var onChange: () -> Void = {}
    /// Called with files and folders that lie elsewhere now, all at once: each `old` is where something was before any
    /// of them, so that two may have changed places (C233).
    package var onMoved: ([MovedPath]) -> Void = { _ in }
    /// Called with files whose tags may be others now (C155).
    package var onTracksChanged: ([FilePath]) -> Void = { _ in }

    private let loop: EventLoop
    private let settings: LibrarySettings
    private let report: (String) -> Void
    private let file: IndexFile
    private let wishes = LibraryWishes()
    private var watch: FolderWatch?
    private var worker: LibraryWorker?
    /// Runs only where folders cannot be watched.
    private var rescan: Timer?
    /// How far the scan and the measuring of loudness are, where they go on.
    private var (scanning, measuring): (ScanProgress?, ScanProgress?)
    private var loudnessWorker: LoudnessWorker?
    private var isLoudnessWanted = false

    private var queries: QueryWorker?
    private var waiting: [Int: (Result<[Track], LibraryError>) -> Void] = [:]
    private var questionCount = 0

    /// Nothing is read and no thread is started until it is needed; `report` says one line to people.
    package init(_ loop: EventLoop, _ settings: LibrarySettings, report: @escaping (String) -> Void) {
        self.loop = loop
        self.settings = settings
        self.report = report
        file = IndexFile(in: settings.cacheFolder)
        reader = IndexReader(file, wishes)
        status.folders = settings.folders
    }

    /// Begins to look through all folders and to watch them.
    ///
    /// Where there is neither a folder nor an index, there is nothing to do until ``scan()`` is asked for.
    package func start() {
        let isThere = ([file.path] + settings.folders).contains { path in
            path.withCString { access($0, F_OK) } == 0
        }
        if isThere { begin() }
    }

    private func begin() {
        guard worker == nil else { return }
        do throws(WatchError) {
            watch = try FolderWatch(loop, settings.wanted) { [unowned self] in look($0) }
        } catch {
            lookFromTimeToTime(error)
        }
        do throws(EventLoopError) {
            let news = try loop.mailbox { [weak self] in self?.take($0) }
            worker = try LibraryWorker(settings, file, wishes, watch?.watches, news)
            scan()
        } catch {
            take(.problem("the library cannot be looked through: \(error)"))
        }
    }

    /// Ends both threads and waits for them; nothing is called any more.
    package func stop() {
        loudnessWorker?.end()
        worker?.end()
        queries?.end()
        loudnessWorker = nil
        (worker, queries, watch, rescan) = (nil, nil, nil, nil)
        waiting = [:]
    }

    package func scan() {
        begin()
        guard worker != nil else { return }
        wishes.want { $0.isScanWanted = true }
        show(scanning: scanning ?? ScanProgress(), measuring: measuring)
    }

    package func measureLoudness() {
        isLoudnessWanted = settings.measure != nil
        scan()
    }

    package func search(
        _ words: String,
        limit: Int,
        answer: @escaping (Result<[Track], LibraryError>) -> Void
    ) {
        ask(.search(words, limit: limit), answer)
    }

    package func describe(_ locations: [TrackLocation], answer: @escaping ([Track]) -> Void) {
        ask(.describe(locations)) { tracks in
            switch tracks {
            case .success(let tracks): answer(tracks)
            case .failure: answer(locations.map { Track($0) })
            }
        }
    }

    package func notePlayed(_ playlist: PlaylistID) {
        let now = Int64(time(nil))
        wishes.want { $0.played[playlist] = now }
        change { status in
            guard let index = status.playlists.firstIndex(where: { $0.id == playlist }) else { return }
            status.playlists[index].played = now
        }
    }

    private func take(_ news: LibraryNews) {
        switch news {
        case .tracks(let count): change { $0.trackCount = count }
        case .playlists(let playlists): change { $0.playlists = playlists }
        case .progress(let progress): show(scanning: progress, measuring: measuring)
        case .measuring(let progress): show(scanning: scanning, measuring: progress)
        case .measured: finishMeasuring()
        case .scanned: finishScan()
        case .problem(let problem): change { $0.problem = problem }
        case .moved(let moves): onMoved(moves)
        case .retagged(let paths): onTracksChanged(paths)
        case .say(let line): report(line)
        }
    }

    private func finishScan() {
        beginMeasuring()
        show(scanning: nil, measuring: measuring)
        if let trouble = watch?.watches.trouble { lookFromTimeToTime(trouble) }
    }

    /// Starts the thread that measures, where that is wanted and is not done already.
    private func beginMeasuring() {
        guard isLoudnessWanted, loudnessWorker == nil, let measure = settings.measure else { return }
        isLoudnessWanted = false
        do throws(EventLoopError) {
            let news = try loop.mailbox { [weak self] in self?.take($0) }
            loudnessWorker = try LoudnessWorker(IndexReader(file, wishes), wishes, measure, news)
            measuring = ScanProgress()
            measuring?.measuresLoudness = true
        } catch {
            take(.problem("loudness cannot be measured: \(error)"))
        }
    }

    private func finishMeasuring() {
        loudnessWorker?.end()
        loudnessWorker = nil
        measuring = nil
        beginMeasuring()
        show(scanning: scanning, measuring: measuring)
    }

    private func show(scanning: ScanProgress?, measuring: ScanProgress?) {
        (self.scanning, self.measuring) = (scanning, measuring)
        change { $0.scan = scanning ?? measuring }
    }

    /// Where not all folders can be watched, all are looked through every five minutes.
    private func lookFromTimeToTime(_ trouble: WatchError) {
        let period = TrackTime.seconds(300)
        if rescan == nil {
            report("\(trouble); they are looked through every five minutes instead")
            rescan = loop.timer { [unowned self] in
                scan()
                rescan?.start(after: period)
            }
            rescan?.start(after: period)
        }
    }

    private func look(_ altered: FolderWatch.Altered) {
        if altered.isAll {
            report("too much happened in the library's folders at once; they are looked through again")
            scan()
        } else {
            wishes.want { $0.folders.formUnion(altered.folders) }
        }
    }

    private func ask(
        _ question: QueryWorker.Question,
        _ answer: @escaping (Result<[Track], LibraryError>) -> Void
    ) {
        questionCount += 1
        waiting[questionCount] = answer
        do throws(EventLoopError) {
            try startedQueries().ask(questionCount, question)
        } catch {
            waiting[questionCount] = nil
            answer(.failure(LibraryError("the library cannot be searched: \(error)")))
        }
    }

    private func startedQueries() throws(EventLoopError) -> QueryWorker {
        if let queries { return queries }
        let answers: Mailbox<QueryWorker.Answer> = try loop.mailbox { [weak self] answer in
            self?.waiting.removeValue(forKey: answer.number)?(answer.tracks)
        }
        let started = try QueryWorker(reader, answers)
        queries = started
        return started
    }

    private func change(_ body: (inout LibraryStatus) -> Void) {
        let before = status
        body(&status)
        if status != before { onChange() }
    }
}
