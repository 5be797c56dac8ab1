import Music

/// How each edit changes the queue.
extension PlayQueue {
    /// Carries out an edit; one that names what is not there does nothing.
    ///
    /// Where entries are taken out, the next that stays is current, round the end if need be. The round of a shuffle and
    /// its history survive all but a new queue, a rewind and a change of the shuffle. What is inserted directly behind
    /// the current entry comes next also when shuffled, unless that was the only one: then there is no order yet.
    package mutating func apply(_ edit: QueueEdit) {
        switch edit {
        case .replace(let locations): replace(with: locations)
        case .insert(let locations, let index):
            let place = min(max(0, index), count)
            insert(locations, at: place, isNext: place == currentIndex.map { $0 + 1 })
        case .append(let locations): insert(locations, at: count, isNext: false)
        case .remove(let ids): remove(ids)
        case .move(let ids, let after): move(ids, after: after)
        case .goForward(let id):
            go(to: id) { $0.moveForward(to: $1, in: $2, using: &$3) }
        case .goBack(let id):
            go(to: id) { $0.moveBack(to: $1, in: $2, using: &$3) }
        case .jump(let id):
            go(to: id) { $0.jump(to: $1, in: $2, using: &$3) }
        case .rewind: rewind()
        case .shuffle(let kind):
            guard kind != shuffleKind else { return }
            shuffleKind = kind
            beginRound()
        case .relocate(let old, let new): table.relocate(from: old, to: new)
        }
    }

    private mutating func go(
        to id: TrackID,
        _ walk: (inout ShuffleOrder, UInt32, EntryTable, inout RandomSource) -> Void
    ) {
        guard let index = index(of: id) else { return }
        currentIndex = index
        guard var order = shuffle else { return }
        // Lest the order be copied when it changes.
        shuffle = nil
        walk(&order, table.rows[index].number, table, &random)
        shuffle = order
    }

    private mutating func replace(with locations: [TrackLocation]) {
        table = EntryTable()
        table.insert(locations, at: 0, numberedFrom: takeNumbers(locations.count))
        currentIndex = locations.isEmpty ? nil : 0
        beginRound()
    }

    private mutating func insert(_ locations: [TrackLocation], at place: Int, isNext: Bool) {
        guard !locations.isEmpty else { return }
        table.insert(locations, at: place, numberedFrom: takeNumbers(locations.count))
        currentIndex = currentIndex.map { $0 < place ? $0 : $0 + locations.count } ?? 0
        let new = place..<(place + locations.count)
        if shuffle == nil {
            beginRound()
        } else if isNext {
            shuffle?.insertNext(table.rows[new].map(\.number))
        } else {
            shuffle?.insert(new, in: table, using: &random)
        }
    }

    private mutating func remove(_ ids: [TrackID]) {
        let gone = EntrySet(ids.compactMap { UInt32(exactly: $0.number) })
        guard let currentIndex, table.rows.contains(where: { gone.contains($0.number) }) else { return }
        func stays(_ row: EntryTable.Row) -> Bool { !gone.contains(row.number) }
        let successor = table.rows[currentIndex...].first(where: stays) ?? table.rows.first(where: stays)
        table.remove(gone)
        var current = successor?.number
        if count < 2 {
            shuffle = nil
        } else if let next = shuffle?.remove(gone, leaving: table, using: &random) {
            current = next
        }
        self.currentIndex = current.flatMap { table.index(of: $0) }
    }

    private mutating func move(_ ids: [TrackID], after: TrackID?) {
        let moved = EntrySet(ids.compactMap { UInt32(exactly: $0.number) })
        guard let currentIndex else { return }
        var target: UInt32?
        if let after {
            guard let index = index(of: after), !moved.contains(table.rows[index].number) else { return }
            target = table.rows[index].number
        }
        let current = table.rows[currentIndex].number
        table.move(moved, after: target)
        self.currentIndex = table.index(of: current)
    }

    private mutating func rewind() {
        guard let currentIndex else { return }
        if let shuffle, let first = shuffle.firstOfNewRound(in: table, using: &random) {
            self.currentIndex = table.index(of: first) ?? currentIndex
        } else {
            self.currentIndex = 0
        }
        beginRound()
    }

    private mutating func beginRound() {
        guard let shuffleKind, count > 1, let currentIndex else {
            shuffle = nil
            return
        }
        shuffle = ShuffleOrder(
            shuffleKind,
            current: table.rows[currentIndex].number,
            in: table,
            using: &random
        )
    }

    /// The first of `count` numbers in a row that no entry has.
    ///
    /// They begin anew when they are used up, behind those of the entries that are still there.
    private mutating func takeNumbers(_ count: Int) -> UInt32 {
        if count >= Int(UInt32.max - nextNumber) {
            nextNumber = 1
            while let taken = table.rows.lazy.map(\.number).filter({ [nextNumber] in
                $0 >= nextNumber && Int($0) < Int(nextNumber) + count
            }).max() {
                nextNumber = taken + 1
            }
        }
        defer { nextNumber += UInt32(count) }
        return nextNumber
    }
}
