import Audio
import CMpg123
import Music
import Glibc

/// One libmpg123 decoder and the file that it reads; nothing else can own it, since it cannot be copied.
struct Mpg123Handle: ~Copyable {
    private let raw: OpaquePointer
    let file: MusicFile
    /// The header of the first frame; `nil` where nothing is known of what is there.
    private let header: FrameHeader?

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
        let start = try file.bytes(at: file.start, count: 4)
        let header = start.count < 4 ? nil : FrameHeader(start[0], start[1], start[2], start[3])
        var status = MPG123_OK.rawValue
        guard let raw = mpg123_new(nil, &status) else { throw .unreadable(message(status)) }
        do throws(DecoderError) {
            try configure(raw, isTrimming: isTrimming, framesAhead: header?.framesAhead ?? 16)
            try check(mpg123_replace_reader_handle(raw, readFile, seekFile, nil))
            try check(mpg123_open_handle(raw, Unmanaged.passUnretained(file).toOpaque()))
        } catch {
            mpg123_delete(raw)
            throw error
        }
        self.raw = raw
        self.file = file
        self.header = header
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

    /// Reads every frame header to the end: for a decoder that is not played and does not trim.
    func survey() throws(DecoderError) -> Survey {
        var parts = RateParts(rate: try format().rate)
        // To know the format it has read the first frame.
        var frames = Int64(mpg123_spf(raw))
        reading: while true {
            switch mpg123_framebyframe_next(raw) {
            case MPG123_OK.rawValue: break
            case MPG123_NEW_FORMAT.rawValue: parts.note(try format().rate, from: frames)
            default: break reading
            }
            frames += Int64(mpg123_spf(raw))
        }
        if let failure = file.failure { throw .unreadable(FileKind.reason(failure)) }
        return Survey(frames: frames, parts: parts, index: parts.isOne ? seekIndex : nil)
    }

    /// What has been noted while reading, where it pays to keep it: from five minutes of MPEG-1 on.
    private var seekIndex: SeekIndex? {
        guard let index, index.places.count * index.step >= 12_000 else { return nil }
        let stride = max(1, SeekIndex.leastStep / index.step)
        return SeekIndex(
            step: index.step * stride,
            offsets: Swift.stride(from: 0, to: index.places.count, by: stride).map { Int64(index.places[$0]) }
        )
    }

    /// Takes the places that another decoder of the same file has noted; `false` where they are not of this file.
    func adopt(_ index: SeekIndex) -> Bool {
        guard self.index?.places.first.map({ Int64($0) }) == index.offsets.first,
            index.offsets.last.map({ $0 < file.size - file.start }) == true
        else { return false }
        let places = index.offsets.map { off_t($0) }
        return places.withUnsafeBufferPointer {
            let own = UnsafeMutablePointer(mutating: $0.baseAddress)
            return mpg123_set_index(raw, own, off_t(index.step), $0.count) == MPG123_OK.rawValue
        }
    }

    /// Forgets all places.
    func dropIndex() {
        mpg123_set_index(raw, nil, 1, indexSize)
    }

    /// Whether so much lies between `frame` and the places that are known that reading through it would be felt.
    func isFar(_ frame: Int64) -> Bool {
        guard let header else { return false }
        let known = index.map { $0.places.count * $0.step } ?? 0
        return frame / Int64(header.samples) - Int64(known) > 2000
    }

    /// Whether frames of the stream stand where a seek to `frame` may begin to read.
    func isIndexTrue(near frame: Int64) -> Bool {
        guard let header, let index else { return true }
        // Up to that much sound may be trimmed in front.
        let trimmed = 4095 + 529
        let samples = Int64(header.samples)
        let range = [frame / samples - Int64(header.framesAhead), (frame + Int64(trimmed)) / samples]
        let entries = range.map { min(max(0, Int($0) / index.step), index.places.count - 1) }
        return (entries[0]...entries[1]).allSatisfy { entry in
            let place = file.start + Int64(index.places[entry])
            guard let bytes = try? file.bytes(at: place, count: 4), bytes.count == 4,
                let found = FrameHeader(bytes[0], bytes[1], bytes[2], bytes[3])
            else { return false }
            return found.isOfOneStream(with: header)
        }
    }

    /// The places that have been noted, only until the next call to the library.
    private var index: (places: UnsafeBufferPointer<off_t>, step: Int)? {
        var (places, step, count) = (UnsafeMutablePointer<off_t>?.none, off_t(0), 0)
        guard mpg123_index(raw, &places, &step, &count) == MPG123_OK.rawValue, let places, step > 0, count > 0
        else { return nil }
        return (UnsafeBufferPointer(start: places, count: count), Int(step))
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

/// How many places a decoder notes while it reads.
private let indexSize = 1000

/// Sets a new decoder up: float samples as the file has them, exact seeks, as much patience as the file needs.
private func configure(_ raw: OpaquePointer, isTrimming: Bool, framesAhead: Int) throws(DecoderError) {
    let on = [MPG123_QUIET, MPG123_FORCE_FLOAT, MPG123_SKIP_ID3V2] + (isTrimming ? [MPG123_GAPLESS] : [])
    let off = [MPG123_AUTO_RESAMPLE, MPG123_FUZZY] + (isTrimming ? [] : [MPG123_GAPLESS])
    try check(mpg123_param2(raw, CInt(MPG123_ADD_FLAGS.rawValue), on.reduce(0) { $0 | Int($1.rawValue) }, 0))
    try check(
        mpg123_param2(raw, CInt(MPG123_REMOVE_FLAGS.rawValue), off.reduce(0) { $0 | Int($1.rawValue) }, 0)
    )
    try check(mpg123_param2(raw, CInt(MPG123_PREFRAMES.rawValue), framesAhead, 0))
    try check(
        mpg123_param2(
            raw,
            CInt(MPG123_INDEX_SIZE.rawValue),
            isTrimming ? indexSize : SeekIndex.largestCount,
            0
        )
    )
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
