package import Audio
import CPulse
package import EventLoop
import Music

/// Sound through PulseAudio, or PipeWire in its place.
///
/// On the loop only; no call waits for the server. The connection is made when sound is first wanted, and again when it
/// is wanted after the server has gone.
package final class PulseOutput: AudioOutput {
    package weak var source: (any OutputSource)?

    private let loop: EventLoop
    private let server: String?
    private let device: PulseDevice
    /// Runs out at once, to tell of a failure outside of the source's own call.
    private let failing: Timer
    private var failure: OutputLoss?

    private var connection: PulseConnection?
    /// Through which the connection hears the server.
    private let input: HeldInput
    /// Tells what others do while the connection rests.
    private var watch: ServerWatch?
    private var stream: PulseStream?
    /// The stream for what comes next, if that needs one of its own.
    private var prepared: (format: StreamFormat, stream: PulseStream?)?
    /// Streams of which the last is still to be heard.
    private var endings: [PulseStream] = []
    private var wanted: Wanted?
    private var agreement = VolumeAgreement()

    /// The sink that the stream plays on.
    private var sink: String?
    /// What was heard until it was lost; while ``returning`` runs it may come back.
    private var lost: LostSound?
    /// The sink that the next stream must be on, since nobody has asked for it on any other.
    private var expectedSink: String?
    private let returning: Timer
    /// Whether the server plays, while it is to.
    private var answering = Answering()
    private let checking: Timer
    /// Runs out when the device has slept for longer than it needs to wake up.
    private let sleeping: Timer

    /// The stream that there is to be, whether it is there yet or not.
    private struct Wanted {
        var format: StreamFormat
        var isPaused: Bool
        var beginsInMidWave = false
        var isDraining = false
    }

    /// Plays on `server`, `nil` for the one that the user's session has.
    package init(loop: EventLoop, server: String? = nil, device: PulseDevice = PulseDevice()) {
        final class Later { weak var output: PulseOutput? }
        let later = Later()
        self.loop = loop
        self.server = server
        self.device = device
        input = HeldInput(loop)
        failing = loop.timer { later.output?.tellFailure() }
        returning = loop.timer { later.output?.lookForReturn() }
        checking = loop.timer { later.output?.checkAnswers() }
        sleeping = loop.timer { later.output?.deviceSleeps() }
        later.output = self
    }

    package func open(_ format: StreamFormat, paused: Bool, beginsInMidWave: Bool) {
        leaveStream()
        wanted = Wanted(format: format, isPaused: paused, beginsInMidWave: beginsInMidWave)
        failing.stop()
        returning.stop()
        answering = Answering()
        watchAnswers()
        if connection?.isReady == true { return findDevice() }
        guard connection == nil else { return }
        connection = PulseConnection(loop: loop, server: server, input: input, owner: self)
        if connection == nil { fail(Self.noServer) }
    }

    package func setPaused(_ paused: Bool) {
        guard wanted != nil else { return }
        wanted?.isPaused = paused
        stream?.setPaused(paused)
        watchAnswers()
        lookWhetherDeviceSleeps()
    }

    package func prepare(_ format: StreamFormat) {
        guard prepared == nil, connection?.isReady == true else { return }
        // It is given a source when its turn comes.
        prepared = (format, newStream(format, isPaused: true))
    }

    package func cut(beginsInMidWave: Bool) {
        wanted?.isDraining = false
        stream?.cut(beginsInMidWave: beginsInMidWave)
    }

    package func takeBack(_ frames: Int64) -> Bool {
        guard let stream, stream.takeBack(frames) else { return false }
        wanted?.isDraining = false
        return true
    }

    package func sourceHasSound() {
        wanted?.isDraining = false
        stream?.sourceHasSound()
    }

    package func drain() {
        wanted?.isDraining = true
        stream?.drain()
    }

    package func close() {
        leaveStream()
        forgetStream()
        failing.stop()
        lost = nil
        expectedSink = nil
        returning.stop()
        watch?.watch(false)
    }

    package var volume: Double? {
        get { agreement.volume }
        set {
            agreement.set(newValue, at: .now())
            sendVolume()
        }
    }

    private static let noServer = "no sound server answers; start PulseAudio or PipeWire, then play again"

    /// Makes the stream, where the device that it is to be on is there.
    private func findDevice() {
        guard let name = device.name, let connection else { return makeStream() }
        connection.findSink(name) { [weak self] sink in
            guard let self, wanted != nil, stream == nil else { return }
            if sink == nil { fail(device.isAway) } else { makeStream() }
        }
    }

    private func makeStream() {
        guard let connection, let wanted else { return }
        let ready = prepared?.format == wanted.format ? prepared?.stream : nil
        prepared = nil
        stream = ready ?? newStream(wanted.format, isPaused: wanted.isPaused)
        guard let stream else { return fail("the sound server takes no stream: \(connection.complaint)") }
        stream.begin(source, beginsInMidWave: wanted.beginsInMidWave)
        guard stream === ready else { return }
        stream.setPaused(wanted.isPaused)
        if stream.isReady { streamIsReady(stream) }
    }

    private func newStream(_ format: StreamFormat, isPaused: Bool) -> PulseStream? {
        connection.flatMap { connection in
            PulseStream(
                connection,
                loop: loop,
                format: format,
                isPaused: isPaused,
                volume: agreement.volume.map(PulseVolume.number),
                on: device.name,
                owner: self
            )
        }
    }

    /// What a stream has left to be heard is heard.
    private func leaveStream() {
        if let stream, stream.leave() { endings.append(stream) }
        stream = nil
    }

    private func forgetStream() {
        wanted = nil
        stream = nil
        prepared = nil
        sink = nil
        checking.stop()
        sleeping.stop()
    }

    /// Forgets the stream and tells the source soon.
    private func fail(_ reason: String, heardUntil: Instant? = nil, mayReturn: Bool = true) {
        guard let wanted else { return }
        // Where there was no stream again yet, what was lost before is still what may return.
        if let sink { lost = wanted.isPaused || !mayReturn ? nil : LostSound(of: sink, at: .now()) }
        expectedSink = nil
        forgetStream()
        failure = OutputLoss(
            reason,
            mayReturn: lost?.isOver(at: .now()) == false,
            heardUntil: heardUntil
        )
        failing.start(after: .zero)
    }

    private func tellFailure() {
        guard let failure else { return }
        self.failure = nil
        source?.outputLost(failure)
    }

    /// Has changes told for as long as there is a stream.
    private func watchServer() {
        if let watch { return watch.watch(true) }
        watch = ServerWatch(loop: loop, server: server) { [weak self] in self?.hear($0) }
    }

    private func hear(_ news: ServerWatch.News) {
        connection?.listen()
        guard let stream, stream.isReady, news == .began || news == .stream(stream.index) else { return }
        readVolume()
    }

    // MARK: A server that has gone or hangs, and its return

    /// Looks after a server that is to play, and only then.
    private func watchAnswers() {
        answering.rest()
        if wanted?.isPaused == false { checking.start(after: Answering.interval) } else { checking.stop() }
    }

    private func checkAnswers() {
        switch answering.look(at: stream?.isReady == true ? stream?.progress : nil) {
        case .plays: break
        case .ask: stream?.askTiming()
        case .hangs: return giveUp()
        }
        checking.start(after: Answering.interval)
    }

    /// A server that does not play is as good as gone; a new connection to it may be better.
    private func giveUp() {
        let isStanding = connection?.isReady == true && stream?.isReady == false
        let mayReturn = answering.hasPlayed
        fail(
            isStanding
                ? "the sound server makes no stream; is there a sound device? Play again when there is"
                : "the sound server does not answer; play again when it does",
            heardUntil: stream?.lastTimed,
            mayReturn: mayReturn
        )
        connection = nil
        watch = nil
        endings = []
        if lost != nil { returning.start(after: LostSound.interval) }
    }

    private func lookForReturn() {
        guard let lost, !lost.isOver(at: .now()) else { return stopLooking() }
        returning.start(after: LostSound.interval)
        if connection == nil {
            connection = PulseConnection(
                loop: loop,
                server: server,
                looking: true,
                input: input,
                owner: self
            )
        }
        askForReturn()
    }

    private func askForReturn() {
        guard let connection, connection.isReady, connection.questions.isEmpty else { return }
        let answer = { [weak self] (sink: SinkState?) -> Void in self?.found(sink) }
        if let name = device.name {
            connection.findSink(name, answer)
        } else {
            connection.findDefaultSink(answer)
        }
    }

    /// The stream would be made on `sink` now.
    private func found(_ sink: SinkState?) {
        guard returning.isRunning, wanted == nil, let lost, let sink, lost.isBack(on: sink) else { return }
        stopLooking()
        expectedSink = sink.name
        source?.outputReturned()
    }

    private func stopLooking() {
        returning.stop()
        lost = nil
        if connection?.isReady == false { connection = nil }
    }

    // MARK: The device

    private func deviceSleeps() {
        guard let stream, stream.isSuspended, wanted?.isPaused == false else { return }
        fail("the sound device is suspended; play again when it is awake")
        lost?.isAsleep = true
        if lost != nil { returning.start(after: LostSound.interval) }
    }

    // MARK: Volume

    private func sendVolume() {
        guard let connection, let stream, stream.isReady, let volume = agreement.volume else { return }
        var volumes = pa_cvolume()
        pa_cvolume_set(&volumes, stream.channels, PulseVolume.number(for: volume))
        forget(pa_context_set_sink_input_volume(connection.raw, stream.index, &volumes, nil, nil))
    }

    private func readVolume() {
        guard let stream else { return }
        connection?.findVolume(ofStream: stream.index) { [weak self] volume in
            if let volume { self?.volumeIs(volume) }
        }
    }

    private func volumeIs(_ number: pa_volume_t) {
        switch agreement.hear(number, at: .now()) {
        case .nothing: break
        case .send: sendVolume()
        case .tell: if let volume = agreement.volume { source?.outputVolumeChanged(volume) }
        }
    }
}

