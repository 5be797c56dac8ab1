import EventLoop
import Music
import Synchronization

/// What the loop and the decoders want of the library's worker, and what that sleeps on.
final class LibraryWishes: Sendable {
    struct Waiting: Sendable {
        /// Look through everything.
        var isScanWanted = false
        /// Look at these folders again.
        var folders: Set<Int64> = []
        var measured: [FilePath: MeasuredFile] = [:]
        /// When which playlist was played, in seconds since 1970.
        var played: [PlaylistID: Int64] = [:]
        var loudness: [MeasuredLoudness] = []
        /// No more of it comes.
        var isMeasuringOver = false

        var isEmpty: Bool {
            !isScanWanted && folders.isEmpty && measured.isEmpty && played.isEmpty && loudness.isEmpty
                && !isMeasuringOver
        }
    }

    private let waiting = Mutex(Waiting())
    private let isOver = Atomic<Bool>(false)
    private let changed = Semaphore()

    /// From any thread; never waits.
    func want(_ body: (inout Waiting) -> Void) {
        waiting.withLock { body(&$0) }
        changed.signal()
    }

    /// Whether the worker is to stop what it does.
    var hasEnded: Bool { isOver.load(ordering: .relaxed) }

    func end() {
        isOver.store(true, ordering: .relaxed)
        changed.signal()
    }

    /// Sleeps until something is wanted; `nil` when the worker is to end.
    func next() -> Waiting? {
        while true {
            if hasEnded { return nil }
            if let waiting = take() { return waiting }
            changed.wait()
        }
    }

    /// What is wanted now, without sleep; `nil` where it is nothing.
    func take() -> Waiting? {
        waiting.withLock { waiting in
            guard !waiting.isEmpty else { return nil }
            defer { waiting = Waiting() }
            return waiting
        }
    }
}
