import Music

/// The order in which a shuffled queue is walked: a permutation beside the list, never a reshuffle of it.
///
/// Every entry comes once a round. Back walks what was really played and forward walks it again; only beyond the newest
/// is something new drawn. The next round is another order, which does not begin with the entry just heard, nor with
/// the album where whole albums are shuffled (C117 to C122). Entries go by their numbers; those of the queue are asked
/// for where a round is drawn.
struct ShuffleOrder: Equatable, Sendable {
    let kind: ShuffleKind
    /// What was played, oldest first, and what was gone back over.
    private(set) var history: [UInt32]
    /// Where in the history the current entry is.
    private(set) var cursor = 0
    /// The rest of this round, next last.
    private(set) var upcoming: [UInt32]
    /// The round after this one, next last; drawn when this one runs out, so that what follows is known in time.
    private(set) var nextRound: [UInt32] = []

    /// More of the past is not kept: enough to walk back for a day.
    private static let historyLimit = 1000

    /// A round that begins with `current`.
    init(_ kind: ShuffleKind, current: UInt32, in table: EntryTable, using random: inout RandomSource) {
        self.kind = kind
        history = [current]
        switch kind {
        case .tracks:
            upcoming = table.rows.compactMap { $0.number == current ? nil : $0.number }
            upcoming.shuffle(using: &random)
        case .albums:
            upcoming = table.albumRound(beginning: current, using: &random).dropFirst().reversed()
        }
        drawNextRound(in: table, using: &random)
    }

    /// An order as it was kept, for a queue whose current entry and entries are these; `nil` where it is none of them.
    init?(
        _ kind: ShuffleKind,
        history: [UInt32],
        cursor: Int,
        upcoming: [UInt32],
        nextRound: [UInt32],
        current: UInt32,
        in table: EntryTable
    ) {
        (self.kind, self.history, self.cursor) = (kind, history, cursor)
        (self.upcoming, self.nextRound) = (upcoming, nextRound)
        let entries = EntrySet(table.rows.lazy.map(\.number))
        func areDifferent(_ numbers: [UInt32]) -> Bool {
            var unseen = entries
            return numbers.allSatisfy { unseen.remove($0) }
        }
        guard history.indices.contains(cursor), history[cursor] == current,
            history.allSatisfy(entries.contains), areDifferent(upcoming), areDifferent(nextRound),
            !upcoming.isEmpty || !nextRound.isEmpty
        else { return nil }
    }

    // MARK: What comes before and after

    /// The nearest entry after the current one that `isWanted`, as far as they are drawn.
    func following(wrapping: Bool, where isWanted: (UInt32) -> Bool) -> UInt32? {
        history[(cursor + 1)...].first(where: isWanted) ?? upcoming.last(where: isWanted)
            ?? (wrapping ? nextRound.last(where: isWanted) : nil)
    }

    /// The nearest entry before the current one that `isWanted`.
    ///
    /// Before the first that was played comes the end of the round: what would be played last of it (C120).
    func preceding(wrapping: Bool, where isWanted: (UInt32) -> Bool) -> UInt32? {
        let played = history[..<cursor].last(where: isWanted)
        guard played == nil, wrapping else { return played }
        return upcoming.isEmpty ? history[cursor...].last(where: isWanted) : upcoming.first(where: isWanted)
    }

    // MARK: Walking

    /// Goes on to `entry`, one of those that follow; those between are left out of the round.
    mutating func moveForward(to entry: UInt32, in table: EntryTable, using random: inout RandomSource) {
        if let place = history[(cursor + 1)...].firstIndex(of: entry) {
            cursor = place
        } else {
            if let place = upcoming.lastIndex(of: entry) {
                upcoming.removeSubrange(place...)
            } else if let place = nextRound.lastIndex(of: entry) {
                upcoming = Array(nextRound[..<place])
                nextRound = []
            }
            append(entry)
        }
        drawNextRound(in: table, using: &random)
    }

    /// Goes back to `entry`, one of those that precede.
    mutating func moveBack(to entry: UInt32, in table: EntryTable, using random: inout RandomSource) {
        if let place = history[..<cursor].lastIndex(of: entry) {
            cursor = place
        } else if let place = upcoming.firstIndex(of: entry) {
            upcoming.remove(at: place)
            history.insert(entry, at: 0)
            if history.count > Self.historyLimit { history.removeLast() }
            cursor = 0
        } else if let place = history.lastIndex(of: entry) {
            cursor = place
        }
        drawNextRound(in: table, using: &random)
    }

    /// Plays `entry` now, wherever it would have come: it is taken out of the rest of the round.
    ///
    /// What follows it in its album comes next where albums are shuffled, unless it was next anyway.
    mutating func jump(to entry: UInt32, in table: EntryTable, using random: inout RandomSource) {
        history.removeSubrange((cursor + 1)...)
        if upcoming.last == entry {
            upcoming.removeLast()
        } else {
            upcoming.removeAll { $0 == entry }
            if kind == .albums { bringForward(restOfAlbumOf: entry, in: table) }
        }
        append(entry)
        drawNextRound(in: table, using: &random)
    }

