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
    /// It goes on elsewhere: because somebody wants it, or because its device, the `former`, is not there any more.
    func streamMoved(_ stream: PulseStream, from former: UInt32)
    /// It began, ran dry, was suspended or let go on.
    func streamTurned(_ stream: PulseStream)
    /// The server has told where it is; it is not likely to want anything for `time`, `nil` where that is not known.
    func streamWasTimed(_ stream: PulseStream, restsFor time: TrackTime?)
}

/// One stream of one format at the sound server, fed from a source.
///
/// On the loop only. The server holds about two seconds and asks for more when a good part of that has been played, so
/// there is little to do while it plays and nothing while it rests. What the device has not got yet can be thrown away;
/// what it may have got, a twentieth of a second, is heard, and behind it the sound fades: nothing ends in mid-wave.
/// Timing is asked for when something has happened that changes it, never at intervals.
final class PulseStream {
    private let server: ServerStream
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
    /// Whether the server had room for more than there was: then it may play all it has, or wait with the rest.
    private var isStarved = false
    /// So much of what comes has faded in; `nil` where nothing does.
    private var fadedIn: Int64?
    /// Grows with each wish to drain and each that undoes it.
    private var drains = 0
    /// Grows when what the server holds changes at once: answers to questions from before mean nothing then.
    private var epoch = 0
    private var isAskingTiming = false
    private var mustAskAgain = false
    /// The silence that stands in place of what was taken back, until something else does: it begins at `place`.
    private var gap: (place: Int64, frames: Int64)?

    private enum Flow: Equatable {
        /// The server gets what the source has.
        case flowing
        /// It fades, then rests.
        case fading(Rest)
        /// Nothing of what the server holds will be heard.
        case resting(Rest)
        /// What is left of it is heard, then it is over.
        case ending
    }

    /// A pause, in frames of what was sent.
    private struct Rest: Equatable {
        /// What was heard when it was asked for.
        var heard: Int64
        /// With what it will go on: that comes a moment later.
        var next: Int64
    }

    private static let buffering = ServerStream.Buffering(
        whole: .seconds(1.9),
        // It lets the device take what is buffered beyond two such requests: a twentieth of a second.
        request: .seconds(0.925),
        start: .seconds(0.01)
    )
    private static let longestDelay = TrackTime.seconds(0.1)
    /// So long two clocks go together well enough.
    private static let longestTrust = TrackTime.seconds(10)
    private static let firstPatience = TrackTime.seconds(0.02)
    /// So much later than it could, the server asks for more: it looks when the device has taken some.
    private static let lateness = TrackTime.seconds(0.06)
    private static let shortestRest = TrackTime.seconds(0.2)
    private static let tolerance = TrackTime.seconds(0.005)
    /// The longest that what is left at the end of all can take.
    private static let longestEnd = TrackTime.seconds(0.5)
    /// So long before its end another stream is begun, which takes as long until it is heard.
    private static let leadAtEnd = TrackTime.seconds(0.01)

    /// Begins to make the stream; `volume` `nil` takes what the server remembers, `device` `nil` its default sink.
    init?(
        _ connection: PulseConnection,
        loop: EventLoop,
        format: StreamFormat,
        isPaused: Bool,
        volume: pa_volume_t?,
        on device: String?,
        owner: any PulseStreamOwner
    ) {
        guard let server = ServerStream(connection, format: format) else { return nil }
        final class Later { weak var stream: PulseStream? }
        let later = Later()
        self.server = server
        self.format = format
        self.isPaused = isPaused
        self.owner = owner
        sent = SentSound(
            capacity: Int((Self.buffering.whole + Self.longestEnd).frames(rate: format.rate)),
            channels: Int(format.channels)
        )
        patience = loop.timer { later.stream?.askTiming() }
        silence = loop.timer { later.stream?.fallSilent() }
        later.stream = self
        server.owner = self
        guard server.connect(Self.buffering, isCorked: isPaused, volume: volume, on: device) else {
            return nil
        }
    }

    /// By which the server knows the stream; once it is ready.
    var index: UInt32 { server.index }

    var isReady: Bool { server.isReady }

    var channels: UInt32 { server.channels }

    /// The sink that it plays on; `nil` where the server does not say.
    var deviceName: String? { server.deviceName }

    /// Whether its device sleeps.
    var isSuspended: Bool { server.isSuspended }

    /// What changes from one answer to the next as long as it is played.
    var progress: Answering.Progress? { isStarved ? server.lastAnswer : server.progress }

    /// When the server last told it.
    var lastTimed: Instant? { server.lastTimed }

    // MARK: What the output asks for

    /// Says who has the sound; before that nothing is asked for.
    func begin(_ source: (any OutputSource)?, beginsInMidWave: Bool) {
        self.source = source
        fadedIn = beginsInMidWave ? 0 : nil
    }

