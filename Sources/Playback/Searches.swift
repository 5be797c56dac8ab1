import Music

/// The searches for music that are going on, and what becomes of what they find.
struct Searches {
    enum Purpose {
        /// To play behind the current track.
        case open
        /// To be the queue, made of a playlist or not.
        case queue(playing: Bool, PlaylistID?)
        /// To be added; who asked for it is told how much it was.
        case addition(QueuePlace, (Int) -> Void)

        /// Whether clients hear of what is found entry by entry, and not of a queue that is another.
        var isAddition: Bool {
            if case .addition = self { true } else { false }
        }
    }

    struct Search {
        let purpose: Purpose
        /// What was found last, behind which the next goes; `nil` until something is found.
        var last: TrackID?
        var count = 0
    }

    private var running: [UInt64: Search] = [:]
    private var latest: UInt64 = 0

    /// The search with this number; `nil` where it is over or not wanted any more.
    subscript(number: UInt64) -> Search? { running[number] }

    /// Whether something is to become the queue, and nothing of it is found yet.
    var isQueueAwaited: Bool {
        running.values.contains { search in
            if case .queue = search.purpose { search.last == nil } else { false }
        }
    }

    /// Gives the number of a new search.
    mutating func begin(_ purpose: Purpose) -> UInt64 {
        latest += 1
        running[latest] = Search(purpose: purpose)
        return latest
    }

    mutating func note(_ number: UInt64, last: TrackID?, count: Int) {
        running[number]?.last = last
        running[number]?.count += count
    }

    mutating func end(_ number: UInt64) {
        guard let search = running.removeValue(forKey: number) else { return }
        if case .addition(_, let isAdded) = search.purpose { isAdded(search.count) }
    }

    mutating func endAll() {
        for number in running.keys.sorted() { end(number) }
    }
}
