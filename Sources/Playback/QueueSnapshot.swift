import Music

/// The whole queue as bytes, to outlive the process: tables are written and read in one go, so that a queue of 100,000
/// takes no time worth naming.
extension PlayQueue {
    private static let version: UInt32 = 1
    private static let none = UInt32.max

    /// The queue as ``init(encoded:)`` reads it.
    package func encoded() -> [UInt8] {
        let drawn =
            (shuffle?.history.count ?? 0) + (shuffle?.upcoming.count ?? 0) + (shuffle?.nextRound.count ?? 0)
        var writer = ByteWriter(reserving: table.byteCount + drawn * 4 + 64)
        writer.put(Self.version)
        writer.put(currentIndex.map(UInt32.init) ?? Self.none)
        writer.put(shuffleKind?.code ?? 0)
        writer.put(nextNumber)
        writer.put(random.state)
        table.put(into: &writer)
        if let shuffle {
            writer.put(UInt32(shuffle.cursor))
            for numbers in [shuffle.history, shuffle.upcoming, shuffle.nextRound] {
                writer.put(UInt32(numbers.count))
                writer.put(words: numbers)
            }
        }
        return writer.bytes
    }

    /// The queue that ``encoded()`` has written, or `nil` where the bytes, whatever they are, hold none.
    package init?(encoded bytes: UnsafeRawBufferPointer) {
        var reader = ByteReader(bytes)
        guard reader.take(UInt32.self) == Self.version,
            let current = reader.take(UInt32.self), let kind = reader.take(UInt8.self), kind <= 2,
            let nextNumber = reader.take(UInt32.self), let state = reader.take(UInt64.self),
            let table = EntryTable(from: &reader)
        else { return nil }
        self.init(seed: state)
        (self.table, self.shuffleKind, self.nextNumber) = (table, ShuffleKind(code: kind), nextNumber)
        guard table.rows.isEmpty == (current == Self.none), current == Self.none || current < count else {
            return nil
        }
        currentIndex = current == Self.none ? nil : Int(current)
        guard table.rows.allSatisfy({ $0.number != 0 && $0.number < UInt32.max }) else { return nil }
        if let shuffleKind, let currentIndex, count > 1 {
            guard let cursor = reader.take(UInt32.self), let history = reader.takeNumbers(),
                let upcoming = reader.takeNumbers(), let nextRound = reader.takeNumbers(),
                let order = ShuffleOrder(
                    shuffleKind,
                    history: history,
                    cursor: Int(cursor),
                    upcoming: upcoming,
                    nextRound: nextRound,
                    current: table.rows[currentIndex].number,
                    in: table
                )
            else { return nil }
            shuffle = order
        }
        guard reader.isAtEnd else { return nil }
    }
}

extension ShuffleKind {
    /// What stands for it in bytes; 0 stands for none.
    var code: UInt8 {
        switch self {
        case .tracks: 1
        case .albums: 2
        }
    }

    init?(code: UInt8) {
        switch code {
        case 1: self = .tracks
        case 2: self = .albums
        default: return nil
        }
    }
}

extension ByteReader {
    fileprivate mutating func takeNumbers() -> [UInt32]? {
        take(UInt32.self).flatMap { take(words: $0, of: UInt32.self) }
    }
}
