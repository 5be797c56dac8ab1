import CLinux
import EventLoop
import Glibc
package import Music
import Synchronization

/// Measures the loudness of files, several as one album, on the library's thread for it.
///
/// Gives a value for each of `files`, one without gain for what cannot be measured; `nil` where `shouldStop`, which is
/// asked several times a second, has said so. `done` is called after each file.
package typealias MeasureLoudness =
    @Sendable (_ files: [FilePath], _ shouldStop: () -> Bool, _ done: () -> Void) -> [ReplayGain]?

/// The thread that measures loudness, once through all that is not known yet.
///
/// It runs when nobody else wants to, and hands each album to the library's worker, which writes it: whenever it is
/// ended, at most the work on one album is lost.
final class LoudnessWorker {
    private let thread: WorkerThread
    private let work: LoudnessWork

    /// `reader` is for it alone.
    init(
        _ reader: IndexReader,
        _ wishes: LibraryWishes,
        _ measure: @escaping MeasureLoudness,
        _ news: Mailbox<LibraryNews>
    ) throws(EventLoopError) {
        let work = LoudnessWork(reader, wishes, measure, news)
        self.work = work
        thread = try WorkerThread(name: "loudness") {
            linux_run_when_idle()
            work.run()
            // What was measured is written before this is told.
            wishes.want { $0.isMeasuringOver = true }
            linux_trim_memory()
        }
    }

    /// Stops it and waits for that, which takes as long as reading a piece of a file.
    func end() {
        work.shouldStop.store(true, ordering: .relaxed)
        thread.join()
    }
}

/// What the worker does; on its thread.
private final class LoudnessWork: Sendable {
    let shouldStop = Atomic<Bool>(false)
    private let reader: IndexReader
    private let wishes: LibraryWishes
    private let measure: MeasureLoudness
    private let news: Mailbox<LibraryNews>

    init(
        _ reader: IndexReader,
        _ wishes: LibraryWishes,
        _ measure: @escaping MeasureLoudness,
        _ news: Mailbox<LibraryNews>
    ) {
        self.reader = reader
        self.wishes = wishes
        self.measure = measure
        self.news = news
    }

    func run() {
        guard let (folders, count) = reader.foldersToMeasure() else { return }
        var progress = ScanProgress()
        progress.measuresLoudness = true
        progress.total = count
        news.post(.measuring(progress))
        for folder in folders {
            for group in LoudnessCandidate.groups(reader.loudnessCandidates(in: folder)) {
                guard measure(group, &progress) else { return }
            }
        }
    }

    /// Measures what belongs together; `false` where it was told to stop.
    private func measure(_ group: [LoudnessCandidate], _ progress: inout ScanProgress) -> Bool {
        // Those that are measured once more are not counted.
        let end = progress.seen + group.count { !$0.isMeasured }
        let gains = measure(
            group.map(\.path),
            { shouldStop.load(ordering: .relaxed) },
            {
                progress.seen = min(progress.seen + 1, end)
                progress.read = progress.seen
                news.post(.measuring(progress))
            }
        )
        guard let gains else { return false }
        let measured = zip(group, gains).map { MeasuredLoudness(file: $0, gain: $1) }
        wishes.want { $0.loudness += measured }
        return true
    }
}
