/// What a file is and where its sound begins, judged by its bytes alone: names lie, and each decoder finds "music" in
/// files that are another's.
package struct FileContent: Equatable, Sendable {
    /// Who can play it.
    package enum Kind: Equatable, Sendable {
        /// Frames of MPEG audio in a RIFF file.
        case mpegInRIFF
        /// What libsndfile reads, by its name.
        case sampled(String)
        /// Music that nothing here plays, by its name.
        case foreign(String)
        /// No music, in words that go behind "it is".
        case other(String)
        /// Nothing that begins with a magic number: MPEG audio does not, and only a search for its frames can tell.
        case unmarked
    }

    package var kind: Kind
    /// The place behind the ID3v2 tags that some put in front of everything.
    package var start: Int64

    /// Looks at the first bytes of `file`, and in a RIFF file at what it says that it holds.
    package init(of file: MusicFile) throws(DecoderError) {
        start = 0
        while let tag = Self.tagSize(try file.bytes(at: start, count: 10)) {
            // A tag that claims more than the file has is skipped by its header alone.
            start += start + Int64(tag) < file.size ? Int64(tag) : 10
        }
        let bytes = try file.bytes(at: start, count: 64)
        kind = Self.kind(of: bytes)
        if kind == .sampled("WAV"), let tag = try Self.formatTag(in: file, from: start) {
            if Self.mpegTags.contains(tag) { kind = .mpegInRIFF }
        }
    }

    /// The size of the ID3v2 tag that `bytes` begin with, with header and footer; `nil` where there is none.
    ///
    /// Ten bytes are enough. The version does not matter: the size is where it always was.
    static func tagSize(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= 10, bytes.starts(with: "ID3".utf8), bytes[6...9].allSatisfy({ $0 < 128 }) else {
            return nil
        }
        let body = bytes[6...9].reduce(0) { $0 << 7 | Int($1) }
        return body + (bytes[5] & 0x10 == 0 ? 10 : 20)
    }

    /// What the first bytes say; 64 are enough for all that is told apart.
    static func kind(of bytes: [UInt8]) -> Kind {
        func has(_ magic: String, at place: Int = 0) -> Bool {
            bytes.dropFirst(place).starts(with: magic.utf8)
        }
        if has("RIFF") || has("RIFX") {
            if has("WAVE", at: 8) { return .sampled("WAV") }
            return has("WEBP", at: 8) ? .other("a picture") : .foreign("RIFF")
        }
        if has("FORM") {
            return has("AIFF", at: 8) || has("AIFC", at: 8) ? .sampled("AIFF") : .foreign("IFF")
        }
        if has("OggS") { return oggKind(bytes) }
        if has("ftyp", at: 4) { return .foreign("MP4") }
        return magics.first { bytes.starts(with: $0.bytes) }?.kind ?? .unmarked
    }

    /// The first packet behind the header of the first page and its table of one entry.
    private static func oggKind(_ bytes: [UInt8]) -> Kind {
        let packet = bytes.dropFirst(28)
        return oggMagics.first { packet.starts(with: $0.bytes) }?.kind ?? .sampled("Ogg")
    }

    private static let oggMagics: [(bytes: [UInt8], kind: Kind)] = [
        (Array("\u{1}vorbis".utf8), .sampled("Ogg Vorbis")), (Array("OpusHead".utf8), .sampled("Ogg Opus")),
        ([0x7F] + Array("FLAC".utf8), .sampled("Ogg FLAC")), (Array("Speex".utf8), .foreign("Ogg Speex")),
        ([0x80] + Array("theora".utf8), .other("a video")),
    ]

    private static let magics: [(bytes: [UInt8], kind: Kind)] = [
        (Array("fLaC".utf8), .sampled("FLAC")), (Array("RF64".utf8), .sampled("WAV")),
        (Array("caff".utf8), .sampled("CAF")), (Array(".snd".utf8), .sampled("AU")),
        (Array("dns.".utf8), .sampled("AU")),
        (Array("riff".utf8) + [0x2E, 0x91, 0xCF, 0x11], .sampled("W64")),
        (Array("MThd".utf8), .foreign("MIDI")), (Array("wvpk".utf8), .foreign("WavPack")),
        (Array("MAC ".utf8), .foreign("Monkey's Audio")), (Array("MPCK".utf8), .foreign("Musepack")),
        (Array("MP+".utf8), .foreign("Musepack")), (Array("TTA1".utf8), .foreign("True Audio")),
        (Array("DSD ".utf8), .foreign("DSD")), ([0x30, 0x26, 0xB2, 0x75], .foreign("WMA")),
        ([0x1A, 0x45, 0xDF, 0xA3], .foreign("Matroska")),
        ([0x00, 0x00, 0x01, 0xBA], .other("a video")), ([0x00, 0x00, 0x01, 0xB3], .other("a video")),
        ([0x89, 0x50, 0x4E, 0x47], .other("a picture")), ([0xFF, 0xD8, 0xFF], .other("a picture")),
        (Array("GIF8".utf8), .other("a picture")), (Array("%PDF".utf8), .other("a PDF")),
        ([0x50, 0x4B, 0x03, 0x04], .other("a ZIP archive")), ([0x1F, 0x8B], .other("a gzip archive")),
        ([0x7F, 0x45, 0x4C, 0x46], .other("a program")),
    ]

    /// What WAV calls MPEG audio: layers 1 and 2, and layer 3.
    private static let mpegTags: Set<Int> = [0x50, 0x55]

    /// The number by which a WAV file says how its samples are coded; `nil` where no chunk says so.
    ///
    /// Other chunks may stand in front, but not for ever.
    private static func formatTag(in file: MusicFile, from start: Int64) throws(DecoderError) -> Int? {
        var place = start + 12
        for _ in 0..<64 {
            let head = try file.bytes(at: place, count: 10)
            guard head.count == 10 else { return nil }
            if head.starts(with: "fmt ".utf8) { return Int(head[8]) | Int(head[9]) << 8 }
            let size = (4..<8).reduce(Int64(0)) { $0 | Int64(head[$1]) << (8 * Int64($1 - 4)) }
            place += 8 + size + size & 1
        }
        return nil
    }
}

extension FileContent.Kind {
    /// Why a decoder of `own` leaves it to others, or nobody plays it; behind a path: `/m/x: it is FLAC, not MP3`.
    package func refusal(of own: String) -> DecoderError {
        switch self {
        case .mpegInRIFF: .notMusic("it is MPEG audio, not \(own)")
        case .sampled(let name): .notMusic("it is \(name), not \(own)")
        case .foreign(let name): .notMusic("it is \(name), which cannot be played")
        case .other(let name): .notMusic("it is \(name), not music")
        case .unmarked: .notMusic("it is not \(own)")
        }
    }
}
