import Testing

@testable import Audio

/// What a file is, by its first bytes.
struct FileContentTests {
    private static let page = Array("OggS".utf8) + [UInt8](repeating: 0, count: 24)

    @Test(
        "is told by what they begin with",
        arguments: [
            (Array("fLaC".utf8), .sampled("FLAC")),
            (page + Array("\u{1}vorbis".utf8), .sampled("Ogg Vorbis")),
            (page + Array("OpusHead".utf8), .sampled("Ogg Opus")),
            (page + [0x7F] + Array("FLAC".utf8), .sampled("Ogg FLAC")),
            (page + Array("Speex   ".utf8), .foreign("Ogg Speex")),
            (page + [0x80] + Array("theora".utf8), .other("a video")),
            (Array("RIFF....WAVE".utf8), .sampled("WAV")), (Array("RIFF....WEBP".utf8), .other("a picture")),
            (Array("RIFF....AVI ".utf8), .foreign("RIFF")), (Array("RF64....WAVE".utf8), .sampled("WAV")),
            (Array("FORM....AIFF".utf8), .sampled("AIFF")), (Array("FORM....AIFC".utf8), .sampled("AIFF")),
            (Array("FORM....ILBM".utf8), .foreign("IFF")), (Array("caff".utf8), .sampled("CAF")),
            (Array(".snd".utf8), .sampled("AU")), (Array("....ftypM4A ".utf8), .foreign("MP4")),
            ([0x89, 0x50, 0x4E, 0x47], .other("a picture")), ([0xFF, 0xFB, 0x90, 0x00], .unmarked),
            ([], .unmarked),
            (Array("ID3".utf8), .unmarked), (Array("some text".utf8), .unmarked),
        ] as [([UInt8], FileContent.Kind)]
    )
    func kind(bytes: [UInt8], kind: FileContent.Kind) {
        #expect(FileContent.kind(of: bytes) == kind)
    }

    @Test("the size of a tag in front is that with header and footer")
    func tagSize() {
        #expect(FileContent.tagSize(Array("ID3".utf8) + [3, 0, 0, 0, 0, 1, 2]) == 140)
        #expect(FileContent.tagSize(Array("ID3".utf8) + [4, 0, 0x10, 0, 0, 0, 0]) == 20)
        #expect(FileContent.tagSize(Array("ID3".utf8) + [3, 0, 0, 0x80, 0, 0, 0]) == nil)
        #expect(FileContent.tagSize(Array("ID3".utf8)) == nil)
    }
}
