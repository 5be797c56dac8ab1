import Audio
import CSndfile
import Glibc
import Music

/// One libsndfile decoder and the bytes that it reads; nothing else can own it, since it cannot be copied.
struct SndfileHandle: ~Copyable {
    private let raw: OpaquePointer
    let bytes: SoundBytes
    let codec: Codec
    let rate: Int32
    let channels: Int
    /// How many frames the header counts; `nil` where it does not.
    let frames: Int64?

    /// What matters of how the sound is coded.
    enum Codec: Equatable {
        case vorbis
        case opus
        case flac
        case other

        init(_ format: CInt) {
            switch format & CInt(SF_FORMAT_SUBMASK) {
            case CInt(SF_FORMAT_VORBIS): self = .vorbis
            case CInt(SF_FORMAT_OPUS): self = .opus
            case _ where format & CInt(SF_FORMAT_TYPEMASK) == CInt(SF_FORMAT_FLAC): self = .flac
            default: self = .other
            }
        }
    }

    /// Begins decoding `bytes`, which must stand at their start.
    init(_ bytes: SoundBytes) throws(DecoderError) {
        var access = SF_VIRTUAL_IO(
            get_filelen: countBytes,
            seek: seekBytes,
            read: readBytes,
            write: nil,
            tell: tellPlace
        )
        var info = SF_INFO()
        guard
            let raw = sf_open_virtual(
                &access,
                CInt(SFM_READ),
                &info,
                Unmanaged.passUnretained(bytes).toOpaque()
            )
        else { throw Self.refusal(of: bytes) }
        let codec = Codec(info.format)
        if codec == .opus {
            // Opus is made for 48 kHz; its header names the rate of the recording, for those who want that back.
            var rate: CInt = 48_000
            sf_command(raw, CInt(SFC_SET_ORIGINAL_SAMPLERATE), &rate, CInt(MemoryLayout<CInt>.size))
            sf_command(raw, CInt(SFC_GET_CURRENT_SF_INFO), &info, CInt(MemoryLayout<SF_INFO>.size))
        }
        guard info.samplerate > 0, info.channels > 0, info.frames >= 0 else {
            sf_close(raw)
            throw .damaged("its header makes no sense")
        }
        self.codec = codec
        rate = info.samplerate
        channels = Int(info.channels)
        frames = info.frames == .max ? nil : info.frames
        self.bytes = bytes
        self.raw = raw
    }

    deinit {
        // Closes before `bytes` go.
        sf_close(raw)
    }

    /// Which loudspeaker each channel is for, in the file's own numbers of libsndfile; empty where it does not say.
    var channelMap: [CInt] {
        var map = [CInt](repeating: 0, count: channels)
        let size = CInt(channels * MemoryLayout<CInt>.stride)
        let isKnown = map.withUnsafeMutableBytes {
            sf_command(raw, CInt(SFC_GET_CHANNEL_MAP_INFO), $0.baseAddress, size) != 0
        }
        return isKnown ? map : []
    }

    /// Decodes the next `count` frames; returns how many there were, fewer only at the end or before damage.
    func read(into samples: UnsafeMutablePointer<Float>, frames count: Int) -> Int {
        Int(max(0, sf_readf_float(raw, samples, Int64(count))))
    }

    /// Goes to the frame of sound `frame`; whether that worked.
    func seek(to frame: Int64) -> Bool {
        sf_seek(raw, frame, SEEK_SET) == frame
    }

    /// Whether the last call met something that libsndfile does not understand.
    var isConfused: Bool { sf_error(raw) != 0 }

    /// The error of the first read that the system refused.
    var failure: DecoderError? {
        bytes.failure
    }

    private static func refusal(of bytes: SoundBytes) -> DecoderError {
        if let failure = bytes.failure { return failure }
        let reason = words(sf_strerror(nil))
        return switch sf_error(nil) {
        case CInt(SF_ERR_UNRECOGNISED_FORMAT): .damaged("it cannot be opened: its header is broken")
        case CInt(SF_ERR_UNSUPPORTED_ENCODING): .notMusic("its sound is coded in an unknown way")
        default: .damaged("it cannot be opened: \(reason)")
        }
    }
}

/// libsndfile's sentence as the end of one of ours.
private func words(_ text: UnsafePointer<CChar>?) -> String {
    guard let text else { return "libsndfile does not say why" }
    var words = String(cString: text)
    for prefix in ["Error : ", "Error: "] where words.hasPrefix(prefix) { words.removeFirst(prefix.count) }
    while let last = words.last, last == "." || last == " " { words.removeLast() }
    return words.prefix(1).lowercased() + words.dropFirst()
}

private func bytes(_ context: UnsafeMutableRawPointer?) -> SoundBytes? {
    context.map { Unmanaged<SoundBytes>.fromOpaque($0).takeUnretainedValue() }
}

private func countBytes(_ context: UnsafeMutableRawPointer?) -> sf_count_t {
    bytes(context)?.count ?? 0
}

private func seekBytes(
    _ offset: sf_count_t,
    _ whence: CInt,
    _ context: UnsafeMutableRawPointer?
) -> sf_count_t {
    bytes(context)?.seek(by: offset, from: whence) ?? -1
}

private func readBytes(
    _ target: UnsafeMutableRawPointer?,
    _ count: sf_count_t,
    _ context: UnsafeMutableRawPointer?
) -> sf_count_t {
    guard let bytes = bytes(context), let target, count > 0 else { return 0 }
    return sf_count_t(bytes.read(into: UnsafeMutableRawBufferPointer(start: target, count: Int(count))))
}

private func tellPlace(_ context: UnsafeMutableRawPointer?) -> sf_count_t {
    bytes(context)?.position ?? 0
}
