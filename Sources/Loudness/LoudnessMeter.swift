package import Audio
import CEbur128
package import Music

/// How loud a track is, by EBU R 128, and its highest sample.
///
/// Made and used on one thread. What is kept of a track is a histogram of 8 KB, whatever its length, so that the tracks of a
/// long album can be put together at its end. The peak is that of the samples, not of the curve between them.
package final class LoudnessMeter {
    private var state: UnsafeMutablePointer<ebur128_state>?
    /// The highest sample, 1 being full scale.
    package private(set) var peak = 0.0
    /// In LUFS; `nil` for silence and for what is shorter than 400 ms.
    package private(set) var loudness: Double?

    /// A lower rate has no block of 400 ms that could be kept in it; also the least that the library takes.
    private static let leastRate: UInt = 16

    /// Reads all of `decoder`; `nil` where `shouldStop` has said so, or where there are more channels than can be measured.
    package init?(_ decoder: any Decoder, shouldStop: () -> Bool) throws(DecoderError) {
        guard var channels = begin(decoder.format) else { return nil }
        let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: max(8192, channels))
        defer { buffer.deallocate() }
        reading: while true {
            if shouldStop() { return nil }
            switch try decoder.read(into: buffer) {
            case .samples(let count):
                guard ebur128_add_frames_float(state, buffer.baseAddress, count / channels) == 0 else {
                    return nil
                }
            case .formatChange:
                takePeak()
                guard let changed = begin(decoder.format), changed <= buffer.count else { return nil }
                channels = changed
            case .end: break reading
            }
        }
        takePeak()
        var value = 0.0
        if ebur128_loudness_global(state, &value) == 0, value.isFinite { loudness = value }
        // Gives back the last 400 ms of sound: the histogram is all that is needed from here on.
        _ = ebur128_change_parameters(state, 1, Self.leastRate)
    }

    deinit {
        if state != nil { ebur128_destroy(&state) }
    }

    /// The loudness of several tracks as one, in LUFS; `nil` for silence.
    package static func loudness(ofAlbum tracks: [LoudnessMeter]) -> Double? {
        var states = tracks.map(\.state)
        var value = 0.0
        guard ebur128_loudness_global_multiple(&states, states.count, &value) == 0, value.isFinite else {
            return nil
        }
        return value
    }

    /// How many channels there are from here on.
    private func begin(_ format: StreamFormat) -> Int? {
        let (channels, rate) = (UInt32(clamping: format.channels), UInt(clamping: format.rate))
        if state == nil {
            let mode =
                EBUR128_MODE_I.rawValue | EBUR128_MODE_SAMPLE_PEAK.rawValue | EBUR128_MODE_HISTOGRAM.rawValue
            state = ebur128_init(channels, rate, CInt(mode))
            guard state != nil else { return nil }
        } else {
            let status = ebur128_change_parameters(state, channels, rate)
            guard status == 0 || status == CInt(EBUR128_ERROR_NO_CHANGE.rawValue) else { return nil }
        }
        // One channel is played by two speakers.
        if channels == 1 { _ = ebur128_set_channel(state, 0, CInt(EBUR128_DUAL_MONO.rawValue)) }
        return Int(channels)
    }

    /// Before the channels change, with which the peaks are lost.
    private func takePeak() {
        for channel in 0..<(state?.pointee.channels ?? 0) {
            var value = 0.0
            if ebur128_sample_peak(state, channel, &value) == 0, value.isFinite { peak = max(peak, value) }
        }
    }
}

extension ReplayGain {
    /// The loudness to which ReplayGain 2.0 brings music, in LUFS.
    private static let reference = -18.0

    /// What the tracks of an album, or a track by itself, are to be changed by.
    ///
    /// `nil` stands for a track that could not be measured.
    package static func measured(_ tracks: [LoudnessMeter?]) -> [ReplayGain] {
        let measured = tracks.compactMap(\.self)
        let album = LoudnessMeter.loudness(ofAlbum: measured)
        let peak = measured.map(\.peak).max()
        return tracks.map { track in
            guard let track, let loudness = track.loudness else { return ReplayGain() }
            return ReplayGain(
                trackGain: reference - loudness,
                trackPeak: track.peak,
                albumGain: album.map { reference - $0 },
                albumPeak: peak
            )
        }
    }
}
