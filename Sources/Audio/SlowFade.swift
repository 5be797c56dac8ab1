import Music

/// Music that grows softer towards a moment at which nothing is to be heard of it.
///
/// What counts is when a frame is heard, not which one it is: tracks may follow each other meanwhile.
struct SlowFade: Equatable {
    let end: Instant
    private let length: TrackTime

    private static let longest = TrackTime.seconds(10)

    /// Begins ten seconds before `end`, or at once where that is sooner.
    init(until end: Instant, from now: Instant) {
        self.end = end
        length = min(Self.longest, max(end.since(now), TrackTime(microseconds: 1)))
    }

    /// Softens `samples`, of which the first frame is heard at `first`; returns whether there was anything to soften.
    func apply(
        to samples: UnsafeMutableBufferPointer<Float>,
        format: StreamFormat,
        heardFrom first: Instant
    ) -> Bool {
        let channels = Int(format.channels)
        let frames = samples.count / channels
        let left = end.since(first)
        guard left - TrackTime(frames: Int64(frames), rate: format.rate) < length else { return false }
        let start = Float(left.microseconds) / Float(length.microseconds)
        let step = 1_000_000 / (Float(format.rate) * Float(length.microseconds))
        for frame in 0..<frames {
            let rest = min(1, max(0, start - Float(frame) * step))
            // Loudness as it is felt goes down evenly rather with the square.
            let gain = rest * rest
            for sample in frame * channels..<(frame + 1) * channels { samples[sample] *= gain }
        }
        return true
    }
}
