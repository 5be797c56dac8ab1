import Audio
import CPulse
import EventLoop
import Music

/// What happens to a stream at the server, told on the loop.
protocol ServerStreamOwner: AnyObject {
    /// It exists at the server now.
    func serverStreamIsReady()
    /// It could not be made, or is of no use any more; `reason` in words for people, with what to do.
    func serverStreamFailed(_ reason: String)
    /// The server has room for more.
    func serverStreamHasRoom()
    /// It began, ran dry, was suspended or let go on.
    func serverStreamTurned()
    /// It plays on another device now than on the one with the number `former`.
    func serverStreamMoved(from former: UInt32)
}

/// One `pa_stream`: every call to libpulse about a stream, and nothing that decides.
///
/// On the loop only. What is asked of the server is answered later, to the closure given, unless the stream goes first.
final class ServerStream {
    private let raw: OpaquePointer
    private let connection: PulseConnection
    private let format: StreamFormat
    weak var owner: (any ServerStreamOwner)?
    private var device: UInt32 = pulse_no_index
    /// When the server told last where it is.
    private var answered = Instant.now()
    private var depth = DeviceDepth()
    /// How often it has asked for more.
    private var requests = 0
    private let questions = Questions()

    /// What the server is asked for when the stream is made; times of the stream's own sound.
    struct Buffering {
        /// How much the server holds.
        var whole: TrackTime
        /// It asks for more when it has room for so much.
        var request: TrackTime
        /// It begins when it has so much.
        var start: TrackTime
    }

    /// Where the server and its device are with the stream, in frames from the stream's beginning.
    struct Timing {
        /// Behind the last frame written.
        var written: Int64
        /// Behind the last frame that the device is known to have got.
        var rendered: Int64
        /// The frame that is heard: what was handed to the device and is not heard yet lies behind it.
        var heard: Int64
        /// No frame from this one on has been handed to the device by now, as far as its latency tells.
        var untouched: Int64
        /// Whether it moves on.
        var isPlaying: Bool
        /// How long the answer took; the longer, the less it is worth.
        var delay: TrackTime
    }

    init?(_ connection: PulseConnection, format: StreamFormat) {
        guard let channels = UInt8(exactly: format.channels), let rate = UInt32(exactly: format.rate) else {
            return nil
        }
        var sample = pa_sample_spec(format: PA_SAMPLE_FLOAT32LE, rate: rate, channels: channels)
        var map = speakerMap(channels: channels)
        let properties = pa_proplist_new()
        defer { pa_proplist_free(properties) }
        pa_proplist_sets(properties, PA_PROP_MEDIA_ROLE, "music")
        guard let raw = pa_stream_new_with_proplist(connection.raw, "Music", &sample, &map, properties) else {
            return nil
        }
        self.raw = raw
        self.connection = connection
        self.format = format
        setCallbacks(Unmanaged.passUnretained(self).toOpaque())
    }

    /// Has the server make it on `device` or its default sink, with `volume` or the one that it remembers.
    ///
    /// `false` where that cannot even be asked.
    func connect(_ buffering: Buffering, isCorked: Bool, volume: pa_volume_t?, on device: String?) -> Bool {
        var attributes = pa_buffer_attr(
            maxlength: pulse_default_size,
            tlength: bytes(in: buffering.whole),
            prebuf: bytes(in: buffering.start),
            minreq: bytes(in: buffering.request),
            fragsize: pulse_default_size
        )
        // What is heard goes back where the server takes back what it had told; who tells it on sees to the rest.
        let corked = isCorked ? PA_STREAM_START_CORKED.rawValue : 0
        let flags = pa_stream_flags_t(rawValue: PA_STREAM_NOT_MONOTONIC.rawValue | corked)
        guard let volume else {
            return pa_stream_connect_playback(raw, device, &attributes, flags, nil, nil) >= 0
        }
        var volumes = pa_cvolume()
        pa_cvolume_set(&volumes, channels, volume)
        return pa_stream_connect_playback(raw, device, &attributes, flags, &volumes, nil) >= 0
    }

    private func bytes(in time: TrackTime) -> UInt32 {
        UInt32(format.samples(in: time) * MemoryLayout<Float>.size)
    }

