package import Music

/// One entry of the queue: a file, and the id that it has for as long as the service lives.
package struct QueueEntry: Equatable, Sendable {
    package let id: TrackID
    package let path: FilePath
}

/// What is to be played, which of it is current, and what comes before and after that.
///
/// A value: edits and moves happen nowhere else, and nothing here knows of sound.
package struct PlayQueue: Equatable, Sendable {
    /// In the order of the list, which shuffling does not change (C125).
    package private(set) var entries: [QueueEntry] = []
    /// Where in the list the current entry is; `nil` when the queue is empty.
    private var currentIndex: Int?
    private var shuffle: ShuffleOrder?
    private var nextNumber: UInt64 = 1
    private var random: RandomSource

    /// An empty queue; the seed decides its shuffles.
    package init(seed: UInt64) {
        random = RandomSource(seed: seed)
    }

    /// The current entry; `nil` when the queue is empty.
    package var current: QueueEntry? { currentIndex.map { entries[$0] } }

    /// The entry with this id, current or not.
    package func entry(_ id: TrackID) -> QueueEntry? {
        if let current, current.id == id { return current }
        return index(of: id).map { entries[$0] }
    }

    private func index(of id: TrackID) -> Int? {
        entries.firstIndex { $0.id == id }
    }

    /// Whether the queue is walked in random order; turning it on begins a round with the current entry (C124).
    package var isShuffled = false {
        didSet { if isShuffled != oldValue { beginRound() } }
    }

    /// Replaces everything; the first entry becomes current.
    package mutating func replace(with paths: [FilePath]) {
        entries = makeEntries(paths)
        currentIndex = entries.isEmpty ? nil : 0
        beginRound()
    }

    /// Puts `paths` behind the current entry and makes the first of them current.
    package mutating func insertAfterCurrent(_ paths: [FilePath]) {
        let new = makeEntries(paths)
        guard let first = new.first else { return }
        let place = currentIndex.map { $0 + 1 } ?? 0
        entries.insert(contentsOf: new, at: place)
        currentIndex = place
        let ids = entries.map(\.id)
        shuffle?.insert(new.map(\.id), of: ids, using: &random)
        shuffle?.jump(to: first.id, of: ids, using: &random)
        if shuffle == nil { beginRound() }
    }

    /// What follows the current entry, leaving out `skipped`; with `wrapping` the end is followed by the beginning.
    package func following(wrapping: Bool, skipping skipped: Set<TrackID> = []) -> QueueEntry? {
        guard let currentIndex else { return nil }
        if let shuffle {
            return shuffle.following(wrapping: wrapping) { !skipped.contains($0) }.flatMap(entry)
        }
        let wrapped = wrapping ? entries[...currentIndex] : []
        return entries[(currentIndex + 1)...].first { !skipped.contains($0.id) }
            ?? wrapped.first { !skipped.contains($0.id) }
    }

    /// What precedes the current entry; with `wrapping` the beginning is preceded by the end.
    package func preceding(wrapping: Bool, skipping skipped: Set<TrackID> = []) -> QueueEntry? {
        guard let currentIndex else { return nil }
        if let shuffle {
            return shuffle.preceding(wrapping: wrapping) { !skipped.contains($0) }.flatMap(entry)
        }
        let wrapped = wrapping ? entries[currentIndex...] : []
        return entries[..<currentIndex].last { !skipped.contains($0.id) }
            ?? wrapped.last { !skipped.contains($0.id) }
    }

    /// Makes what follows current; returns whether there was something.
    package mutating func moveForward(wrapping: Bool, skipping skipped: Set<TrackID> = []) -> Bool {
        guard let entry = following(wrapping: wrapping, skipping: skipped) else { return false }
        shuffle?.moveForward(to: entry.id, of: entries.map(\.id), using: &random)
        currentIndex = index(of: entry.id)
        return true
    }

    /// Makes what precedes current; returns whether there was something.
    package mutating func moveBack(wrapping: Bool, skipping skipped: Set<TrackID> = []) -> Bool {
        guard let entry = preceding(wrapping: wrapping, skipping: skipped) else { return false }
        shuffle?.moveBack(to: entry.id, of: entries.map(\.id), using: &random)
        currentIndex = index(of: entry.id)
        return true
    }

    /// Makes the first entry current, as after the end; when shuffled, the first of a new round.
    package mutating func rewind() {
        guard !entries.isEmpty else { return }
        if shuffle != nil, let entry = entries.randomElement(using: &random) {
            currentIndex = index(of: entry.id)
        } else {
            currentIndex = 0
        }
        beginRound()
    }

    private mutating func beginRound() {
        // One entry has one order.
        guard isShuffled, entries.count > 1, let current else {
            shuffle = nil
            return
        }
        shuffle = ShuffleOrder(current: current.id, entries: entries.map(\.id), using: &random)
    }

    private mutating func makeEntries(_ paths: [FilePath]) -> [QueueEntry] {
        paths.map { path in
            defer { nextNumber += 1 }
            return QueueEntry(id: TrackID(nextNumber), path: path)
        }
    }
}
