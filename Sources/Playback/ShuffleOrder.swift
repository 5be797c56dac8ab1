import Music

/// The order in which a shuffled queue is walked: a permutation beside the list, never a reshuffle of it.
///
/// Every entry comes once a round. Back walks what was really played and forward walks it again; only beyond the newest
/// is something new drawn. The next round is another order, which does not begin with the entry just heard (C117 to
/// C122).
struct ShuffleOrder: Equatable, Sendable {
    /// What was played, oldest first, and what was gone back over.
    private var history: [TrackID]
    /// Where in the history the current entry is.
    private var cursor = 0
    /// The rest of this round, next last.
    private var upcoming: [TrackID]
    /// The round after this one, next last; drawn when this one runs out, so that what follows is known in time.
    private var nextRound: [TrackID] = []

    /// More of the past is not kept: enough to walk back for a day.
    private static let historyLimit = 1000

    /// A round that begins with `current`.
    init(current: TrackID, entries: [TrackID], using random: inout RandomSource) {
        history = [current]
        upcoming = entries.filter { $0 != current }.shuffled(using: &random)
        drawNextRound(of: entries, using: &random)
    }

    /// The nearest entry after the current one that `isWanted`, as far as they are drawn.
    func following(wrapping: Bool, where isWanted: (TrackID) -> Bool) -> TrackID? {
        history[(cursor + 1)...].first(where: isWanted) ?? upcoming.last(where: isWanted)
            ?? (wrapping ? nextRound.last(where: isWanted) : nil)
    }

    /// The nearest entry before the current one that `isWanted`.
    ///
    /// Before the first that was played comes the end of the round: what would be played last of it (C120).
    func preceding(wrapping: Bool, where isWanted: (TrackID) -> Bool) -> TrackID? {
        let played = history[..<cursor].last(where: isWanted)
        guard played == nil, wrapping else { return played }
        return upcoming.isEmpty ? history[cursor...].last(where: isWanted) : upcoming.first(where: isWanted)
    }

    /// Goes on to `entry`, one of those that follow; those between are left out of the round.
    mutating func moveForward(
        to entry: TrackID,
        of entries: @autoclosure () -> [TrackID],
        using random: inout RandomSource
    ) {
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
        drawNextRound(of: entries(), using: &random)
    }

    /// Goes back to `entry`, one of those that precede.
    mutating func moveBack(
        to entry: TrackID,
        of entries: @autoclosure () -> [TrackID],
        using random: inout RandomSource
    ) {
        if let place = history[..<cursor].lastIndex(of: entry) {
            cursor = place
        } else if let place = upcoming.firstIndex(of: entry) {
            upcoming.remove(at: place)
            history.insert(entry, at: 0)
            cursor = 0
        } else if let place = history.lastIndex(of: entry) {
            cursor = place
        }
        drawNextRound(of: entries(), using: &random)
    }

    /// Plays `entry` now, wherever it would have come: it is taken out of the rest of the round.
    mutating func jump(
        to entry: TrackID,
        of entries: @autoclosure () -> [TrackID],
        using random: inout RandomSource
    ) {
        upcoming.removeAll { $0 == entry }
        history.removeSubrange((cursor + 1)...)
        append(entry)
        drawNextRound(of: entries(), using: &random)
    }

    /// Takes new entries into the rest of the round, each at a random place.
    mutating func insert(
        _ new: [TrackID],
        of entries: @autoclosure () -> [TrackID],
        using random: inout RandomSource
    ) {
        for entry in new {
            upcoming.insert(entry, at: Int.random(in: 0...upcoming.count, using: &random))
        }
        nextRound = []
        drawNextRound(of: entries(), using: &random)
    }

    private mutating func append(_ entry: TrackID) {
        history.append(entry)
        if history.count > Self.historyLimit { history.removeFirst(history.count - Self.historyLimit) }
        cursor = history.count - 1
    }

    private mutating func drawNextRound(
        of entries: @autoclosure () -> [TrackID],
        using random: inout RandomSource
    ) {
        guard upcoming.isEmpty, nextRound.isEmpty, let last = history.last else { return }
        nextRound = entries().shuffled(using: &random)
        guard nextRound.count > 1, nextRound.last == last else { return }
        nextRound.swapAt(nextRound.count - 1, Int.random(in: 0..<nextRound.count - 1, using: &random))
    }
}
