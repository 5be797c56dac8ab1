import Audio
import CPulse
import EventLoop
import Music

/// What a stream tells its owner, on the loop.
protocol PulseStreamOwner: AnyObject {
    /// It exists at the server.
    func streamIsReady(_ stream: PulseStream)
    /// It could not be made, or is of no use any more; `reason` in words for people, with what to do.
    func streamFailed(_ stream: PulseStream, _ reason: String)
    /// What was left of a stream that was to end has been heard.
    func streamHasEnded(_ stream: PulseStream)
}

/// One stream of one format at the sound server, fed from a source.
///
/// On the loop only. The server holds about two seconds and asks for more when a good part of that has been played, so
/// there is little to do while it plays and nothing while it rests. What the device has not got yet can be thrown away;
/// what it has got, a tenth of a second at most, is heard, and behind it the sound fades: nothing ends in mid-wave.
/// Timing is asked for when something has happened that changes it, never at intervals.
final class PulseStream {
    private let server: ServerStream
    private let connection: PulseConnection
    private let format: StreamFormat
    private weak var owner: (any PulseStreamOwner)?
    private weak var source: (any OutputSource)?
    /// Asks for the timing again when a stream that should run does not yet.
    private let patience: Timer
    private var patienceDelay = PulseStream.firstPatience
    /// Runs out when the last sounds have been heard.
    private let silence: Timer

    private var sent: SentSound
    private var flow = Flow.flowing
    private var isPaused: Bool
    /// Whether it was heard when the server told last.
    private var isSounding = false
    /// Whether all is given that there is to play.
    private var isDraining = false
    /// Whether all of it has been heard, but for what was left when that was told.
    private var hasDrained = false
    /// Grows with each wish to drain and each that undoes it.
    private var drains = 0
    /// Behind the last of what was sent, as the server counted, when it was told to throw it away.
    private var endAtServer: Int64?
    /// Grows when what the server holds changes at once: answers to questions from before mean nothing then.
    private var epoch = 0
    private var isAskingTiming = false
    private var mustAskAgain = false
    /// The silence that stands in place of what was taken back, until something else does: it begins at `place`.
    private var gap: (place: Int64, frames: Int64)?

    private enum Flow: Equatable {
        /// The server gets what the source has.
        case flowing
        /// What it held is thrown away; when it says how far it had come, this comes next.
        case flushing(Next)
        /// It fades, then rests; it will go on from this frame of what was sent.
        case fading(from: Int64)
        /// It holds nothing, and goes on from there.
        case resting(from: Int64)
        /// It fades, then is over.
        case ending
    }

    private enum Next: Equatable {
        /// The sound fades and something else comes.
        case change
        /// The sound fades and it rests.
        case rest
        /// It goes on as if nothing had been.
        case goOn
        /// The sound fades and it ends.
        case end
    }

    private static let buffering = ServerStream.Buffering(
        whole: .seconds(2),
        // It lets the device take what is buffered beyond two such requests.
        request: .seconds(0.95),
        start: .seconds(0.01)
    )
    private static let longestDelay = TrackTime.seconds(0.1)
    private static let firstPatience = TrackTime.seconds(0.02)
    /// More than a device has got is never taken back: its tenth of a second, and as much again.
    private static let mostInDevice = TrackTime.seconds(0.25)
    /// So long before its end another stream is begun, which takes as long until it is heard.
    private static let leadAtEnd = TrackTime.seconds(0.01)

    /// Begins to make the stream; `volume` `nil` takes what the server remembers.
    init?(
        _ connection: PulseConnection,
        loop: EventLoop,
        format: StreamFormat,
        isPaused: Bool,
        volume: pa_volume_t?,
        source: (any OutputSource)?,
        owner: any PulseStreamOwner
    ) {
        guard let server = ServerStream(connection, format: format) else { return nil }
        final class Later { weak var stream: PulseStream? }
        let later = Later()
        self.server = server
        self.connection = connection
        self.format = format
        self.isPaused = isPaused
        self.source = source
        self.owner = owner
        sent = SentSound(
            capacity: Int((Self.buffering.whole + Self.mostInDevice).frames(rate: format.rate)),
            channels: Int(format.channels)
        )
        patience = loop.timer { later.stream?.askTiming() }
        silence = loop.timer { later.stream?.fallSilent() }
        later.stream = self
        server.owner = self
        guard server.connect(Self.buffering, isCorked: isPaused, volume: volume) else { return nil }
    }

    /// By which the server knows the stream; once it is ready.
    var index: UInt32 { server.index }

    var isReady: Bool { server.isReady }

    var channels: UInt32 { server.channels }

    // MARK: What the output asks for

    func setPaused(_ isPaused: Bool) {
        self.isPaused = isPaused
        guard isReady else { return }
        switch flow {
        case .flowing where isPaused && isSounding: throwAway(then: .rest)
        case .flowing, .flushing(.change): setCorked(isPaused)
        case .flushing(.rest) where !isPaused: flow = .flushing(.goOn)
        case .flushing(.goOn) where isPaused: flow = .flushing(.rest)
        case .fading(let frame) where !isPaused: goOn(from: frame)
        case .resting(let frame) where !isPaused: goOn(from: frame)
        case .flushing, .fading, .resting, .ending: break
        }
    }

