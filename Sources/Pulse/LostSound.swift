import Music

/// Sound that has gone with its server or its device's sleep, and may be there again in a moment.
struct LostSound: Equatable {
    /// The name of the sink that it was heard on: back is only what is back there.
    let sink: String
    private let instant: Instant
    /// Whether the sink is there and must only wake up.
    var isAsleep = false

    /// How often its return is looked for.
    static let interval = TrackTime.seconds(0.25)
    /// Whoever has waited for longer does something else by now, and would be frightened.
    private static let longest = TrackTime.seconds(5)
    /// A server that ends has ended so soon after its streams.
    private static let shutdown = TrackTime.seconds(1)

    init(of sink: String, at instant: Instant) {
        self.sink = sink
        self.instant = instant
    }

    /// Whether it has been away for too long to come back by itself.
    func isOver(at now: Instant) -> Bool { now.since(instant) > Self.longest }

    /// Whether a connection that ends now ends for the same reason.
    func isFresh(at now: Instant) -> Bool { now.since(instant) < Self.shutdown }

    /// Whether a stream that is made on `found` is heard where this was.
    func isBack(on found: SinkState) -> Bool {
        found.name == sink && !(isAsleep && found.isSuspended)
    }
}