    deinit {
        setCallbacks(nil)
        pa_stream_disconnect(raw)
        pa_stream_unref(raw)
    }

    /// By which the server knows it; once it is ready.
    var index: UInt32 { pa_stream_get_index(raw) }

    var isReady: Bool { pa_stream_get_state(raw) == PA_STREAM_READY }

    var isCorked: Bool { pa_stream_is_corked(raw) != 0 }

    var isSuspended: Bool { pa_stream_is_suspended(raw) != 0 }

    var channels: UInt32 { UInt32(format.channels) }

    /// The sink that it plays on; `nil` where the server does not say.
    var deviceName: String? { pa_stream_get_device_name(raw).map { String(cString: $0) } }

    /// What changes from one answer to the next as long as the server does what it should: how far it has come where it
    /// holds sound, and that it answers where it does not; `nil` before the first answer.
    var progress: Answering.Progress? {
        guard let timing = pa_stream_get_timing_info(raw)?.pointee, timing.write_index > timing.read_index
        else { return lastAnswer }
        return .sound(upTo: timing.read_index, requests: requests)
    }

    /// That it answers at all.
    var lastAnswer: Answering.Progress? {
        (pa_stream_get_timing_info(raw)?.pointee.timestamp).map { stamp in
            .answer(microseconds: Int64(stamp.tv_sec) * 1_000_000 + Int64(stamp.tv_usec))
        }
    }

    /// How long ago the server told last where it is.
    var timeSinceAnswer: TrackTime { Instant.now().since(answered) }

    /// When the server answered last.
    var lastTimed: Instant? {
        guard var stamp = pa_stream_get_timing_info(raw)?.pointee.timestamp else { return nil }
        // It is of the time of day; what counts is how long ago that was.
        return Instant.now().advanced(by: TrackTime(microseconds: -Int64(pa_timeval_age(&stamp))))
    }

    // MARK: Sound

    private var frameSize: Int { Int(format.channels) * MemoryLayout<Float>.size }

    /// How many frames the server would take now.
    var room: Int {
        let bytes = pa_stream_writable_size(raw)
        return bytes == -1 ? 0 : bytes / frameSize
    }

    /// Gives the server up to `frames`, which `fill` writes piece by piece into the server's own memory; it returns how many
    /// samples it wrote, and less than what fits ends it.
    ///
    /// With `place` they take the place of what stands there, in frames from the stream's beginning. Returns how many
    /// frames were written.
    func write(
        _ frames: Int,
        at place: Int64? = nil,
        _ fill: (UnsafeMutableBufferPointer<Float>) -> Int
    ) -> Int {
        var written = 0
        while written < frames {
            var memory: UnsafeMutableRawPointer?
            var size = (frames - written) * frameSize
            guard pa_stream_begin_write(raw, &memory, &size) >= 0, let memory else { break }
            let whole = size / frameSize * frameSize
            let free = UnsafeMutableRawBufferPointer(start: memory, count: whole).bindMemory(to: Float.self)
            let count = fill(free) * MemoryLayout<Float>.size
            // Later pieces follow the first by themselves.
            let seek = written == 0 && place != nil ? PA_SEEK_ABSOLUTE : PA_SEEK_RELATIVE
            let offset = written == 0 ? (place ?? 0) * Int64(frameSize) : 0
            guard count > 0, pa_stream_write(raw, memory, count, nil, offset, seek) >= 0 else {
                pa_stream_cancel_write(raw)
                break
            }
            written += count / frameSize
            guard count == whole else { break }
        }
        return written
    }

    // MARK: What is asked of the server

    func setCorked(_ isCorked: Bool, _ done: @escaping () -> Void) {
        ask(done) { pa_stream_cork(raw, isCorked ? 1 : 0, Self.answered, $0) }
    }

    /// Throws away what the device has not got yet.
    func flush() {
        forget(pa_stream_flush(raw, nil, nil))
    }

    /// Plays what the server holds, however little it is, to the end.
    func drain(_ done: @escaping () -> Void) {
        ask(done) { pa_stream_drain(raw, Self.answered, $0) }
    }

