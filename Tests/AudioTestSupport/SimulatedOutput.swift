package import Audio
package import Music

/// A sound server with a hand-moved clock that remembers what was heard.
///
/// It holds up to a second of sound. Nothing is heard unless the clock is moved.
package final class SimulatedOutput: AudioOutput {
    /// Frames of one track that were heard one after the other, by their numbers.
    package struct Run: Equatable, CustomStringConvertible {
        package var track: Int
        package var frames: Range<Int64>

        package init(_ track: Int, _ frames: Range<Int64>) {
            self.track = track
            self.frames = frames
        }

        package var description: String { "\(track):\(frames)" }
    }

    /// What one frame holds.
    package struct Frame: Equatable {
        package var left: Float
        package var right: Float

        package init(_ left: Float, _ right: Float) {
            self.left = left
            self.right = right
        }
    }

    package weak var source: (any OutputSource)?
    package var volume: Double?

    /// The clock.
    package private(set) var now = Instant(nanoseconds: 1_000_000_000)
    /// All that was heard.
    package private(set) var heard: [Run] = []
    /// The same, frame by frame.
    package private(set) var heardFrames: [Frame] = []
    /// How many frames of silence there were because nothing more had come in time.
    package private(set) var missedFrames = 0
    /// So many frames are with the device already and cannot be taken back.
    package var deviceFrames = 0
    /// The streams opened so far.
    package private(set) var opened: [StreamFormat] = []
    /// The formats to be ready for, as they were told.
    package private(set) var prepared: [StreamFormat] = []
    /// Whether there is a stream.
    package private(set) var isOpen = false

    private var held: [Frame] = []
    private var isPaused = false
    /// Whether what is held is all that there is to play.
    package private(set) var isDraining = false

    package init() {}

    package var heldFrames: Int { held.count }

    package func open(_ format: StreamFormat, paused: Bool, beginsInMidWave: Bool) {
        opened.append(format)
        isOpen = true
        isPaused = paused
        isDraining = false
        held = []
        refill()
    }

    package func setPaused(_ paused: Bool) {
        isPaused = paused
        tellTiming()
    }

    package func prepare(_ format: StreamFormat) {
        prepared.append(format)
    }

    package func takeBack(_ frames: Int64) -> Bool {
        guard frames <= held.count - deviceFrames else { return false }
        held.removeLast(Int(frames))
        isDraining = false
        tellTiming()
        return true
    }

    package func cut(beginsInMidWave: Bool) {
        held = []
        isDraining = false
        refill()
    }

    package func sourceHasSound() {
        isDraining = false
        refill()
    }

    package func drain() {
        isDraining = true
        tellDrained()
    }

    package func close() {
        isOpen = false
        held = []
    }

    /// Moves the clock on, by so many frames of the open stream, a tenth of a second at a time.
    ///
    /// The source is asked and told nothing where `isTold` is `false`.
    package func play(frames: Int, isTold: Bool = true) {
        var rest = frames
        while rest > 0 {
            let rate = Int(opened.last?.rate ?? 1000)
            let step = min(rest, max(1, rate / 10))
            rest -= step
            now = now.advanced(by: TrackTime(frames: Int64(step), rate: Int32(rate)))
            guard isOpen, !isPaused else { continue }
            held.prefix(step).forEach(hear)
            if !isDraining { missedFrames += max(0, step - held.count) }
            held.removeFirst(min(step, held.count))
            guard isTold else { continue }
            refill()
            tellDrained()
        }
    }

    /// Loses the stream, as when the server dies; with `heardUntil` as when it hung.
    package func fail(mayReturn: Bool = false, heardUntil: Instant? = nil) {
        close()
        source?.outputLost(OutputLoss("simulated loss", mayReturn: mayReturn, heardUntil: heardUntil))
    }

    /// Says that there can be sound again.
    package func comeBack() {
        source?.outputReturned()
    }

    /// Plays a little of what is held, if anything is; whether it did.
    package func playALittle() -> Bool {
        guard !held.isEmpty, !isPaused else { return false }
        play(frames: 50)
        return true
    }

    private func hear(_ frame: Frame) {
        heardFrames.append(frame)
        let (track, number) = (Int(frame.left), Int64(frame.right))
        if let last = heard.last, last.track == track, last.frames.upperBound == number {
            heard[heard.count - 1].frames = last.frames.lowerBound..<number + 1
        } else {
            heard.append(Run(track, number..<number + 1))
        }
    }

    private func refill() {
        guard isOpen, !isDraining, let format = opened.last else { return }
        let room = Int(format.rate) - held.count
        if room > 0 {
            let frames = withUnsafeTemporaryAllocation(of: Float.self, capacity: room * 2) { buffer in
                let count = source?.fill(buffer) ?? 0
                return stride(from: 0, to: count, by: 2).map {
                    Frame(buffer[$0], buffer[$0 + 1])
                }
            }
            held += frames
        }
        tellTiming()
    }

    private func tellTiming() {
        guard isOpen else { return }
        source?.outputTimed(unheard: Int64(held.count), at: now, isAdvancing: !isPaused && !held.isEmpty)
    }

    private func tellDrained() {
        guard isDraining, held.isEmpty else { return }
        isDraining = false
        source?.outputDrained()
    }
}
