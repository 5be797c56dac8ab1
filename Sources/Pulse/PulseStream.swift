import Audio
import CPulse
import EventLoop
import Music

/// What a stream tells its owner, on the loop.
protocol PulseStreamOwner: AnyObject {
    /// It exists at the server.
    func streamIsReady()
    /// It could not be made, or is of no use any more; `reason` in words for people, with what to do.
    func streamFailed(_ reason: String)
}

/// One stream of one format at the sound server: one `pa_stream`, fed from a source.
///
/// On the loop only. The server holds about two seconds and asks for more when a good part of that has been played, so
/// there is little to do while it plays and nothing while it rests; what it holds can be held back or thrown away at
/// once. Timing is asked for when something has happened that changes it, never at intervals.
final class PulseStream {
    private let raw: OpaquePointer
    private let format: StreamFormat
    private weak var owner: (any PulseStreamOwner)?
    private weak var source: (any OutputSource)?
    /// Asks for the timing again when a stream that should run does not yet.
    private let patience: Timer
    private var patienceDelay = PulseStream.firstPatience

    private var isPaused: Bool
    /// Grows when what the server holds is thrown away: answers to questions from before mean nothing then.
    private var epoch = 0
    /// Grows with each wish to drain and each that undoes it.
    private var drainEpoch = 0
    /// The sink that the stream plays on, by the server's number.
    private var device: UInt32 = pulse_no_index
    private var isAskingTiming = false
    private var mustAskAgain = false

