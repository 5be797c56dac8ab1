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
    /// Runs out at once, to tell of a failure outside of the source's own call.
    private let failing: Timer
    private var failure: String?

    private var connection: PulseConnection?
    private var stream: PulseStream?
    /// The stream for what comes next, if that needs one of its own.
    private var prepared: (format: StreamFormat, stream: PulseStream?)?
    /// Streams of which the last is still to be heard.
    private var endings: [PulseStream] = []
    private var wanted: Wanted?
    private var agreement = VolumeAgreement()

    /// The stream that there is to be, whether it is there yet or not.
    private struct Wanted {
        var format: StreamFormat
        var isPaused: Bool
        var isDraining = false
    }

    /// Plays on `server`, `nil` for the one that the user's session has.
    package init(loop: EventLoop, server: String? = nil) {
        final class Later { weak var output: PulseOutput? }
        let later = Later()
        self.loop = loop
        self.server = server
        failing = loop.timer { later.output?.tellFailure() }
        later.output = self
    }

    package func open(_ format: StreamFormat, paused: Bool) {
        leaveStream()
        wanted = Wanted(format: format, isPaused: paused)
        failing.stop()
        if connection?.isReady == true { return makeStream() }
        guard connection == nil else { return }
        connection = PulseConnection(loop: loop, server: server, owner: self)
        if connection == nil { fail(Self.noServer) }
    }

    package func setPaused(_ paused: Bool) {
        wanted?.isPaused = paused
        stream?.setPaused(paused)
    }

    package func prepare(_ format: StreamFormat) {
        guard prepared == nil, connection?.isReady == true else { return }
        prepared = (format, newStream(format, isPaused: true))
    }

    package func cut() {
        wanted?.isDraining = false
        stream?.cut()
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
        wanted = nil
        prepared = nil
        failing.stop()
        if let connection, connection.isReady { connection.watchStreams(false) }
    }

    package var volume: Double? {
        get { agreement.volume }
        set {
            agreement.set(newValue, at: .now())
            sendVolume()
        }
    }

    private static let noServer = "no sound server answers; start PulseAudio or PipeWire, then play again"

    private func makeStream() {
        guard let connection, let wanted else { return }
        if let (format, ready) = prepared, format == wanted.format, let ready, ready.isReady {
            prepared = nil
            stream = ready
            ready.setPaused(wanted.isPaused)
            return streamIsReady(ready)
        }
        prepared = nil
        stream = newStream(wanted.format, isPaused: wanted.isPaused)
        if stream == nil { fail("the sound server takes no stream: \(connection.complaint)") }
    }

    private func newStream(_ format: StreamFormat, isPaused: Bool) -> PulseStream? {
        connection.flatMap { connection in
            PulseStream(
                connection,
                loop: loop,
                format: format,
                isPaused: isPaused,
                volume: agreement.volume.map(PulseVolume.number),
                source: source,
                owner: self
            )
        }
    }

    /// What a stream has left to be heard is heard.
    private func leaveStream() {
        if let stream, stream.leave() { endings.append(stream) }
        stream = nil
    }

    /// Forgets stream and, if it is of no use any more, connection, and tells the source soon.
    private func fail(_ reason: String) {
        guard wanted != nil else { return }
        wanted = nil
        stream = nil
        prepared = nil
        failure = reason
        failing.start(after: .zero)
    }

    private func tellFailure() {
        guard let failure else { return }
        self.failure = nil
        source?.outputLost(OutputLoss(failure))
    }

    // MARK: Volume

    private func sendVolume() {
        guard let connection, let stream, stream.isReady, let volume = agreement.volume else { return }
        var volumes = pa_cvolume()
        pa_cvolume_set(&volumes, stream.channels, PulseVolume.number(for: volume))
        forget(pa_context_set_sink_input_volume(connection.raw, stream.index, &volumes, nil, nil))
    }

    private func readVolume() {
        guard let connection, let stream else { return }
        let question = VolumeQuestion(output: self)
        let operation = pa_context_get_sink_input_info(
            connection.raw,
            stream.index,
            { _, info, isLast, context in
                guard let context else { return }
                let question = Unmanaged<VolumeQuestion>.fromOpaque(context)
                if isLast != 0 { return question.release() }
                guard let info else { return }
                var volumes = info.pointee.volume
                question.takeUnretainedValue().answer(pa_cvolume_avg(&volumes))
            },
            Unmanaged.passRetained(question).toOpaque()
        )
        if operation == nil { Unmanaged.passUnretained(question).release() }
        forget(operation)
    }

    fileprivate func volumeIs(_ number: pa_volume_t) {
        switch agreement.hear(number, at: .now()) {
        case .nothing: break
        case .send: sendVolume()
        case .tell: if let volume = agreement.volume { source?.outputVolumeChanged(volume) }
        }
    }
}

extension PulseOutput: PulseConnectionOwner {
    func connectionIsReady() {
        makeStream()
    }

    func connectionFailed(_ reason: String) {
        let hadStream = stream != nil
        connection = nil
        endings = []
        fail(hadStream ? "the sound server has gone (\(reason)); play again when it is back" : Self.noServer)
    }

    func streamChanged(_ index: UInt32) {
        if let stream, stream.isReady, stream.index == index { readVolume() }
    }
}

extension PulseOutput: PulseStreamOwner {
    func streamIsReady(_ ready: PulseStream) {
        guard let stream, stream === ready, let wanted else { return }
        connection?.watchStreams(true)
        // PipeWire does not look at the volume that a stream is made with.
        agreement.beginStream(at: .now())
        sendVolume()
        readVolume()
        stream.fill()
        if wanted.isDraining { stream.drain() }
    }

    func streamFailed(_ failed: PulseStream, _ reason: String) {
        if prepared?.stream === failed { prepared = nil }
        if stream === failed { fail(reason) }
    }

    func streamHasEnded(_ stream: PulseStream) {
        endings.removeAll { $0 === stream }
    }
}

/// Who asked about the volume; released with the last part of the answer.
private final class VolumeQuestion {
    private weak var output: PulseOutput?

    init(output: PulseOutput) {
        self.output = output
    }

    func answer(_ number: pa_volume_t) {
        output?.volumeIs(number)
    }
}
