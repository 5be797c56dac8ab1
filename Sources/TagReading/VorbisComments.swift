import Music

/// The tag of FLAC, Ogg Vorbis and Opus: texts in UTF-8, each `NAME=value`, names in any case.
///
/// Read here and not by TagLib, which drops a text that is not quite UTF-8.
struct VorbisComments {
    private var texts = NamedTexts()
    private var gains = GainFields()
    private var pictures = PictureChoice()
    private let isOpus: Bool
    private var lyrics: LyricsFields

    /// More of them than anybody writes are not looked at.
    private static let mostComments = 20_000
    private static let longestName = 64

    /// Takes apart what is behind the name of the packet or the head of the block; damage costs what is behind it.
    init(_ bytes: some Collection<UInt8>, isOpus: Bool = false, wantsCover: Bool, wantsLyrics: Bool = false) {
        self.isOpus = isOpus
        lyrics = LyricsFields(areWanted: wantsLyrics)
        var rest = bytes.dropFirst(4).dropFirst(bytes.littleEndian(4))
        guard rest.count >= 4 else { return }
        let count = rest.littleEndian(4)
        rest = rest.dropFirst(4)
        for _ in 0..<min(count, Self.mostComments) {
            guard rest.count > 4 else { return }
            let length = rest.littleEndian(4)
            rest = rest.dropFirst(4)
            take(rest.prefix(length), wantsCover: wantsCover)
            rest = rest.dropFirst(length)
        }
    }

    private mutating func take(_ comment: some Collection<UInt8>, wantsCover: Bool) {
        let head = comment.prefix(Self.longestName)
        guard let end = head.firstIndex(of: UInt8(ascii: "=")) else { return }
        let name = String(decoding: head[..<end], as: UTF8.self).uppercased()
        let value = comment[end...].dropFirst()
        if name == "METADATA_BLOCK_PICTURE" || name == "COVERART" {
            guard wantsCover else { return }
            let bytes = Base64.decode(value)
            let picture =
                name == "COVERART" ? PictureFrame(type: 0, image: bytes[...]) : PictureFrame(block: bytes)
            if let picture { pictures.offer(picture) }
        } else if !lyrics.take(name, LyricsFields.text(value)), !texts.take(name, TagText(utf8: value)) {
            gains.take(name, TagText(utf8: value).known ?? "")
        }
    }

    var content: TagContent {
        TagContent(
            texts: texts.texts,
            gain: gains.replayGain(prefersR128: isOpus),
            cover: pictures.best?.image,
            lyrics: lyrics.lyrics()
        )
    }
}

/// Bytes written in 64 letters.
enum Base64 {
    /// What they stand for; other letters, such as line breaks, are passed over.
    static func decode(_ letters: some Collection<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(letters.count / 4 * 3)
        var (bits, count): (UInt32, Int) = (0, 0)
        for letter in letters {
            guard let value = value(of: letter) else { continue }
            bits = bits << 6 | value
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return bytes
    }

    private static func value(of letter: UInt8) -> UInt32? {
        switch letter {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(letter - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(letter - UInt8(ascii: "a") + 26)
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(letter - UInt8(ascii: "0") + 52)
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
