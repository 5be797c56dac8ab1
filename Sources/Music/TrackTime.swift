/// A position or a length within a track, in microseconds as MPRIS counts it.
package struct TrackTime: Hashable, Comparable, Sendable {
    /// Microseconds; a position is never negative, an offset may be.
    package var microseconds: Int64

    package static let zero = TrackTime(microseconds: 0)

    package init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// The time that `frames` sample frames last at `rate` frames a second, rounded down to the microsecond.
    package init(frames: Int64, rate: Int32) {
        let (seconds, rest) = frames.quotientAndRemainder(dividingBy: Int64(rate))
        microseconds = seconds * 1_000_000 + rest * 1_000_000 / Int64(rate)
    }

    /// The sample frame at this time: the inverse of ``init(frames:rate:)`` for every frame number.
    package func frames(rate: Int32) -> Int64 {
        let (seconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return seconds * Int64(rate) + (rest * Int64(rate) + 999_999) / 1_000_000
    }

    package static func < (left: TrackTime, right: TrackTime) -> Bool {
        left.microseconds < right.microseconds
    }

    /// The sum, held at the ends of the range instead of overflowing: offsets come from the bus (C-33).
    package static func + (left: TrackTime, right: TrackTime) -> TrackTime {
        let (sum, overflow) = left.microseconds.addingReportingOverflow(right.microseconds)
        guard overflow else { return TrackTime(microseconds: sum) }
        return TrackTime(microseconds: right.microseconds < 0 ? .min : .max)
    }

    /// The difference, held at the ends of the range likewise.
    package static func - (left: TrackTime, right: TrackTime) -> TrackTime {
        let (difference, overflow) = left.microseconds.subtractingReportingOverflow(right.microseconds)
        guard overflow else { return TrackTime(microseconds: difference) }
        return TrackTime(microseconds: right.microseconds < 0 ? .max : .min)
    }

    /// Seconds as people write them, to the nearest microsecond; times beyond the range become its ends.
    package static func seconds(_ seconds: Double) -> TrackTime {
        let microseconds = seconds * 1_000_000 + (seconds < 0 ? -0.5 : 0.5)
        guard microseconds > -9e18 else { return TrackTime(microseconds: .min) }
        return TrackTime(microseconds: microseconds < 9e18 ? Int64(microseconds) : .max)
    }
}

extension TrackTime: CustomStringConvertible {
    /// As a display shows it: `m:ss`, with hours `h:mm:ss`.
    package var description: String {
        let total = max(0, microseconds) / 1_000_000
        let (hours, minutes, seconds) = (total / 3600, total / 60 % 60, total % 60)
        func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return hours > 0 ? "\(hours):\(two(minutes)):\(two(seconds))" : "\(minutes):\(two(seconds))"
    }
}
