import CPulse

/// How much a device may have got ahead of what is heard, in microseconds.
///
/// The server tells how much it is now and how much it lets it be at most. Where others listen in, or the server thinks
/// otherwise, it is much less: what was seen a few times is believed.
struct DeviceDepth: Equatable {
    /// It has not got more than this, most likely.
    private(set) var bound: pa_usec_t = 100_000

    private var deepest: pa_usec_t = 0
    private var count = 0

    private static let fewest = 3
    /// Between two looks it may have been this much deeper.
    private static let slack: pa_usec_t = 5_000

    /// Takes in what the server tells of a device that plays.
    mutating func note(_ depth: pa_usec_t, atMost configured: pa_usec_t) {
        count += 1
        deepest = max(deepest, depth)
        bound =
            count < Self.fewest
            ? max(configured, deepest) : max(deepest, min(configured, deepest + Self.slack))
    }
}