    private mutating func bringForward(restOfAlbumOf entry: UInt32, in table: EntryTable) {
        guard let index = table.index(of: entry) else { return }
        let rest = table.rows.indices[(index + 1)...].filter { table.areOfOneAlbum(index, $0) }
        let numbers = rest.map { table.rows[$0].number }
        let members = EntrySet(numbers)
        let waiting = EntrySet(upcoming.filter(members.contains))
        upcoming.removeAll(where: members.contains)
        upcoming.append(contentsOf: numbers.reversed().filter(waiting.contains))
    }

    /// The entry that a new round begins with: not the one just heard, nor its album.
    func firstOfNewRound(in table: EntryTable, using random: inout RandomSource) -> UInt32? {
        var new = self
        (new.history, new.cursor, new.upcoming, new.nextRound) = ([history[cursor]], 0, [], [])
        new.drawNextRound(in: table, using: &random)
        return new.nextRound.last
    }

    // MARK: Edits

    /// Takes new entries in behind the current one, in their order.
    ///
    /// What had been gone back over is left: it has been heard.
    mutating func insertNext(_ new: some BidirectionalCollection<UInt32>) {
        history.removeSubrange((cursor + 1)...)
        upcoming.append(contentsOf: new.reversed())
        nextRound = []
    }

    /// Takes the new entries at these places of the list into the rest of the round, each at a random place.
    ///
    /// Where albums are shuffled, neighbours of one album stay together and no other album is parted.
    mutating func insert(_ places: Range<Int>, in table: EntryTable, using random: inout RandomSource) {
        var groups = places.map { $0..<($0 + 1) }
        if kind == .albums {
            groups = []
            for place in places {
                if let last = groups.last, table.areOfOneAlbum(last.lowerBound, place) {
                    groups[groups.count - 1] = last.lowerBound..<(place + 1)
                } else {
                    groups.append(place..<(place + 1))
                }
            }
        }
        groups.shuffle(using: &random)
        var gaps: [(gap: Int, group: Int)] = []
        for group in groups.indices {
            let gap = Int.random(in: 0...upcoming.count, using: &random)
            gaps.append((kind == .albums ? gapBehindAlbum(gap, in: table) : gap, group))
        }
        gaps.sort { $0 < $1 }

        var merged: [UInt32] = []
        merged.reserveCapacity(upcoming.count + places.count)
        var copied = 0
        for (gap, group) in gaps {
            merged.append(contentsOf: upcoming[copied..<gap])
            for place in groups[group].reversed() { merged.append(table.rows[place].number) }
            copied = gap
        }
        merged.append(contentsOf: upcoming[copied...])
        upcoming = merged
        nextRound = []
    }

    /// The gap behind the album that this one would part.
    private func gapBehindAlbum(_ gap: Int, in table: EntryTable) -> Int {
        var gap = gap
        let before = gap < upcoming.count ? upcoming[gap] : history[history.count - 1]
        guard var left = table.index(of: before) else { return gap }
        while gap > 0, let right = table.index(of: upcoming[gap - 1], near: left),
            table.areOfOneAlbum(left, right)
        {
            (left, gap) = (right, gap - 1)
        }
        return gap
    }

    /// Forgets entries, which `table` has no more; what follows becomes current where the current one is among them.
    ///
    /// At least one entry stays.
    ///
    /// - Returns: The number of what is current now.
    mutating func remove(
        _ gone: EntrySet,
        leaving table: EntryTable,
        using random: inout RandomSource
    ) -> UInt32 {
        var kept: [UInt32] = []
        var place: Int?
        for (index, entry) in history.enumerated() where !gone.contains(entry) {
            // Two plays of a track with nothing left between them are one.
            if kept.last != entry { kept.append(entry) }
            if index >= cursor, place == nil { place = kept.count - 1 }
        }
        history = kept
        upcoming.removeAll(where: gone.contains)
        nextRound.removeAll(where: gone.contains)
        forgetNextRoundIfHeard()
        if let place {
            cursor = place
        } else {
            cursor = max(0, history.count - 1)
            drawNextRound(in: table, using: &random)
            if upcoming.isEmpty { (upcoming, nextRound) = (nextRound, []) }
            if let next = upcoming.popLast() { append(next) }
        }
        drawNextRound(in: table, using: &random)
        return history[cursor]
    }

    /// What begins the next round must not be what was just heard.
    private mutating func forgetNextRoundIfHeard() {
        if kind == .albums || nextRound.last == history.last { nextRound = [] }
    }

    private mutating func append(_ entry: UInt32) {
        if history.last != entry { history.append(entry) }
        if history.count > Self.historyLimit { history.removeFirst(history.count - Self.historyLimit) }
        cursor = history.count - 1
        forgetNextRoundIfHeard()
    }

    private mutating func drawNextRound(in table: EntryTable, using random: inout RandomSource) {
        guard upcoming.isEmpty, nextRound.isEmpty else { return }
        switch kind {
        case .tracks:
            nextRound = table.rows.map(\.number)
            nextRound.shuffle(using: &random)
            guard nextRound.count > 1, nextRound.last == history.last else { return }
            nextRound.swapAt(nextRound.count - 1, Int.random(in: 0..<nextRound.count - 1, using: &random))
        case .albums:
            nextRound = table.albumRound(after: history.last, using: &random).reversed()
        }
    }
}