    func setPaused(_ isPaused: Bool) {
        self.isPaused = isPaused
        guard isReady else { return }
        switch flow {
        case .flowing where isPaused && isSounding:
            guard let end = fadeOut(isSent: false) else { return setCorked(true) }
            isSounding = false
            flow = .fading(Rest(heard: end.heard, next: end.start))
            silence.start(after: end.time)
            askTiming()
        case .flowing:
            setCorked(isPaused)
        case .fading(let rest) where !isPaused:
            goOn(from: rest.next)
        case .resting(let rest) where !isPaused:
            goOn(from: rest.next)
        case .fading, .resting, .ending:
            break
        }
    }

    /// Throws away what the server holds, softly where it is heard, and begins to fill it again.
    func cut(beginsInMidWave: Bool) {
        fadedIn = beginsInMidWave ? 0 : nil
        isDraining = false
        drains += 1
        guard isReady, flow != .ending else { return }
        if flow != .flowing || !isSounding || fadeOut(isSent: true) == nil {
            silence.stop()
            forgetHeld()
            setCorked(isPaused)
        }
        flow = .flowing
        fill()
        askTiming()
    }

    /// Takes back the last `frames` that the source gave; `false` where the device may have some of them already.
    func takeBack(_ frames: Int64) -> Bool {
        guard isReady else { return false }
        switch flow {
        case .fading(let rest), .resting(let rest):
            guard sent.end - frames >= rest.next else { return false }
        case .flowing:
            guard let timing = server.timing else { return false }
            let whole = frames + (gap?.frames ?? 0)
            let place = timing.written - whole
            guard place > (isPaused ? timing.rendered : timing.untouched) else { return false }
            leaveGap(whole, at: place)
            askTiming()
        case .ending:
            return false
        }
        sent.takeBack(frames)
        isDraining = false
        drains += 1
        return true
    }

    /// Gives the server as much as it has room for and the source has.
    func fill() {
        if giveSound() { askTiming() }
    }

    /// The server has asked for more: that changes nothing in what is heard, and need not be asked about each time.
    private func answerRequest() {
        guard giveSound() else { return }
        if isSounding, server.timeSinceAnswer < Self.longestTrust, let timing = server.timing {
            tell(timing)
        } else {
            askTiming()
        }
    }

    /// Whether there was any.
    private func giveSound() -> Bool {
        guard isReady, flow == .flowing else { return false }
        let (room, place) = passGap() ?? (server.room, nil)
        let written = server.write(room, at: place) { free in
            let count = source?.fill(free) ?? 0
            let filled = UnsafeMutableBufferPointer(rebasing: free[..<count])
            fadeIn(filled)
            sent.append(UnsafeBufferPointer(filled))
            return count
        }
        isStarved = written < room
        guard written > 0 else { return false }
        gap = nil
        hasDrained = false
        return true
    }

