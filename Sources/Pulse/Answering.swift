import Music

/// Whether a server that should be playing does, found out with as few questions as can be: one that plays asks
/// for more about once a second anyhow, and is asked only when it has not.
struct Answering: Equatable {
    /// What is another from one answer of the server to the next.
    enum Progress: Equatable {
        /// It holds sound, has played so much of it and has asked for more so often.
        case sound(upTo: Int64, requests: Int)
        /// It holds none, and this is when it said so.
        case answer(microseconds: Int64)

        fileprivate var isBeyondStart: Bool {
            if case .sound(let place, _) = self { place > 0 } else { false }
        }
    }

    enum Finding: Equatable {
        case plays
        /// Nothing has changed: it is to be asked.
        case ask
        case hangs
    }

    /// The time from one look to the next.
    static let interval = TrackTime.seconds(1.5)
    /// A connection or a stream may take more time until it is there: the server itself may have to be started.
    private static let looksAtBeginning = 4

    /// Whether the stream has ever gone on: one that never has will hardly do so on a second attempt.
    private(set) var hasPlayed = false
    private var last: Progress?
    private var vainLooks = 0

    /// Looks once more; `progress` is `nil` until the stream is there and the server has told of it.
    mutating func look(at progress: Progress?) -> Finding {
        if let progress, note(progress) { return .plays }
        vainLooks += 1
        if last == nil { return vainLooks < Self.looksAtBeginning ? .plays : .hangs }
        return vainLooks == 1 ? .ask : .hangs
    }

    /// Takes note of how far the server has come; whether that is anywhere else than before.
    mutating func note(_ progress: Progress) -> Bool {
        guard progress != last else { return false }
        if last != nil || progress.isBeyondStart { hasPlayed = true }
        last = progress
        vainLooks = 0
        return true
    }

    /// Nothing is to be played for a while.
    mutating func rest() {
        last = nil
        vainLooks = 0
    }
}
