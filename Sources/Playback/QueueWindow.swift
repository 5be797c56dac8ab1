import Music

/// The stretch of a long queue that is shown: some entries before the current one and some behind (T-1, C153).
///
/// It rests while the current entry is well inside, so that a list which somebody looks at does not change with every
/// track.
struct QueueWindow: Equatable {
    /// The places in the list.
    private(set) var places = 0..<0
    /// The entry at the first place, by which the window stays where it is when the queue is edited in front of it.
    private var first: TrackID?

    private static let size = 100
    /// How near the current entry may come to an end behind which there is more.
    private static let margin = 10

    mutating func follow(_ queue: PlayQueue) {
        defer { first = places.isEmpty ? nil : queue[places.lowerBound].id }
        guard queue.count > Self.size, let current = queue.currentIndex else {
            places = 0..<queue.count
            return
        }
        let start = first.flatMap(queue.index).map { min($0, queue.count - Self.size) }
        if let start, isWell(current, inside: start..<start + Self.size, of: queue.count) {
            places = start..<start + Self.size
        } else {
            let start = min(max(0, current - Self.size / 2), queue.count - Self.size)
            places = start..<start + Self.size
        }
    }

    private func isWell(_ current: Int, inside places: Range<Int>, of count: Int) -> Bool {
        let lower = places.lowerBound == 0 ? 0 : places.lowerBound + Self.margin
        let upper = places.upperBound == count ? count : places.upperBound - Self.margin
        return (lower..<upper).contains(current)
    }
}