extension PulseOutput: PulseConnectionOwner {
    func connectionIsReady() {
        if wanted != nil { findDevice() } else { askForReturn() }
    }

    func connectionFailed(_ reason: String) {
        connection = nil
        watch = nil
        endings = []
        fail(
            sink != nil ? "the sound server has gone (\(reason)); play again when it is back" : Self.noServer
        )
        guard let lost, !returning.isRunning else { return }
        // A server that ends takes its streams and devices down first.
        let isOfThis = lost.isFresh(at: .now()) || failure?.mayReturn == true
        if isOfThis { returning.start(after: LostSound.interval) } else { self.lost = nil }
    }
}

extension PulseOutput: PulseStreamOwner {
    func streamIsReady(_ ready: PulseStream) {
        guard let stream, stream === ready, let wanted else { return }
        if let name = stream.deviceName, let right = device.name ?? expectedSink, name != right {
            return fail(device.name == nil ? PulseDevice.isAnother : device.isAway)
        }
        sink = stream.deviceName
        lost = nil
        expectedSink = nil
        watchServer()
        // PipeWire does not look at the volume that a stream is made with.
        agreement.beginStream(at: .now())
        sendVolume()
        readVolume()
        stream.fill()
        if wanted.isDraining { stream.drain() }
        lookWhetherDeviceSleeps()
    }

