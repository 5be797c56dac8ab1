import Music

/// When what has happened in the library's folders is looked at: after a quiet second, since much often happens at once,
/// but no later than a second and a half after the first of it, since quiet may never come (C232).
struct QuietTime {
    private var first: Instant?
    private var latest: Instant?

    /// Something has happened.
    mutating func note(_ now: Instant) {
        first = first ?? now
        latest = now
    }

    /// How long to wait from now; `nil` where nothing has happened.
    func wait(from now: Instant) -> TrackTime? {
        guard let first, let latest else { return nil }
        let due = min(latest.advanced(by: .seconds(1)), first.advanced(by: .seconds(1.5)))
        return max(.zero, due.since(now))
    }

    /// It is looked at.
    mutating func end() {
        self = QuietTime()
    }
}
