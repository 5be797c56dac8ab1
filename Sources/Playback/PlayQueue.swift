package import Music

/// One entry of the queue: where its track is, and the id that it has for as long as it is kept.
package struct QueueEntry: Equatable, Sendable {
    package let id: TrackID
    package let location: TrackLocation
}

/// What is to be played, which of it is current, and what comes before and after that.
///
/// A value: edits and moves happen nowhere else, and nothing here knows of sound.
package struct PlayQueue: Equatable, Sendable {
    /// In the order of the list, which shuffling does not change (C125).
    private var entries: [QueueEntry] = []
    /// Where in the list the current entry is; `nil` when the queue is empty.
    package private(set) var currentIndex: Int?
    /// What a shuffle keeps together; `nil` where the order is that of the list.
    package private(set) var shuffleKind: ShuffleKind?
    private var shuffle: ShuffleOrder?
    private var nextNumber: UInt64 = 1
    private var random: RandomSource

    /// An empty queue; the seed decides its shuffles.
    package init(seed: UInt64) {
        random = RandomSource(seed: seed)
    }

    package var count: Int { entries.count }

    /// The entry at a place of the list, which must be one.
    package subscript(index: Int) -> QueueEntry { entries[index] }

    /// The current entry; `nil` when the queue is empty.
    package var current: QueueEntry? { currentIndex.map { entries[$0] } }

    /// The entry with this id, current or not.
    package func entry(_ id: TrackID) -> QueueEntry? {
        if let current, current.id == id { return current }
        return index(of: id).map { entries[$0] }
    }

    /// Where in the list the entry with this id is.
    package func index(of id: TrackID) -> Int? {
        entries.firstIndex { $0.id == id }
    }

    /// The ids at these places of the list, clamped to it.
    package func ids(in range: Range<Int>) -> [TrackID] {
        entries[range.clamped(to: 0..<entries.count)].map(\.id)
    }

    // MARK: What comes before and after

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

    // MARK: Changes

    package mutating func apply(_ edit: QueueEdit) {
        switch edit {
        case .replace(let locations):
            entries = makeEntries(locations)
            currentIndex = entries.isEmpty ? nil : 0
            beginRound()
        case .insert(let locations, let index): insert(locations, at: index)
        case .remove(let ids): remove(Set(ids))
        case .move(let ids, let after): move(Set(ids), after: after)
        case .goForward(let id):
            shuffle?.moveForward(to: id, of: entries.map(\.id), using: &random)
            currentIndex = index(of: id) ?? currentIndex
        case .goBack(let id):
            shuffle?.moveBack(to: id, of: entries.map(\.id), using: &random)
            currentIndex = index(of: id) ?? currentIndex
        case .jump(let id):
            guard let index = index(of: id) else { return }
            shuffle?.jump(to: id, of: entries.map(\.id), using: &random)
            currentIndex = index
        case .rewind: rewind()
        case .shuffle(let kind):
            guard kind != shuffleKind else { return }
            shuffleKind = kind
            beginRound()
        case .relocate: break
        }
    }

    private mutating func insert(_ locations: [TrackLocation], at index: Int) {
        let new = makeEntries(locations)
        guard !new.isEmpty else { return }
        let place = min(max(0, index), entries.count)
        entries.insert(contentsOf: new, at: place)
        currentIndex = currentIndex.map { $0 < place ? $0 : $0 + new.count } ?? 0
        shuffle?.insert(new.map(\.id), of: entries.map(\.id), using: &random)
        if shuffle == nil { beginRound() }
    }

    private mutating func remove(_ ids: Set<TrackID>) {
        guard let former = current else { return }
        let next = ids.contains(former.id) ? following(wrapping: true, skipping: ids) : former
        entries.removeAll { ids.contains($0.id) }
        currentIndex = next.flatMap { index(of: $0.id) } ?? (entries.isEmpty ? nil : 0)
        beginRound()
    }

    private mutating func move(_ ids: Set<TrackID>, after: TrackID?) {
        let moved = entries.filter { ids.contains($0.id) }
        guard let current, !moved.isEmpty, after.map({ index(of: $0) != nil && !ids.contains($0) }) ?? true
        else { return }
        entries.removeAll { ids.contains($0.id) }
        entries.insert(contentsOf: moved, at: after.flatMap(index).map { $0 + 1 } ?? 0)
        currentIndex = index(of: current.id)
    }

    private mutating func rewind() {
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
        guard shuffleKind != nil, entries.count > 1, let current else {
            shuffle = nil
            return
        }
        shuffle = ShuffleOrder(current: current.id, entries: entries.map(\.id), using: &random)
    }

    private mutating func makeEntries(_ locations: [TrackLocation]) -> [QueueEntry] {
        locations.map { location in
            defer { nextNumber += 1 }
            return QueueEntry(id: TrackID(nextNumber), location: location)
        }
    }
}