    /// Asks where the server is; ``timing`` is right when `done` is called.
    func updateTiming(_ done: @escaping () -> Void) {
        ask { [weak self] in
            self?.noteAnswer()
            done()
        } _: {
            pa_stream_update_timing_info(raw, Self.answered, $0)
        }
    }

    private func noteAnswer() {
        answered = .now()
        guard let timing = pa_stream_get_timing_info(raw), timing.pointee.playing != 0 else { return }
        depth.note(timing.pointee.sink_usec, atMost: timing.pointee.configured_sink_usec)
    }

    /// What the server said last, brought up to this moment; `nil` where it is not known since something was flushed.
    var timing: Timing? {
        var (latency, isNegative) = (pa_usec_t(0), CInt(0))
        guard let timing = pa_stream_get_timing_info(raw), timing.pointee.write_index_corrupt == 0,
            timing.pointee.read_index_corrupt == 0, pa_stream_get_latency(raw, &latency, &isNegative) >= 0
        else { return nil }
        let written = timing.pointee.write_index / Int64(frameSize)
        let isPlaying = timing.pointee.playing != 0 && !isCorked && !isSuspended
        let elapsed = isPlaying ? Instant.now().since(answered).frames(rate: format.rate) : 0
        let heard = min(written, written - (isNegative != 0 ? 0 : frames(in: latency)) + elapsed)
        return Timing(
            written: written,
            rendered: max(heard, timing.pointee.read_index / Int64(frameSize)),
            heard: heard,
            untouched: heard + frames(in: depth.bound + Self.uncertainty),
            isPlaying: isPlaying,
            delay: TrackTime(microseconds: Int64(clamping: timing.pointee.transport_usec))
        )
    }

    /// How far off the server's word and a write on its way may be, in microseconds.
    private static let uncertainty: pa_usec_t = 10_000

    private func frames(in microseconds: pa_usec_t) -> Int64 {
        Int64(clamping: microseconds) * Int64(format.rate) / 1_000_000
    }

    private func ask(_ done: @escaping () -> Void, _ request: (UnsafeMutableRawPointer) -> OpaquePointer?) {
        connection.listen()
        questions.ask(done, request)
    }

    /// A refusal is an answer too: what is known afterwards is what was known before.
    private static let answered: pa_stream_success_cb_t = { _, _, context in
        Question<Void>.from(context)?.end(())
    }

    // MARK: What the server says

    private func setCallbacks(_ context: UnsafeMutableRawPointer?) {
        let isSet = context != nil
        pa_stream_set_state_callback(
            raw,
            isSet ? { _, context in ServerStream.from(context)?.stateChanged() } : nil,
            context
        )
        pa_stream_set_write_callback(
            raw,
            isSet ? { _, _, context in ServerStream.from(context)?.requested() } : nil,
            context
        )
        let turned: pa_stream_notify_cb_t? =
            isSet ? { _, context in ServerStream.from(context)?.owner?.serverStreamTurned() } : nil
        pa_stream_set_started_callback(raw, turned, context)
        pa_stream_set_underflow_callback(raw, turned, context)
        pa_stream_set_suspended_callback(raw, turned, context)
        pa_stream_set_moved_callback(
            raw,
            isSet ? { _, context in ServerStream.from(context)?.moved() } : nil,
            context
        )
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> ServerStream? {
        context.map { Unmanaged<ServerStream>.fromOpaque($0).takeUnretainedValue() }
    }

    private func requested() {
        requests += 1
        owner?.serverStreamHasRoom()
    }

    private func stateChanged() {
        switch pa_stream_get_state(raw) {
        case PA_STREAM_READY:
            device = pa_stream_get_device_index(raw)
            owner?.serverStreamIsReady()
        case PA_STREAM_FAILED:
            let complaint = String(cString: pa_strerror(pa_context_errno(pa_stream_get_context(raw))))
            owner?.serverStreamFailed(
                "the sound server has ended the stream (\(complaint)); play again to go on"
            )
        case PA_STREAM_TERMINATED:
            owner?.serverStreamFailed("the sound server has ended the stream; play again to go on")
        default:
            break
        }
    }

    private func moved() {
        let former = device
        device = pa_stream_get_device_index(raw)
        depth = DeviceDepth()
        if former != device { owner?.serverStreamMoved(from: former) }
    }
}
