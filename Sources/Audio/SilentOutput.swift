package import EventLoop
package import Music

/// An output that plays to nobody in real time: for machines without sound, and for tests.
///
/// It behaves as a sound server does that buffers two seconds, and wakes about once a second while playing.
package final class SilentOutput: AudioOutput {
    package weak var source: (any OutputSource)?
    package var volume: Double?

    private let now: () -> Instant
    private let timer: Timer
    private var stream: Stream?

    private struct Stream {
        let format: StreamFormat
        var isPaused: Bool
        var isDraining = false
        /// Frames taken and not played at `instant`.
        var held: Int64 = 0
        var instant: Instant

        var isAdvancing: Bool { !isPaused && held > 0 }

        /// Plays up to `now`.
        mutating func advance(to now: Instant) {
            if isAdvancing { held = max(0, held - now.since(instant).frames(rate: format.rate)) }
            instant = now
        }
    }

    private static let buffered = TrackTime.seconds(2)
    private static let refilled = TrackTime.seconds(1)

    package init(loop: EventLoop, now: @escaping () -> Instant = Instant.now) {
        final class Later { weak var output: SilentOutput? }
        let later = Later()
        self.now = now
        timer = loop.timer { later.output?.attend() }
        later.output = self
    }

    package func open(_ format: StreamFormat, paused: Bool, beginsInMidWave: Bool) {
        stream = Stream(format: format, isPaused: paused, instant: now())
        timer.start(after: .zero)
    }

    package func setPaused(_ paused: Bool) {
        stream?.advance(to: now())
        stream?.isPaused = paused
        tellTiming()
    }

    package func prepare(_ format: StreamFormat) {}

    package func takeBack(_ frames: Int64) -> Bool {
        stream?.advance(to: now())
        guard let held = stream?.held, frames <= held else { return false }
        stream?.held -= frames
        stream?.isDraining = false
        tellTiming()
        return true
    }

    package func cut(beginsInMidWave: Bool) {
        guard let stream else { return }
        self.stream = Stream(format: stream.format, isPaused: stream.isPaused, instant: now())
        timer.start(after: .zero)
    }

    package func sourceHasSound() {
        stream?.isDraining = false
        attend()
    }

    package func drain() {
        stream?.isDraining = true
        attend()
    }

    package func close() {
        stream = nil
        timer.stop()
    }

    /// Plays up to now, refills, tells the timing, and sleeps until there is something to do again.
    private func attend() {
        stream?.advance(to: now())
        guard let stream else { return }
        if stream.isDraining, stream.held == 0 {
            self.stream?.isDraining = false
            source?.outputDrained()
        } else if !stream.isDraining, stream.held <= Self.refilled.frames(rate: stream.format.rate) {
            refill(stream)
        }
        tellTiming()
    }

    private func refill(_ stream: Stream) {
        let channels = Int64(stream.format.channels)
        let room = Int((Self.buffered.frames(rate: stream.format.rate) - stream.held) * channels)
        let count = withUnsafeTemporaryAllocation(of: Float.self, capacity: room) { source?.fill($0) ?? 0 }
        self.stream?.held += Int64(count) / channels
    }

    private func tellTiming() {
        guard let stream else { return }
        source?.outputTimed(unheard: stream.held, at: stream.instant, isAdvancing: stream.isAdvancing)
        guard let stream = self.stream, stream.isAdvancing else {
            timer.stop()
            return
        }
        let refilled = Self.refilled.frames(rate: stream.format.rate)
        let spare = stream.isDraining || stream.held <= refilled ? stream.held : stream.held - refilled
        timer.start(after: TrackTime(frames: spare, rate: stream.format.rate))
    }
}
