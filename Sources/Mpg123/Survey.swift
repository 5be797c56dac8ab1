import Audio
import CMpg123
import Music

/// What reading all frame headers of a file tells of it.
struct Survey: Equatable {
    /// Frames of sound, each counted at the rate of its part of the file.
    var frames: Int64
    var parts: RateParts
    /// Where to find places quickly; `nil` in what is so short that it is found quickly anyway.
    var index: SeekIndex?
}

/// The rates in the course of a file: nearly always one, but what has been joined from recordings may change it.
struct RateParts: Equatable {
    struct Part: Equatable {
        /// The first frame of sound that has this rate.
        var start: Int64
        var rate: Int32
    }

    /// At least one; each begins later than the one before.
    private(set) var parts: [Part]

    init(rate: Int32) {
        parts = [Part(start: 0, rate: rate)]
    }

    var first: Int32 { parts[0].rate }
    var isOne: Bool { parts.count == 1 }

    /// Notes the rate from `start` on; noise that looks like a hundred rates keeps the first ones.
    mutating func note(_ rate: Int32, from start: Int64) {
        guard let last = parts.last, last.rate != rate, parts.count < 100 else { return }
        if last.start >= start { parts.removeLast() }
        if parts.last?.rate != rate { parts.append(Part(start: start, rate: rate)) }
    }

    /// The same after `count` frames in front have been cut off.
    func trimmed(by count: Int64) -> RateParts {
        var trimmed = RateParts(rate: first)
        for part in parts.dropFirst() { trimmed.note(part.rate, from: max(0, part.start - count)) }
        return trimmed
    }

    /// How long the first `frames` of the file last.
    func time(of frames: Int64) -> TrackTime {
        var time = TrackTime.zero
        for (index, part) in parts.enumerated() where part.start < frames {
            let end = index + 1 < parts.count ? min(parts[index + 1].start, frames) : frames
            time = time + TrackTime(frames: end - part.start, rate: part.rate)
        }
        return time
    }

    /// The frame that is heard at `time`.
    func frame(at time: TrackTime) -> Int64 {
        let part = parts.last { self.time(of: $0.start) <= time } ?? parts[0]
        return part.start + (time - self.time(of: part.start)).frames(rate: part.rate)
    }
}