    private static let buffered = TrackTime.seconds(2)
    /// The server asks for more when it has played so much.
    ///
    /// It lets the device take what is buffered beyond two such requests: a tenth of a second. That much of the old
    /// sound is heard after a flush, which does not reach the device.
    private static let request = TrackTime.seconds(0.95)
    /// The server begins when it has so much.
    private static let start = TrackTime.seconds(0.05)
    private static let firstPatience = TrackTime.seconds(0.02)

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
        guard let raw = Self.makeStream(connection, format) else { return nil }
        final class Later { weak var stream: PulseStream? }
        let later = Later()
        self.raw = raw
        self.format = format
        self.isPaused = isPaused
        self.source = source
        self.owner = owner
        patience = loop.timer { later.stream?.askTiming() }
        later.stream = self
        setCallbacks(Unmanaged.passUnretained(self).toOpaque())
        guard connect(volume) else { return nil }
    }

    private static func makeStream(_ connection: PulseConnection, _ format: StreamFormat) -> OpaquePointer? {
        guard let channels = UInt8(exactly: format.channels), let rate = UInt32(exactly: format.rate) else {
            return nil
        }
        var sample = pa_sample_spec(format: PA_SAMPLE_FLOAT32LE, rate: rate, channels: channels)
        var map = pa_channel_map()
        pa_channel_map_init_extend(&map, UInt32(channels), PA_CHANNEL_MAP_WAVEEX)
        let properties = pa_proplist_new()
        defer { pa_proplist_free(properties) }
        pa_proplist_sets(properties, PA_PROP_MEDIA_ROLE, "music")
        return pa_stream_new_with_proplist(connection.raw, "Music", &sample, &map, properties)
    }

    private func connect(_ volume: pa_volume_t?) -> Bool {
        var attributes = pa_buffer_attr(
            maxlength: pulse_default_size,
            tlength: bytes(in: Self.buffered),
            prebuf: bytes(in: Self.start),
            minreq: bytes(in: Self.request),
            fragsize: pulse_default_size
        )
        let flags = isPaused ? PA_STREAM_START_CORKED : PA_STREAM_NOFLAGS
        guard let volume else {
            return pa_stream_connect_playback(raw, nil, &attributes, flags, nil, nil) >= 0
        }
        var volumes = pa_cvolume()
        pa_cvolume_set(&volumes, UInt32(format.channels), volume)
        return pa_stream_connect_playback(raw, nil, &attributes, flags, &volumes, nil) >= 0
    }

    private func bytes(in time: TrackTime) -> UInt32 {
        UInt32(format.samples(in: time) * MemoryLayout<Float>.size)
    }

    deinit {
        setCallbacks(nil)
        pa_stream_disconnect(raw)
        pa_stream_unref(raw)
    }

    /// By which the server knows the stream; once it is ready.
    var index: UInt32 { pa_stream_get_index(raw) }

    var isReady: Bool { pa_stream_get_state(raw) == PA_STREAM_READY }

    var channels: UInt32 { UInt32(format.channels) }

    // MARK: What the output asks for

    func setPaused(_ isPaused: Bool) {
        self.isPaused = isPaused
        guard isReady else { return }
        ask { pa_stream_cork($0, isPaused ? 1 : 0, PulseStream.timingMayHaveChanged, $1) }
    }

    /// Throws away what the server holds, and begins to fill it again.
    func cut() {
        epoch += 1
        drainEpoch += 1
        guard isReady else { return }
        ask { pa_stream_flush($0, PulseStream.timingMayHaveChanged, $1) }
        fill()
    }

    /// Gives the server as much as it has room for and the source has.
    func fill() {
        guard isReady else { return }
        var room = pa_stream_writable_size(raw)
        guard room != Int.max, room > 0, room != -1 else { return }
        var hasWritten = false
        while room > 0 {
            var memory: UnsafeMutableRawPointer?
            var size = room
            guard pa_stream_begin_write(raw, &memory, &size) >= 0, let memory else { break }
            let free = UnsafeMutableRawBufferPointer(start: memory, count: size).bindMemory(to: Float.self)
            let count = (source?.fill(free) ?? 0) * MemoryLayout<Float>.size
            guard count > 0, pa_stream_write(raw, memory, count, nil, 0, PA_SEEK_RELATIVE) >= 0 else {
                pa_stream_cancel_write(raw)
                break
            }
            hasWritten = true
            room -= count
            guard count == size else { break }
        }
        if hasWritten { askTiming() }
    }

    func sourceHasSound() {
        drainEpoch += 1
        fill()
    }

    /// Plays all that the server holds, then tells the source.
    func drain() {
        drainEpoch += 1
        guard isReady else { return }
        let question = Question(stream: self, epoch: drainEpoch)
        let operation = pa_stream_drain(
            raw,
            { _, _, context in
                guard let question = Question.take(context), let stream = question.stream else { return }
                if stream.drainEpoch == question.epoch { stream.source?.outputDrained() }
            },
            question.passed
        )
        question.forgetIfRefused(operation)
    }

    // MARK: What the server says

    private func setCallbacks(_ context: UnsafeMutableRawPointer?) {
        let isSet = context != nil
        pa_stream_set_state_callback(
            raw,
            isSet ? { _, context in PulseStream.from(context)?.stateChanged() } : nil,
            context
        )
        pa_stream_set_write_callback(
            raw,
            isSet ? { _, _, context in PulseStream.from(context)?.fill() } : nil,
            context
        )
        let timing: pa_stream_notify_cb_t? =
            isSet ? { _, context in PulseStream.from(context)?.askTiming() } : nil
        pa_stream_set_started_callback(raw, timing, context)
        pa_stream_set_underflow_callback(raw, timing, context)
        pa_stream_set_suspended_callback(raw, timing, context)
        pa_stream_set_moved_callback(
            raw,
            isSet ? { _, context in PulseStream.from(context)?.moved() } : nil,
            context
        )
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> PulseStream? {
        context.map { Unmanaged<PulseStream>.fromOpaque($0).takeUnretainedValue() }
    }

    private func stateChanged() {
        switch pa_stream_get_state(raw) {
        case PA_STREAM_READY:
            // What was asked for while the stream was being made.
            if (pa_stream_is_corked(raw) != 0) != isPaused { setPaused(isPaused) }
            device = pa_stream_get_device_index(raw)
            owner?.streamIsReady()
        case PA_STREAM_FAILED:
            let complaint = String(cString: pa_strerror(pa_context_errno(pa_stream_get_context(raw))))
            owner?.streamFailed("the sound server has ended the stream (\(complaint)); play again to go on")
        case PA_STREAM_TERMINATED:
            owner?.streamFailed("the sound server has ended the stream; play again to go on")
        default:
            break
        }
    }

    /// The stream goes on elsewhere: because somebody wants it, or because its device is not there any more.
    ///
    /// What was heard in a headset must not be heard by the whole room when the headset goes (C214).
    private func moved() {
        let former = device
        device = pa_stream_get_device_index(raw)
        askTiming()
        guard former != device, let context = pa_stream_get_context(raw) else { return }
        let question = Question(stream: self, epoch: epoch)
        let operation = pa_context_get_sink_info_by_index(
            context,
            former,
            { _, _, isLast, context in
                guard isLast != 0, let question = Question.take(context), isLast < 0 else { return }
                question.stream?.owner?.streamFailed(
                    "the sound device has gone; play again to go on with another"
                )
            },
            question.passed
        )
        question.forgetIfRefused(operation)
    }

    /// Sends something to the server whose answer may have changed the timing.
    private func ask(_ request: (OpaquePointer, UnsafeMutableRawPointer) -> OpaquePointer?) {
        let question = Question(stream: self, epoch: epoch)
        question.forgetIfRefused(request(raw, question.passed))
    }

    private static let timingMayHaveChanged: pa_stream_success_cb_t = { _, _, context in
        Question.take(context)?.stream?.askTiming()
    }

    /// Asks what is heard now, one question at a time.
    private func askTiming() {
        guard isReady else { return }
        guard !isAskingTiming else {
            mustAskAgain = true
            return
        }
        isAskingTiming = true
        let question = Question(stream: self, epoch: epoch)
        let operation = pa_stream_update_timing_info(
            raw,
            { _, isAnswered, context in
                guard let question = Question.take(context), let stream = question.stream else { return }
                stream.timingAnswered(isAnswered != 0, epoch: question.epoch)
            },
            question.passed
        )
        if operation == nil { isAskingTiming = false }
        question.forgetIfRefused(operation)
    }

    private func timingAnswered(_ isAnswered: Bool, epoch: Int) {
        isAskingTiming = false
        if mustAskAgain || epoch != self.epoch {
            mustAskAgain = false
            askTiming()
        }
        guard isAnswered, epoch == self.epoch, let timing = pa_stream_get_timing_info(raw) else { return }
        var latency: pa_usec_t = 0
        var isNegative: CInt = 0
        guard pa_stream_get_latency(raw, &latency, &isNegative) >= 0 else { return }
        let isAdvancing = timing.pointee.playing != 0 && !isPaused && pa_stream_is_suspended(raw) == 0
        let unheard = isNegative != 0 ? 0 : Int64(latency) * Int64(format.rate) / 1_000_000
        source?.outputTimed(unheard: unheard, at: .now(), isAdvancing: isAdvancing)
        awaitStart(isAdvancing)
    }

    /// A stream that has been let go takes a moment until it runs, and nothing tells when it does.
    private func awaitStart(_ isAdvancing: Bool) {
        let isExpected = !isPaused && timingHolds > 0
        if isAdvancing || !isExpected {
            patience.stop()
            patienceDelay = Self.firstPatience
        } else {
            patience.start(after: patienceDelay)
            patienceDelay = min(.seconds(1), patienceDelay + patienceDelay)
        }
    }

    /// Bytes that the server holds.
    private var timingHolds: Int64 {
        guard let timing = pa_stream_get_timing_info(raw) else { return 0 }
        return timing.pointee.write_index - timing.pointee.read_index
    }
}

/// A question on its way to the server, and what it was about; released with its answer.
private final class Question {
    weak var stream: PulseStream?
    let epoch: Int

    init(stream: PulseStream, epoch: Int) {
        self.stream = stream
        self.epoch = epoch
    }

    /// What libpulse carries to the answer.
    var passed: UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }

    static func take(_ context: UnsafeMutableRawPointer?) -> Question? {
        context.map { Unmanaged<Question>.fromOpaque($0).takeRetainedValue() }
    }

    /// Where the server was not even asked, no answer will release it.
    func forgetIfRefused(_ operation: OpaquePointer?) {
        if operation == nil { Unmanaged.passUnretained(self).release() }
        forget(operation)
    }
}
