import Glibc
package import Music

/// The stretch at the end of a track in which the next one has begun already.
package struct Overlap: Equatable, Sendable {
    /// Where in the track that ends the other begins.
    package var start: TrackTime
    /// From there to the end.
    package var length: TrackTime

    package init(start: TrackTime, length: TrackTime) {
        self.start = start
        self.length = length
    }
}

/// How two sounds are mixed while one goes and the other comes, frame by frame.
///
/// The squares of both gains add up to 1: different tracks have nothing to do with one another, so their powers add and
/// the loudness stays. (Gains that add up to 1 would halve the power in the middle, which is heard as a hole.)
struct Crossfade: Equatable {
    /// Frames in all.
    let length: Int64
    /// Frames mixed so far.
    private(set) var done: Int64 = 0

    init(length: Int64) {
        self.length = max(0, length)
    }

    var rest: Int64 { length - done }

    /// What the samples of frame `frame` are multiplied by.
    func gains(at frame: Int64) -> (leaving: Float, entering: Float) {
        let angle = (Float(frame) + 0.5) / Float(length) * (.pi / 2)
        return (cosf(angle), sinf(angle))
    }

    /// Mixes the next frames, no more than the rest, into those of the sound that enters; both have as many samples.
    mutating func mix(
        _ leaving: UnsafeBufferPointer<Float>,
        into entering: UnsafeMutableBufferPointer<Float>,
        channels: Int
    ) {
        for start in stride(from: 0, to: entering.count, by: channels) {
            let gains = gains(at: done)
            for index in start..<start + channels {
                entering[index] = entering[index] * gains.entering + leaving[index] * gains.leaving
            }
            done += 1
        }
    }
}

/// A track that begins over the end of another of the same format.
///
/// To who reads it is the one that enters, and its frames are counted as that one's; the other is let go when the
/// overlap is over or left by a seek. Where one of them ends within the overlap or is broken there, the other is faded
/// all the same.
final class CrossfadeDecoder: Decoder {
    private let entering: any Decoder
    private var leaving: (any Decoder)?
    private let leavingFailed: (DecoderError) -> Void
    private var crossfade: Crossfade
    /// What the track that enters has said instead of samples within the overlap.
    private var outcome: Result<Decoded, DecoderError>?

    /// Both decoders stand where the overlap of `length` begins; `leavingFailed` is told where the first is broken.
    init(
        from leaving: any Decoder,
        to entering: any Decoder,
        length: TrackTime,
        leavingFailed: @escaping (DecoderError) -> Void
    ) {
        self.leaving = leaving
        self.entering = entering
        self.leavingFailed = leavingFailed
        crossfade = Crossfade(length: length.frames(rate: entering.format.rate))
    }

    var format: StreamFormat { entering.format }

    func length() throws(DecoderError) -> Int64? { try entering.length() }

    func seek(to frame: Int64) throws(DecoderError) {
        endOverlap()
        outcome = nil
        try entering.seek(to: frame)
    }

    func read(into samples: UnsafeMutableBufferPointer<Float>) throws(DecoderError) -> Decoded {
        let channels = Int(format.channels)
        let count = min(samples.count / channels, Int(crossfade.rest)) * channels
        let mixed = mix(into: UnsafeMutableBufferPointer(rebasing: samples[..<count]))
        if mixed > 0 { return .samples(mixed) }
        endOverlap()
        guard let outcome else { return try entering.read(into: samples) }
        self.outcome = nil
        return try outcome.get()
    }

    private func endOverlap() {
        leaving = nil
        crossfade = Crossfade(length: 0)
    }

    /// The next samples of the overlap, 0 when it is over.
    private func mix(into samples: UnsafeMutableBufferPointer<Float>) -> Int {
        guard !samples.isEmpty else { return 0 }
        let entered = readEntering(into: samples)
        // What comes then is of another format.
        if case .success(.formatChange) = outcome { return 0 }
        return withUnsafeTemporaryAllocation(of: Float.self, capacity: entered ?? samples.count) { other in
            let left = readLeaving(into: other)
            let count = entered ?? left
            other[left...].initialize(repeating: 0)
            if entered == nil { samples.update(repeating: 0) }
            crossfade.mix(
                UnsafeBufferPointer(rebasing: other[..<count]),
                into: UnsafeMutableBufferPointer(rebasing: samples[..<count]),
                channels: Int(format.channels)
            )
            return count
        }
    }

    /// How many samples the track that enters gives; `nil` when there are no more.
    private func readEntering(into samples: UnsafeMutableBufferPointer<Float>) -> Int? {
        guard outcome == nil else { return nil }
        do throws(DecoderError) {
            let decoded = try entering.read(into: samples)
            if case .samples(let count) = decoded { return count }
            outcome = .success(decoded)
        } catch {
            outcome = .failure(error)
        }
        return nil
    }

    /// Fills `samples` as far as the track that leaves goes.
    private func readLeaving(into samples: UnsafeMutableBufferPointer<Float>) -> Int {
        var filled = 0
        while filled < samples.count, let leaving {
            do throws(DecoderError) {
                let room = UnsafeMutableBufferPointer(rebasing: samples[filled...])
                if case .samples(let count) = try leaving.read(into: room) {
                    filled += count
                } else {
                    self.leaving = nil
                }
            } catch {
                leavingFailed(error)
                self.leaving = nil
            }
        }
        return filled
    }
}
