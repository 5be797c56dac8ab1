package import Music

/// One entry of the queue: where its track is, and the id that it has for as long as it is kept.
package struct QueueEntry: Equatable, Sendable {
    package let id: TrackID
    package let location: TrackLocation
}

/// What is to be played, which of it is current, and what comes before and after that.
///
/// A value: edits and moves happen nowhere else, and nothing here knows of sound. Equal where it is walked equally from
/// here on.
package struct PlayQueue: Equatable, Sendable {
    /// In the order of the list, which shuffling does not change (C125).
    var table = EntryTable()
    /// Where in the list the current entry is; `nil` when the queue is empty.
    package internal(set) var currentIndex: Int?
    /// What a shuffle keeps together; `nil` where the order is that of the list.
    package internal(set) var shuffleKind: ShuffleKind?
    /// `nil` also for a single entry, which has one order.
    var shuffle: ShuffleOrder?
    /// Ids are numbers of 32 bits here: enough for a thousand new tracks a second for 49 days.
    var nextNumber: UInt32 = 1
    var random: RandomSource

    /// An empty queue; the seed decides its shuffles.
    package init(seed: UInt64) {
        random = RandomSource(seed: seed)
    }

    package var count: Int { table.rows.count }

    /// The entry at a place of the list, which must be one.
    package subscript(index: Int) -> QueueEntry {
        QueueEntry(id: id(at: index), location: table.location(at: index))
    }

    /// The current entry; `nil` when the queue is empty.
    package var current: QueueEntry? { currentIndex.map { self[$0] } }

    /// The id of the current entry: all of it that most ask for.
    package var currentID: TrackID? { currentIndex.map(id) }

    /// The entry with this id, current or not.
    package func entry(_ id: TrackID) -> QueueEntry? {
        index(of: id).map { self[$0] }
    }

    /// Where in the list the entry with this id is.
    package func index(of id: TrackID) -> Int? {
        UInt32(exactly: id.number).flatMap { table.index(of: $0, near: currentIndex) }
    }

    /// The ids at these places of the list, clamped to it.
    package func ids(in range: Range<Int>) -> [TrackID] {
        range.clamped(to: 0..<count).map(id)
    }

    private func id(at index: Int) -> TrackID {
        TrackID(UInt64(table.rows[index].number))
    }

    // MARK: What comes before and after

    /// What follows the current entry, leaving out `skipped`; with `wrapping` the end is followed by the beginning.
    package func following(wrapping: Bool, skipping skipped: Set<TrackID> = []) -> QueueEntry? {
        guard let currentIndex else { return nil }
        func isWanted(_ number: UInt32) -> Bool { isPlayable(number, skipping: skipped) }
        if let shuffle {
            return entry(shuffle.following(wrapping: wrapping, where: isWanted))
        }
        let rows = table.rows
        let index =
            rows[(currentIndex + 1)...].firstIndex { isWanted($0.number) }
            ?? (wrapping ? rows[...currentIndex].firstIndex { isWanted($0.number) } : nil)
        return index.map { self[$0] }
    }

    /// What precedes the current entry; with `wrapping` the beginning is preceded by the end.
    package func preceding(wrapping: Bool, skipping skipped: Set<TrackID> = []) -> QueueEntry? {
        guard let currentIndex else { return nil }
        func isWanted(_ number: UInt32) -> Bool { isPlayable(number, skipping: skipped) }
        if let shuffle {
            return entry(shuffle.preceding(wrapping: wrapping, where: isWanted))
        }
        let rows = table.rows
        let index =
            rows[..<currentIndex].lastIndex { isWanted($0.number) }
            ?? (wrapping ? rows[currentIndex...].lastIndex { isWanted($0.number) } : nil)
        return index.map { self[$0] }
    }

    private func isPlayable(_ number: UInt32, skipping skipped: Set<TrackID>) -> Bool {
        skipped.isEmpty || !skipped.contains(TrackID(UInt64(number)))
    }

    private func entry(_ number: UInt32?) -> QueueEntry? {
        number.flatMap { table.index(of: $0, near: currentIndex) }.map { self[$0] }
    }
}