    /// Throws away what the server holds, softly where it is heard, and begins to fill it again.
    func cut() {
        isDraining = false
        drains += 1
        guard isReady else { return }
        switch flow {
        case .flowing where isSounding && !isPaused:
            throwAway(then: .change)
        case .flowing, .fading, .resting:
            epoch += 1
            silence.stop()
            gap = nil
            server.flush()
            setCorked(isPaused)
            flow = .flowing
            fill()
        case .flushing(.rest), .flushing(.goOn), .flushing(.change):
            setCorked(isPaused)
            flow = .flushing(.change)
        case .flushing(.end), .ending:
            break
        }
    }

    /// Takes back the last `frames` that the source gave; `false` where the device may have some of them already.
    func takeBack(_ frames: Int64) -> Bool {
        guard isReady else { return false }
        switch flow {
        case .fading(let frame), .resting(let frame):
            guard sent.end - frames >= frame else { return false }
        case .flowing:
            guard let timing = server.timing else { return false }
            let whole = frames + (gap?.frames ?? 0)
            let place = timing.written - whole
            let reached =
                isPaused ? timing.rendered : timing.heard + Self.mostInDevice.frames(rate: format.rate)
            guard place > reached else { return false }
            let silent = server.write(Int(whole), at: place) { free in
                free.update(repeating: 0)
                return free.count
            }
            guard silent == whole else { return false }
            gap = (place, whole)
            epoch += 1
            askTiming()
        case .flushing, .ending:
            return false
        }
        sent.takeBack(frames)
        isDraining = false
        drains += 1
        return true
    }

    /// Gives the server as much as it has room for and the source has.
    func fill() {
        guard isReady, flow == .flowing else { return }
        let room = server.room + Int(gap?.frames ?? 0)
        let written = server.write(room, at: gap?.place) { free in
            let count = source?.fill(free) ?? 0
            sent.append(UnsafeBufferPointer(rebasing: free[..<count]))
            return count
        }
        guard written > 0 else { return }
        gap = nil
        hasDrained = false
        askTiming()
    }

    func sourceHasSound() {
        isDraining = false
        drains += 1
        fill()
    }

    /// Plays all that the server holds, then tells the source.
    func drain() {
        isDraining = true
        drains += 1
        guard isReady, flow == .flowing else { return }
        let number = drains
        server.drain { [weak self] in
            if self?.drains == number { self?.drained() }
        }
        askTiming()
    }

    /// Ends the sound softly, or where all has been given lets it be heard to its end; the owner is told when it is.
    ///
    /// `false` where there is no sound, and the stream can be let go at once.
    func leave() -> Bool {
        source = nil
        guard isReady else { return false }
        switch flow {
        case .flowing where hasDrained:
            flow = .ending
            silence.start(after: Self.mostInDevice)
        case .flowing where isSounding:
            throwAway(then: .end)
        case .flushing where !isPaused:
            flow = .flushing(.end)
        case .fading:
            flow = .ending
        case .flowing, .flushing, .resting, .ending:
            return false
        }
        return true
    }

    // MARK: How it falls silent and goes on

    /// Has the server forget what the device has not got; what comes `next` is done when it says how far it was.
    private func throwAway(then next: Next) {
        // Where it cannot be known, nothing is heard of the fading.
        endAtServer = server.timing.map { $0.written - (gap?.frames ?? 0) }
        gap = nil
        flow = .flushing(next)
        epoch += 1
        server.flush()
        askTiming()
    }

    private func thrownAway(_ timing: ServerStream.Timing?, then next: Next) {
        let lost = timing.flatMap { timing in endAtServer.map { $0 - timing.rendered } } ?? 0
        let frame = max(sent.start, min(sent.end, sent.end - lost))
        let inDevice = timing.map { max(0, $0.rendered - $0.heard) } ?? 0
        switch next {
        case .change:
            if !isPaused { fade(from: frame, isSent: true) }
            flow = .flowing
            fill()
            askTiming()
        case .rest:
            let heard = max(sent.start, frame - inDevice)
            fade(from: frame, isSent: false)
            flow = .fading(from: heard)
            silence.start(after: timeToSilence(inDevice))
            isSounding = false
            source?.outputTimed(unheard: sent.end - heard, at: .now(), isAdvancing: false)
        case .goOn:
            flow = .flowing
            replay(from: frame, fading: nil)
            continueFilling()
        case .end:
            fade(from: frame, isSent: false)
            flow = .ending
            silence.start(after: timeToSilence(inDevice))
        }
    }

    private func timeToSilence(_ inDevice: Int64) -> TrackTime {
        TrackTime(frames: inDevice + Fade(.fadingOut, rate: format.rate).frames, rate: format.rate)
            + .seconds(0.005)
    }

