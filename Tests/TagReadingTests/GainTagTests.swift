import TagReading
import Music
import TestSupport
import Testing

/// ReplayGain in all the ways in which programs write it.
struct GainTagTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func gain(_ bytes: [UInt8]) throws -> ReplayGain {
        let path = try #require(FilePath(try folder.write("a", bytes)))
        let tags = try TagReader.readTags(path)
        #expect(try TagReader.read(path).tags == tags)
        return tags.replayGain
    }

    private func id3(_ frames: [UInt8]...) throws -> ReplayGain {
        try gain(ID3Bytes.tag(Array(frames.joined())) + ID3Bytes.silence(frames: 4))
    }

    @Test(
        "numbers as people and programs write them",
        arguments: [
            ("-6.50 dB", -6.5), ("-6.50", -6.5), ("+1.25 dB", 1.25), ("-6,5 dB", -6.5), ("−6.5dB", -6.5),
            (" -3 DB ", -3), ("0.00 dB", 0), (".5 dB", 0.5), ("-6.5 LU", -6.5),
            ("", nil), ("nan", nil), ("inf", nil), ("dB", nil), ("+999 dB", nil), ("-100 dB", nil),
            ("0x10", nil),
            ("1.2.3", nil), ("--6", nil), ("-6.5 dBm", nil), ("1e1", nil),
        ] as [(String, Double?)]
    )
    func numbers(text: String, value: Double?) throws {
        #expect(try id3(ID3Bytes.text("TXXX", "REPLAYGAIN_TRACK_GAIN", text)).trackGain == value)
        let comments = VorbisBytes.comments("REPLAYGAIN_TRACK_GAIN=\(text)")
        #expect(try gain(VorbisBytes.flac(comments)).trackGain == value)
    }

    private let all = ReplayGain(trackGain: -7.5, trackPeak: 0.9, albumGain: -6.25, albumPeak: 1.01)
    private let texts = [
        ("REPLAYGAIN_TRACK_GAIN", "-7.50 dB"), ("replaygain_track_peak", "0.9"),
        ("ReplayGain_Album_Gain", "-6.25 dB"), ("REPLAYGAIN_ALBUM_PEAK", "1.01"),
    ]

    @Test("ID3v2: texts with a name, in any case")
    func id3Texts() throws {
        #expect(try id3(texts.flatMap { ID3Bytes.text("TXXX", $0, $1) }) == all)
    }

    @Test("ID3v2: RVA2 and RGAD, behind the texts")
    func id3Frames() throws {
        func relative(_ name: String, _ steps: Int16, channel: UInt8 = 1) -> [UInt8] {
            let bits = UInt16(bitPattern: steps)
            return ID3Bytes.frame(
                "RVA2",
                name.utf8 + [0, 8, 0, 0, 8, 0xFF, channel, UInt8(bits >> 8), UInt8(bits & 255), 0]
            )
        }
        // The peak of 0.75 as a float; track -3.2 dB, album +1.5 dB.
        let adjustment = ID3Bytes.frame(
            "RGAD",
            [0x3F, 0x40, 0, 0, 0x20 | 0x0C | 0x02, 32, 0x40 | 0x0C, 15]
        )
        let frames = relative("track", -1792) + relative("ALBUM", -1024)
        #expect(try id3(frames) == ReplayGain(trackGain: -3.5, albumGain: -2))
        #expect(try id3(relative("", 256)) == ReplayGain(trackGain: 0.5))
        #expect(try id3(relative("track", 256, channel: 2)) == ReplayGain())
        #expect(try id3(adjustment) == ReplayGain(trackGain: -3.2, trackPeak: 0.75, albumGain: 1.5))
        let text = ID3Bytes.text("TXXX", "replaygain_track_gain", "-1 dB")
        #expect(
            try id3(adjustment, frames, text) == ReplayGain(trackGain: -1, trackPeak: 0.75, albumGain: -2)
        )
        for cut in 0..<frames.count { _ = try id3(ID3Bytes.frame("RVA2", Array(frames.prefix(cut)))) }
    }

    @Test("APEv2, as mp3gain writes it, behind ID3v2 field by field")
    func ape() throws {
        let items = texts.map { (key: $0, value: Array($1.utf8), isText: true) }
        let tag = ID3Bytes.ape(items[0], items[1], items[2], items[3])
        #expect(try gain(ID3Bytes.silence(frames: 4) + tag) == all)
        let front = ID3Bytes.tag(ID3Bytes.text("TXXX", "replaygain_track_gain", "-1 dB"))
        var both = all
        both.trackGain = -1
        #expect(try gain(front + ID3Bytes.silence(frames: 4) + tag) == both)
    }

    @Test("FLAC, Ogg Vorbis and Opus: comments, also in the first spelling")
    func comments() throws {
        let comments = VorbisBytes.comments(texts.map { "\($0)=\($1)" })
        #expect(try gain(VorbisBytes.flac(comments)) == all)
        #expect(try gain(VorbisBytes.vorbis(comments)) == all)
        #expect(try gain(VorbisBytes.opus(comments)) == all)
        let old = VorbisBytes.comments("RG_RADIO=-2.00 dB", "RG_AUDIOPHILE=-1.00 dB", "RG_PEAK=0.5")
        #expect(try gain(VorbisBytes.vorbis(old)) == ReplayGain(trackGain: -2, trackPeak: 0.5, albumGain: -1))
    }

    @Test("R128 is for a loudness of -23 LUFS in 256ths, and goes before in Opus only")
    func r128() throws {
        let r128 = VorbisBytes.comments("R128_TRACK_GAIN=-1024", "r128_album_gain=+256")
        let expected = ReplayGain(trackGain: 1, albumGain: 6)
        #expect(try gain(VorbisBytes.opus(r128)) == expected)
        #expect(try gain(VorbisBytes.vorbis(r128)) == expected)
        let both = VorbisBytes.comments("REPLAYGAIN_TRACK_GAIN=-3 dB", "R128_TRACK_GAIN=0")
        #expect(try gain(VorbisBytes.opus(both)) == ReplayGain(trackGain: 5))
        #expect(try gain(VorbisBytes.vorbis(both)) == ReplayGain(trackGain: -3))
        for odd in ["32768", "nan", "", "-30000"] {
            #expect(
                try gain(VorbisBytes.opus(VorbisBytes.comments("R128_TRACK_GAIN=\(odd)"))) == ReplayGain()
            )
        }
    }

    @Test("WAV and AIFF: ID3v2 in a chunk")
    func chunks() throws {
        let tag = ID3Bytes.tag(texts.flatMap { ID3Bytes.text("TXXX", $0, $1) })
        #expect(try gain(ChunkBytes.wav(("id3 ", tag))) == all)
        #expect(try gain(ChunkBytes.aiff(("ID3 ", tag))) == all)
    }
}