    /// Where in the gap it goes on, since some of it may have been heard, and how much fits; `nil` where there is no gap.
    private func passGap() -> (room: Int, place: Int64)? {
        guard let gap, let timing = server.timing else { return nil }
        let passed = isSounding ? max(0, min(gap.frames, timing.untouched - gap.place)) : 0
        if passed > 0 {
            sent.appendSilence(passed)
            self.gap = (gap.place + passed, gap.frames - passed)
        }
        let place = gap.place + passed
        return (Int(max(0, Self.buffering.whole.frames(rate: format.rate) - (place - timing.heard))), place)
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
            silence.start(after: Self.longestEnd)
        case .flowing where isSounding:
            guard let end = fadeOut(isSent: true) else { return false }
            silence.start(after: end.time)
        case .fading:
            break
        case .flowing, .resting, .ending:
            return false
        }
        flow = .ending
        return true
    }

    // MARK: How it falls silent and goes on

    /// Puts an end that fades in place of all that the device may not have got yet, and silence behind it; in the log too
    /// where it `isSent`.
    ///
    /// Tells which frame is heard, with which it begins to fade, and how long it is until the last of it has been heard;
    /// `nil` where it is not known what is heard.
    private func fadeOut(isSent: Bool) -> (heard: Int64, start: Int64, time: TrackTime)? {
        guard let timing = server.timing else { return nil }
        let fade = Fade(.fadingOut, rate: format.rate)
        let end = timing.written - (gap?.frames ?? 0)
        // What the device got since the server told last is what it gets here once more, or keeps.
        // A server that has run dry may count on: behind the last of what was sent there is nothing that it got.
        let first = max(sent.start, sent.end - max(0, end - timing.rendered))
        let start = min(sent.end, first + max(0, timing.untouched - timing.rendered))
        let channels = Int(format.channels)
        let count = start + fade.frames - first
        withUnsafeTemporaryAllocation(of: Float.self, capacity: Int(count) * channels) { ending in
            sent.copy(from: first, into: ending)
            let fading = UnsafeMutableBufferPointer(rebasing: ending[(Int(start - first) * channels)...])
            fade.apply(to: fading, channels: channels, from: 0)
            write(UnsafeBufferPointer(ending), at: timing.rendered)
            guard isSent else { return }
            sent.takeBack(sent.end - first)
            sent.append(UnsafeBufferPointer(ending))
        }
        leaveGap(max(0, timing.written - timing.rendered - count), at: timing.rendered + count)
        let inDevice = timing.rendered - timing.heard
        let time = TrackTime(frames: inDevice + count, rate: format.rate) + Self.tolerance
        return (max(0, first - inDevice), start, time)
    }

    /// Puts silence in place of `frames` of what the server holds, until the source has something else.
    private func leaveGap(_ frames: Int64, at place: Int64) {
        _ = server.write(Int(frames), at: place) { free in
            free.update(repeating: 0)
            return free.count
        }
        gap = frames > 0 ? (place, frames) : nil
        epoch += 1
    }

    private func write(_ samples: UnsafeBufferPointer<Float>, at place: Int64) {
        var rest = samples[...]
        _ = server.write(samples.count / Int(format.channels), at: place) { free in
            let part = rest.prefix(free.count)
            _ = free.update(fromContentsOf: UnsafeBufferPointer(rebasing: part))
            rest = rest.dropFirst(part.count)
            return part.count
        }
    }

    /// Begins softly where it begins in mid-wave.
    private func fadeIn(_ samples: UnsafeMutableBufferPointer<Float>) {
        guard let first = fadedIn else { return }
        let fade = Fade(.fadingIn, rate: format.rate)
        fade.apply(to: samples, channels: Int(format.channels), from: first)
        let next = first + Int64(samples.count) / Int64(format.channels)
        fadedIn = next < fade.frames ? next : nil
    }

    private func forgetHeld() {
        epoch += 1
        gap = nil
        server.flush()
    }

    /// The last sounds have been heard.
    private func fallSilent() {
        switch flow {
        case .fading(let rest):
            setCorked(true)
            flow = .resting(rest)
        case .ending:
            owner?.streamHasEnded(self)
        case .flowing:
            if isDraining { askTiming() }
        case .resting:
            break
        }
    }

    private func goOn(from frame: Int64) {
        silence.stop()
        forgetHeld()
        flow = .flowing
        replay(from: frame)
        setCorked(false)
        if isDraining { drain() } else { fill() }
        askTiming()
    }

    private func setCorked(_ isCorked: Bool) {
        if isCorked { isSounding = false }
        server.setCorked(isCorked) { [weak self] in self?.askTiming() }
    }

    /// Gives the server what was sent already, from `frame` to the end, fading in.
    private func replay(from frame: Int64) {
        let fade = Fade(.fadingIn, rate: format.rate)
        var next = frame
        _ = server.write(Int(sent.end - frame)) { free in
            sent.copy(from: next, into: free)
            fade.apply(to: free, channels: Int(format.channels), from: next - frame)
            next += Int64(free.count) / Int64(format.channels)
            return free.count
        }
    }

    // MARK: Timing

    /// Asks what is heard now, one question at a time.
    func askTiming() {
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
        switch flow {
        case .flowing:
            guard let timing = server.timing else { return }
            // A server that was held up answers for a moment long gone.
            if timing.delay < Self.longestDelay { tell(timing) } else { askTiming() }
        case .fading(let rest), .resting(let rest):
            source?.outputTimed(unheard: sent.end - rest.heard, at: .now(), isAdvancing: false)
        case .ending:
            break
        }
    }

    private func tell(_ timing: ServerStream.Timing) {
        let end = timing.written - (gap?.frames ?? 0)
        isSounding = timing.isPlaying && !isPaused
        source?.outputTimed(
            unheard: max(0, end - timing.heard),
            at: .now(),
            isAdvancing: isSounding && timing.heard < end
        )
        awaitStart(holds: end - timing.rendered)
        if isDraining { awaitEnd(unheard: end - timing.heard) }
        owner?.streamWasTimed(self, restsFor: timeToRequest(unheard: end - timing.heard))
    }

    /// How long it is until the server asks for more; `nil` where something else is to come before.
    private func timeToRequest(unheard frames: Int64) -> TrackTime? {
        guard flow == .flowing, isSounding, !isDraining, gap == nil, !isAskingTiming else { return nil }
        let unheard = TrackTime(frames: frames, rate: format.rate)
        let rest = unheard - (Self.buffering.whole - Self.buffering.request) + Self.lateness
        return rest > Self.shortestRest ? rest : nil
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
}

extension PulseStream: ServerStreamOwner {
    func serverStreamIsReady() {
        // What was asked for while the stream was being made.
        if server.isCorked != isPaused { setCorked(isPaused) }
        owner?.streamIsReady(self)
    }

    func serverStreamFailed(_ reason: String) { owner?.streamFailed(self, reason) }

    func serverStreamHasRoom() { answerRequest() }

    func serverStreamTurned() {
        askTiming()
        owner?.streamTurned(self)
    }

    func serverStreamMoved(from former: UInt32) {
        askTiming()
        owner?.streamMoved(self, from: former)
    }
}
