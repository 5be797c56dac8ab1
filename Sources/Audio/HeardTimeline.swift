import Music

/// What is heard when, worked out from what was handed to the output and from what the output says of its timing.
///
/// A value without a clock: the same questions at the same instants give the same answers. Frames are counted from the
/// moment the stream was opened or cut, which begins a new timeline.
struct HeardTimeline: Equatable {
    /// A stretch of one track in the stream.
    struct Segment: Equatable {
        /// The frame of the stream at which it begins.
        var start: Int64
        var track: DeckTrack
        /// Grows each time that a track begins; the same in a stretch that only continues one.
        var serial: UInt64
        /// The place in the track at which it begins.
        var place: TrackTime
    }

    /// Frames a second, of all segments.
    let rate: Int32
    /// Frames handed to the output so far.
    private(set) var handed: Int64 = 0
    /// What is being heard or comes later, in order.
    private(set) var segments: [Segment] = []

    private var anchorFrame: Int64 = 0
    private var anchorInstant = Instant(nanoseconds: 0)
    private var isAdvancing = false
    /// What had been handed over when the output last spoke: further than that it is not known to have come.
    private var handedAtAnchor: Int64 = 0
    /// Which frame was heard when the sound was last known to move: a clock that was started then runs on, whatever
    /// happens; `nil` before, and while it rests because somebody wants that.
    private var clock: Clock?

    private struct Clock: Equatable {
        var frame: Int64
        var instant: Instant
    }

    /// A clock that is so far ahead of the sound is wrong.
    private static let longestLag = TrackTime.seconds(0.2)
    /// The latest frame that somebody was told is heard: time never runs back (C-30).
    private var floor: Int64 = 0

    init(rate: Int32) {
        self.rate = rate
    }

    /// What is heard now, or was not passed yet.
    var first: Segment? { segments.first }

    /// What is heard last of all that was handed over.
    var last: Segment? { segments.last }

    /// The next frame handed over begins `track` at `place`.
    mutating func begin(_ track: DeckTrack, serial: UInt64, at place: TrackTime) {
        segments.append(Segment(start: handed, track: track, serial: serial, place: place))
    }

    mutating func hand(over frames: Int64) {
        handed += frames
    }

    /// Takes back what was handed over behind the sound with this serial number; returns how many frames, `nil` where
    /// nothing else has begun.
    mutating func takeBack(behind serial: UInt64) -> Int64? {
        guard let seam = segments.first(where: { $0.serial != serial })?.start else { return nil }
        defer { handed = seam }
        segments.removeAll { $0.serial != serial }
        return handed - seam
    }

    /// Takes in what the output says: so many of the handed frames were not heard yet at `instant`.
    ///
    /// Whether it goes on now after it has stood still, so that all clocks which ran on meanwhile are wrong.
    @discardableResult
    mutating func sync(unheard: Int64, at instant: Instant, isAdvancing: Bool) -> Bool {
        // Before the first frame it is negative: what the device still has of something else is heard first.
        anchorFrame = handed - unheard
        anchorInstant = instant
        handedAtAnchor = handed
        self.isAdvancing = isAdvancing
        guard isAdvancing else { return false }
        defer { clock = Clock(frame: anchorFrame, instant: instant) }
        guard let clock, clock.frame > 0 else { return false }
        let moved = TrackTime(frames: max(0, anchorFrame - clock.frame), rate: rate)
        guard instant.since(clock.instant) - moved > Self.longestLag else { return false }
        floor = min(floor, anchorFrame)
        return true
    }

    /// Holds the heard frame where it is at `instant`, until the next sync.
    mutating func freeze(at instant: Instant) {
        anchorFrame = heardFrame(at: instant)
        anchorInstant = instant
        isAdvancing = false
        clock = nil
    }

    /// Holds the heard frame where it was at an earlier instant, whatever was told since.
    mutating func hold(at instant: Instant) {
        floor = 0
        freeze(at: instant)
    }

    /// Whether any of it has been heard at `instant`.
    func isHeard(at instant: Instant) -> Bool {
        isAdvancing || heardFrame(at: instant) > 0
    }

    /// Takes note of what is heard at `instant` and gives its place in its track; `nil` before the first segment.
    mutating func place(at instant: Instant) -> TrackTime? {
        floor = heardFrame(at: instant)
        guard let segment = segments.last(where: { $0.start <= floor }) ?? segments.first else { return nil }
        return segment.place + TrackTime(frames: max(0, floor - segment.start), rate: rate)
    }

    /// Takes off the segments that are over at `instant` and gives the one that is heard.
    mutating func passSegments(at instant: Instant) -> Segment? {
        let heard = heardFrame(at: instant)
        while segments.count > 1, segments[1].start <= heard { segments.removeFirst() }
        return segments.first
    }

    /// How long it is from `instant` until the next segment is heard; `nil` where none is on its way.
    func timeToNextSegment(at instant: Instant) -> TrackTime? {
        guard isAdvancing, segments.count > 1 else { return nil }
        // One frame more, so that rounding does not wake the loop a moment too early.
        return TrackTime(frames: max(0, segments[1].start - heardFrame(at: instant)) + 1, rate: rate)
    }

    /// When the next frame handed over will be heard, if nothing holds up what is before it.
    func timeOfNextFrame(at instant: Instant) -> Instant {
        instant.advanced(by: TrackTime(frames: handed - heardFrame(at: instant), rate: rate))
    }

    private func heardFrame(at instant: Instant) -> Int64 {
        let elapsed = isAdvancing ? max(0, instant.since(anchorInstant).microseconds) : 0
        let heard = anchorFrame + TrackTime(microseconds: elapsed).wholeFrames(rate: rate)
        return max(floor, min(heard, min(handed, handedAtAnchor)))
    }
}

extension TrackTime {
    /// The frames that have wholly gone by at this time.
    fileprivate func wholeFrames(rate: Int32) -> Int64 {
        let (seconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return seconds * Int64(rate) + rest * Int64(rate) / 1_000_000
    }
}