    func streamFailed(_ failed: PulseStream, _ reason: String) {
        if prepared?.stream === failed { prepared = nil }
        if stream === failed { fail(reason) }
    }

    func streamHasEnded(_ stream: PulseStream) {
        endings.removeAll { $0 === stream }
    }

    /// What was heard in a headset must not be heard by the whole room when the headset goes (C214).
    func streamMoved(_ moved: PulseStream, from former: UInt32) {
        connection?.findSink(former) { [weak self, weak moved] sink in
            guard let self, let stream, stream === moved else { return }
            if sink == nil, device.pausesOnLoss || device.name != nil { return fail(PulseDevice.isGone) }
            self.sink = stream.deviceName
        }
    }

    func streamWasTimed(_ timed: PulseStream, restsFor time: TrackTime?) {
        guard timed === stream else { return }
        // Whoever tells its timing need not be asked whether it plays.
        if let progress = timed.progress, answering.note(progress), checking.isRunning {
            checking.start(after: Answering.interval)
        }
        if let time, watch?.isWatching == true, prepared == nil, endings.isEmpty {
            connection?.rest(for: time)
        }
    }

    /// A device that slept because nothing was played wakes up by itself; one that somebody has put to sleep does not.
    func streamTurned(_ turned: PulseStream) {
        if turned === stream { lookWhetherDeviceSleeps() }
    }

    private func lookWhetherDeviceSleeps() {
        if let stream, stream.isReady, stream.isSuspended, wanted?.isPaused == false {
            sleeping.start(after: PulseDevice.longestWaking)
        } else {
            sleeping.stop()
        }
    }
}
