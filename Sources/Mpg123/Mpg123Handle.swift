import Audio
import CMpg123
import Music
import Glibc

/// One libmpg123 decoder and the file that it reads; nothing else can own it, since it cannot be copied.
struct Mpg123Handle: ~Copyable {
    private let raw: OpaquePointer
    let file: MusicFile

    /// What one call of the library gave.
    struct Step: Equatable {
        var samples: Int
        var status: Status
    }

    enum Status: Equatable {
        case more
        case newFormat
        case end
        case failed(String)
    }

    /// Begins decoding `file` at its ``MusicFile/start``, with or without what encoders put round the music.
    init(file: MusicFile, isTrimming: Bool = true) throws(DecoderError) {
        var status = MPG123_OK.rawValue
        guard let raw = mpg123_new(nil, &status) else { throw .unreadable(message(status)) }
        do throws(DecoderError) {
            try configure(raw, isTrimming: isTrimming)
            try check(mpg123_replace_reader_handle(raw, readFile, seekFile, nil))
            try check(mpg123_open_handle(raw, Unmanaged.passUnretained(file).toOpaque()))
        } catch {
            mpg123_delete(raw)
            throw error
        }
        self.raw = raw
        self.file = file
    }

    deinit {
        // Closes before `file` goes, which it may still read.
        mpg123_close(raw)
        mpg123_delete(raw)
    }

    /// The format of what is decoded next; throws where there is no sound at all.
    func format() throws(DecoderError) -> StreamFormat {
        var (rate, channels, encoding) = (0, CInt(0), CInt(0))
        guard mpg123_getformat(raw, &rate, &channels, &encoding) == MPG123_OK.rawValue, rate > 0, channels > 0
        else {
            if let failure = file.failure { throw .unreadable(FileKind.reason(failure)) }
            throw .notMusic("there is no sound in it")
        }
        guard encoding == CInt(MPG123_ENC_FLOAT_32.rawValue) else {
            throw .damaged("libmpg123 gives no float samples")
        }
        return StreamFormat(rate: Int32(rate), channels: channels)
    }

    func read(into samples: UnsafeMutableBufferPointer<Float>) -> Step {
        var bytes = 0
        let size = samples.count * MemoryLayout<Float>.stride
        let status = mpg123_read(raw, samples.baseAddress, size, &bytes)
        return Step(samples: bytes / MemoryLayout<Float>.stride, status: meaning(of: status))
    }

    /// Goes to the frame of sound `frame`; whether there is one.
    func seek(to frame: Int64) -> Bool {
        mpg123_seek(raw, off_t(frame), SEEK_SET) >= 0
    }

    /// The number of frames of sound, found by reading every frame header to the end; `nil` where that fails.
    ///
    /// Changes how a trimming decoder goes on where an info frame lies: for a decoder that is not played.
    func countedLength() -> Int64? {
        guard mpg123_scan(raw) == MPG123_OK.rawValue else { return nil }
        return max(0, Int64(mpg123_length(raw)))
    }

    /// What a status says to a reader: whatever cannot be decoded at the end of a file is its end (junk, zeros, tags, a
    /// frame cut short), unless it was the system that refused to read.
    private func meaning(of status: CInt) -> Status {
        switch status {
        case MPG123_OK.rawValue: return .more
        case MPG123_NEW_FORMAT.rawValue: return .newFormat
        case MPG123_DONE.rawValue, MPG123_NEED_MORE.rawValue: return endOrFailure
        default: break
        }
        let code = mpg123_errcode(raw)
        switch code {
        case CInt(MPG123_RESYNC_FAIL.rawValue), CInt(MPG123_ERR_READER.rawValue): return endOrFailure
        default: return .failed(message(code))
        }
    }

    private var endOrFailure: Status {
        file.failure.map { .failed(FileKind.reason($0)) } ?? .end
    }
}

/// Sets a new decoder up: float samples as the file has them, exact seeks, as much patience as the file needs.
private func configure(_ raw: OpaquePointer, isTrimming: Bool) throws(DecoderError) {
    let on = [MPG123_QUIET, MPG123_FORCE_FLOAT, MPG123_SKIP_ID3V2] + (isTrimming ? [MPG123_GAPLESS] : [])
    let off = [MPG123_AUTO_RESAMPLE, MPG123_FUZZY] + (isTrimming ? [] : [MPG123_GAPLESS])
    try check(mpg123_param2(raw, CInt(MPG123_ADD_FLAGS.rawValue), on.reduce(0) { $0 | Int($1.rawValue) }, 0))
    try check(
        mpg123_param2(raw, CInt(MPG123_REMOVE_FLAGS.rawValue), off.reduce(0) { $0 | Int($1.rawValue) }, 0)
    )
    // The bit reservoir reaches back over more frames than the default 4 where frames are small.
    try check(mpg123_param2(raw, CInt(MPG123_PREFRAMES.rawValue), 16, 0))
    try check(mpg123_param2(raw, CInt(MPG123_RESYNC_LIMIT.rawValue), -1, 0))
}

private func check(_ status: CInt) throws(DecoderError) {
    guard status == MPG123_OK.rawValue else { throw .unreadable(message(status)) }
}

private func message(_ status: CInt) -> String {
    mpg123_plain_strerror(status).map { String(cString: $0) } ?? "libmpg123 failed with \(status)"
}

private func readFile(
    _ file: UnsafeMutableRawPointer?,
    _ target: UnsafeMutableRawPointer?,
    _ count: Int
) -> Int {
    guard let file else { return -1 }
    return Unmanaged<MusicFile>.fromOpaque(file).takeUnretainedValue()
        .read(into: UnsafeMutableRawBufferPointer(start: target, count: count))
}

private func seekFile(_ file: UnsafeMutableRawPointer?, _ offset: off_t, _ whence: CInt) -> off_t {
    guard let file else { return -1 }
    return off_t(
        Unmanaged<MusicFile>.fromOpaque(file).takeUnretainedValue().seek(by: Int64(offset), from: whence)
    )
}
