import Charset
import Music
import TagReading
import TestSupport
import Testing

/// A hundred thousand damaged tags of every kind, the same in every run: none ends the process, takes its time, or tells
/// what the bus could not carry.
@Suite(.timeLimit(.minutes(5)))
struct MutationTests {
    private static let texts: [[UInt8]] =
        [ID3Bytes.text("TIT2", "山谷", "b"), ID3Bytes.frame("TPE1", [0] + written("山谷裡的回聲", "BIG5"))]
        + [
            ID3Bytes.frame("TALB", [1, 0xFF, 0xFE, 0x42, 0x30, 0, 0, 0x43, 0]),
            ID3Bytes.frame("TXXX", [3] + "REPLAYGAIN_TRACK_GAIN\0-4.5 dB".utf8),
            ID3Bytes.frame("TXXX", [1, 0xFE, 0xFF, 0, 0x42, 0, 0, 0xFF, 0xFE, 0x42, 0]),
            ID3Bytes.frame("COMM", [1] + "eng".utf8 + [0xFF, 0xFE, 0, 0, 0xFE, 0xFF, 0x5C, 0x71]),
            ID3Bytes.frame("POPM", "a@b.c".utf8 + [0, 196, 0, 0, 0, 1]),
            ID3Bytes.frame(
                "UFID",
                Array("http://musicbrainz.org\0aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa".utf8)
            ),
            ID3Bytes.frame("RVA2", "track\0".utf8 + [1, 0xF9, 0, 16, 0x7F, 0xFF]),
            ID3Bytes.frame("TBPM", [0] + "119.6".utf8), ID3Bytes.frame("TCON", [0] + "(17)((x)".utf8),
            ID3Bytes.frame("TRCK", [0] + "3/12".utf8), ID3Bytes.frame("TDRC", [0] + "2009-09-04".utf8),
            ID3Bytes.picture(ID3Bytes.jpeg()), ID3Bytes.frame("USLT", [0] + "eng\0la la".utf8),
            ID3Bytes.frame("SYLT", [3] + "eng".utf8 + [2, 1, 0] + "la\0".utf8 + [0, 0, 1, 0]),
        ]

    private static let comments = VorbisBytes.comments(
        [
            "TITLE=山谷", "ARTIST=One", "ALBUM=x\ny", "TRACKNUMBER=3/12", "DATE=2021-08-05", "GENRE=17",
            "COMMENT=c",
        ].map {
            Array($0.utf8)
        } + [
            Array("ARTIST=".utf8) + written("許家姊妹", "BIG5"), Array("BPM=120".utf8), Array("RATING=4".utf8),
            Array("R128_TRACK_GAIN=-1024".utf8), Array("LYRICS=[00:01.00]la".utf8),
            Array("METADATA_BLOCK_PICTURE=\(VorbisBytes.base64(VorbisBytes.picture(ID3Bytes.jpeg())))".utf8),
        ]
    )

    private static let end =
        ID3Bytes.ape(
            ("Title", Array("T\0U".utf8), true),
            ("Artist", written("許家姊妹", "BIG5"), true),
            ("Year", Array("1999".utf8), true),
            ("Cover Art (Front)", "a.jpg\0".utf8 + ID3Bytes.jpeg(), false),
            ("Lyrics", Array("la".utf8), true)
        ) + "LYRICSBEGININD0000200000021LYRICS200".utf8
        + ID3Bytes.v1(title: written("山谷裡的回聲在月光下慢慢走回海", "BIG5"), artist: [0xE9, 0x20], track: 7, genre: 17)

    /// A small file of each kind.
    private static let files: [[UInt8]] = [
        ID3Bytes.tag(Array(texts.joined())) + ID3Bytes.silence(frames: 1),
        ID3Bytes.tag(version: 3, Array(texts.joined())) + ID3Bytes.silence(frames: 1),
        ID3Bytes.tag(version: 3, flags: 0x80, Array(texts.joined())) + ID3Bytes.silence(frames: 1),
        ID3Bytes.tag(flags: 0x40, [0, 0, 0, 6, 1, 0], ID3Bytes.frame("TALB", []), Array(texts.joined())),
        ID3Bytes.tag(
            version: 2,
            ID3Bytes.oldFrame("TT2", [0] + written("山谷", "GBK")),
            ID3Bytes.oldFrame("TP1", [1, 0xFE, 0xFF, 0, 0x42]),
            ID3Bytes.oldFrame("COM", [0] + "eng\0old".utf8),
            ID3Bytes.oldFrame("TXX", [0] + "RATING\0300".utf8),
            ID3Bytes.oldFrame("PIC", [0] + "JPG".utf8 + [3, 0] + ID3Bytes.jpeg())
        ),
        ID3Bytes.silence(frames: 1) + end,
        VorbisBytes.flac(comments, (6, VorbisBytes.picture(ID3Bytes.jpeg()))),
        VorbisBytes.vorbis(comments, pageSize: 2),
        VorbisBytes.opus(comments),
        ChunkBytes.wav(
            (
                "LIST",
                ChunkBytes.info([("INAM", written("山谷", "BIG5")), ("IART", [0x41]), ("ICMT", [0x42, 0x0A])])
            ),
            ("id3 ", ID3Bytes.tag(Array(texts.joined()))),
            sound: 9
        ),
        ChunkBytes.aiff(
            ("NAME", written("Кино", "CP1251")),
            ("AUTH", [0x41]),
            ("ID3 ", ID3Bytes.tag(Array(texts.joined())))
        ),
        MP4Bytes.file(
            MP4Bytes.item("©nam", Array("山谷".utf8)),
            MP4Bytes.item("©ART", written("許家姊妹", "BIG5"), Array("Two".utf8)),
            MP4Bytes.item("trkn", [0, 0, 0, 3, 0, 12, 0, 0]),
            MP4Bytes.item("gnre", [0, 18]),
            MP4Bytes.item("covr", ID3Bytes.jpeg()),
            MP4Bytes.named("replaygain_track_gain", "-3 dB")
        ),
    ]

    /// 100,000 in all, in portions that run beside each other.
    private static let portions = 20

    @Test("of every kind of tag", arguments: 0..<portions)
    func mutations(portion: Int) throws {
        let file = try #require(RewrittenFile())
        var mutation = Mutation(seed: portion)
        let encodings = TagEncodings(order: EncodingOrder(locale: portion % 2 == 0 ? "zh_TW" : "C"))
        var longest = Duration.zero
        for number in 0..<100_000 / Self.portions {
            var bytes = Self.files[number % Self.files.count]
            mutation.mutate(&bytes, in: 0..<bytes.count)
            try #require(file.write(bytes))
            let began = ContinuousClock.now
            let tags = try TagReader.read(file.path, encodings, wantsLyrics: true)
            longest = max(longest, ContinuousClock.now - began)
            #expect(tags.flaws.isEmpty, "portion \(portion), file \(number)")
        }
        // One of them takes a fraction of a millisecond; tests run beside many others.
        #expect(longest < .seconds(10))
    }

    @Test("undamaged they tell all of it")
    func undamaged() throws {
        let file = try #require(RewrittenFile())
        for (index, bytes) in Self.files.enumerated() {
            try #require(file.write(bytes))
            let tags = try TagReader.read(file.path)
            #expect(tags.tags.title != nil && !tags.tags.artists.isEmpty, "\(index)")
        }
    }
}
