/// A moment on the monotonic clock, in nanoseconds: what positions are worked out against.
///
/// Values only: the running clock is `Instant.now()` in EventLoop; tests make their own.
package struct Instant: Hashable, Comparable, Sendable {
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    package static func < (left: Instant, right: Instant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// The time from `other` until this moment; negative when `other` is later.
    package func since(_ other: Instant) -> TrackTime {
        TrackTime(microseconds: (nanoseconds - other.nanoseconds) / 1000)
    }

    package func advanced(by time: TrackTime) -> Instant {
        Instant(nanoseconds: nanoseconds + time.microseconds * 1000)
    }
}
