/// The tags of an Ogg file: the second packet of its first stream of music.
struct OggTags {
    /// What codes the music, which says how the packet begins.
    private enum Codec {
        case vorbis, opus, flac, speex

        init?(_ head: some Collection<UInt8>) {
            if head.starts(with: "\u{1}vorbis".utf8) {
                self = .vorbis
            } else if head.starts(with: "OpusHead".utf8) {
                self = .opus
            } else if head.starts(with: [0x7F] + "FLAC".utf8) {
                self = .flac
            } else if head.starts(with: "Speex   ".utf8) {
                self = .speex
            } else {
                return nil
            }
        }

        /// What is in front of the comments.
        var prefix: Int {
            switch self {
            case .vorbis: 7
            case .opus: 8
            case .flac: 4
            case .speex: 0
            }
        }
    }

    /// A page holds up to 64 KB; small ones are common.
    private static let mostPages = 20_000

    private var comments: VorbisComments?

    init(_ file: TagBytes, wantsCover: Bool, wantsLyrics: Bool = false) {
        guard let (codec, packet) = Self.secondPacket(file), packet.count > codec.prefix else { return }
        comments = VorbisComments(
            packet[codec.prefix...],
            isOpus: codec == .opus,
            wantsCover: wantsCover,
            wantsLyrics: wantsLyrics
        )
    }

    var content: TagContent { comments?.content ?? TagContent() }

    private static func secondPacket(_ file: TagBytes) -> (Codec, [UInt8])? {
        var (offset, music): (Int64, (codec: Codec, stream: Int)?) = (0, nil)
        var packet: [UInt8] = []
        for _ in 0..<mostPages {
            let head = file.bytes(at: offset, count: 27 + 255)
            guard head.count >= 27, head.starts(with: "OggS".utf8) else { return nil }
            let sizes = head[27...].prefix(Int(head[26]))
            let stream = head[14...].littleEndian(4)
            let start = offset + 27 + Int64(sizes.count)
            let length = sizes.reduce(0) { $0 + Int($1) }
            offset = start + Int64(length)
            guard let music else {
                // Streams of other things may begin in front of it.
                let begin = file.bytes(at: start, count: 8)
                music = Codec(begin).map { ($0, stream) }
                continue
            }
            guard stream == music.stream else { continue }
            // A size below 255 ends the packet.
            let end = sizes.firstIndex { $0 < 255 }
            let count = end.map { sizes[...$0].reduce(0) { $0 + Int($1) } } ?? length
            packet += file.bytes(at: start, count: count)
            if end != nil || packet.count >= TagBytes.largestTag { return (music.codec, packet) }
        }
        return nil
    }
}