    /// The last sounds have been heard.
    private func fallSilent() {
        switch flow {
        case .fading(let frame):
            setCorked(true)
            flow = .resting(from: frame)
        case .ending:
            owner?.streamHasEnded(self)
        case .flowing:
            if isDraining { askTiming() }
        case .flushing, .resting:
            break
        }
    }

    private func goOn(from frame: Int64) {
        silence.stop()
        epoch += 1
        server.flush()
        flow = .flowing
        replay(from: frame, fading: Fade(.fadingIn, rate: format.rate))
        setCorked(false)
        continueFilling()
    }

    private func continueFilling() {
        if isDraining { drain() } else { fill() }
        askTiming()
    }

    private func setCorked(_ isCorked: Bool) {
        if isCorked { isSounding = false }
        server.setCorked(isCorked) { [weak self] in self?.askTiming() }
    }

    /// Gives the server what was sent already, from `frame` to the end.
    private func replay(from frame: Int64, fading fade: Fade?) {
        var next = frame
        _ = server.write(Int(sent.end - frame)) { free in
            sent.copy(from: next, into: free)
            fade?.apply(to: free, channels: Int(format.channels), from: next - frame)
            next += Int64(free.count) / Int64(format.channels)
            return free.count
        }
    }

    /// Gives the server a fading end of what was sent, from `frame` on; it stands behind the rest where it `isSent`.
    private func fade(from frame: Int64, isSent: Bool) {
        let fade = Fade(.fadingOut, rate: format.rate)
        var next = frame
        _ = server.write(Int(fade.frames)) { free in
            sent.copy(from: next, into: free)
            fade.apply(to: free, channels: Int(format.channels), from: next - frame)
            next += Int64(free.count) / Int64(format.channels)
            if isSent { sent.append(UnsafeBufferPointer(free)) }
            return free.count
        }
    }

    // MARK: Timing

    /// Asks what is heard now, one question at a time.
    private func askTiming() {
        guard isReady else { return }
        guard !isAskingTiming else {
            mustAskAgain = true
            return
        }
        isAskingTiming = true
        let asked = epoch
        server.updateTiming { [weak self] in self?.timingAnswered(epoch: asked) }
    }

    private func timingAnswered(epoch asked: Int) {
        isAskingTiming = false
        if mustAskAgain || asked != epoch {
            mustAskAgain = false
            askTiming()
        }
        guard asked == epoch else { return }
        if case .flushing(let next) = flow {
            thrownAway(server.timing, then: next)
        } else if flow == .flowing, let timing = server.timing {
            // A server that was held up answers for a moment long gone.
            if timing.delay < Self.longestDelay { tell(timing) } else { askTiming() }
        }
    }

    private func tell(_ timing: ServerStream.Timing) {
        let end = timing.written - (gap?.frames ?? 0)
        isSounding = timing.isPlaying && !isPaused && !server.isSuspended
        source?.outputTimed(unheard: end - timing.heard, at: .now(), isAdvancing: isSounding)
        awaitStart(holds: end - timing.rendered)
        if isDraining { awaitEnd(unheard: end - timing.heard) }
    }

    /// A stream that has been let go takes a moment until it runs, and nothing tells when it does.
    private func awaitStart(holds frames: Int64) {
        if isSounding || isPaused || frames <= 0 {
            patience.stop()
            patienceDelay = Self.firstPatience
        } else {
            patience.start(after: patienceDelay)
            patienceDelay = min(.seconds(1), patienceDelay + patienceDelay)
        }
    }

    /// The server tells late that all has been played: what follows in another format would wait for it.
    private func awaitEnd(unheard frames: Int64) {
        let left = TrackTime(frames: max(0, frames), rate: format.rate)
        if left <= Self.leadAtEnd, isSounding || frames <= 0 {
            drained()
        } else if isSounding {
            silence.start(after: left - Self.leadAtEnd)
        }
    }

    private func drained() {
        guard isDraining else { return }
        isDraining = false
        hasDrained = true
        silence.stop()
        source?.outputDrained()
    }

    /// The stream goes on elsewhere: because somebody wants it, or because its device is not there any more.
    ///
    /// What was heard in a headset must not be heard by the whole room when the headset goes (C214).
    private func moved(from former: UInt32) {
        askTiming()
        connection.findSink(former) { [weak self] isThere in
            guard let self, !isThere else { return }
            owner?.streamFailed(self, "the sound device has gone; play again to go on with another")
        }
    }
}

extension PulseStream: ServerStreamOwner {
    func serverStreamIsReady() {
        // What was asked for while the stream was being made.
        if server.isCorked != isPaused { setCorked(isPaused) }
        owner?.streamIsReady(self)
    }

    func serverStreamFailed(_ reason: String) { owner?.streamFailed(self, reason) }

    func serverStreamHasRoom() { fill() }

    func serverStreamTurned() { askTiming() }

    func serverStreamMoved(from former: UInt32) { moved(from: former) }
}
