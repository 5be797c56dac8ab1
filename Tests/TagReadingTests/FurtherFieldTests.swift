import Music
import TagReading
import TestSupport
import Testing

/// What else tags tell: comments, tempo, rating, identifiers; and what TagLib would not reach by itself.
struct FurtherFieldTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func tags(_ bytes: [UInt8]) throws -> Tags {
        try TagReader.readTags(try #require(FilePath(try folder.write("a.mp3", bytes))))
    }

    private func comment(_ name: String, _ text: String) -> [UInt8] {
        ID3Bytes.frame("COMM", [3] + "eng".utf8 + name.utf8 + [0] + text.utf8)
    }

    @Test("comments, those without a name first, none that programs write for themselves")
    func comments() throws {
        let tag = ID3Bytes.tag(
            comment("iTunNORM", " 00000"),
            comment("iTunSMPB", " 0"),
            comment("Songs-DB_Custom1", "x"),
            comment("notes", "named"),
            comment("", "first\nline"),
            comment("", " "),
            ID3Bytes.frame("COMM", [1] + "eng".utf8 + [0xFE, 0xFF, 0, 0, 0x5C, 0x71]),
            ID3Bytes.frame("COMM", [0] + "en".utf8)
        )
        #expect(try tags(tag).comments == ["first\nline", "山", "named"])
        #expect(
            try tags(ID3Bytes.tag(version: 2, ID3Bytes.oldFrame("COM", [0] + "eng".utf8 + [0] + "old".utf8)))
                .comments == ["old"]
        )
        #expect(
            try tags(ID3Bytes.silence(frames: 1) + ID3Bytes.ape(("Comment", Array("ape".utf8), true)))
                .comments == ["ape"]
        )
    }

    @Test(
        "the tempo",
        arguments: [("120", 120), ("119.6", 120), ("0", nil), ("fast", nil), ("1e9", nil)]
            as [(String, Int32?)]
    )
    func tempo(text: String, bpm: Int32?) throws {
        #expect(try tags(ID3Bytes.tag(ID3Bytes.text("TBPM", text))).beatsPerMinute == bpm)
        #expect(try tags(VorbisBytes.flac(VorbisBytes.comments("TEMPO=\(text)"))).beatsPerMinute == bpm)
    }

    @Test(
        "ratings as programs write them",
        arguments: [
            ("RATING=0.8", 0.8), ("RATING=1.0", 1), ("RATING=4", 0.8), ("RATING=80", 0.8),
            ("RATING=196", 0.8),
            ("RATING=255", 1), ("RATING=0", nil), ("RATING=-1", nil), ("RATING=999", nil),
            ("RATING=good", nil),
            ("RATING:me@example.org=0.6", 0.6), ("FMPS_RATING=0.5", 0.5),
        ] as [(String, Double?)]
    )
    func ratings(comment: String, rating: Double?) throws {
        #expect(try tags(VorbisBytes.flac(VorbisBytes.comments(comment))).rating == rating)
    }

    @Test(
        "ratings in frames",
        arguments: [(0, nil), (1, 0.2), (64, 0.4), (128, 0.6), (196, 0.8), (255, 1)] as [(UInt8, Double?)]
    )
    func ratingFrames(byte: UInt8, rating: Double?) throws {
        let body = Array("a@b.c".utf8) + [0, byte, 0, 0, 0, 1]
        #expect(try tags(ID3Bytes.tag(ID3Bytes.frame("POPM", body))).rating == rating)
        #expect(try tags(ID3Bytes.tag(ID3Bytes.frame("POPM", Array("no end".utf8)))).rating == nil)
    }

    @Test("identifiers of MusicBrainz, in any kind of tag, and nothing else in their place")
    func identifiers() throws {
        func id(_ digit: String) -> String {
            [8, 4, 4, 4, 12].map { String(repeating: digit, count: $0) }.joined(separator: "-")
        }
        var ids = MusicBrainzIDs()
        ids.recording = id("a")
        ids.release = id("b")
        ids.artists = [id("c"), id("d")]
        let tag = ID3Bytes.tag(
            ID3Bytes.frame("UFID", "http://musicbrainz.org".utf8 + [0] + id("A").utf8),
            ID3Bytes.frame("UFID", "http://other".utf8 + [0] + id("e").utf8),
            ID3Bytes.text("TXXX", "MusicBrainz Album Id", id("b")),
            ID3Bytes.text("TXXX", "MusicBrainz Artist Id", "\(id("c"))/\(id("d"))"),
            ID3Bytes.text("TXXX", "MusicBrainz Release Group Id", "none")
        )
        #expect(try tags(tag).musicBrainz == ids)
        let comments = VorbisBytes.comments(
            "MUSICBRAINZ_TRACKID=\(id("a"))",
            "MUSICBRAINZ_ALBUMID=\(id("b"))",
            "MUSICBRAINZ_ARTISTID=\(id("c"))",
            "MUSICBRAINZ_ARTISTID=\(id("d"))"
        )
        #expect(try tags(VorbisBytes.opus(comments)).musicBrainz == ids)
    }

    @Test("behind an empty frame, and behind extended headers, there is more", arguments: [3, 4] as [UInt8])
    func mended(version: UInt8) throws {
        let (title, artist) = (
            ID3Bytes.text("TIT2", "Title", version: version),
            ID3Bytes.text("TPE1", "Artist", version: version)
        )
        let empty = ID3Bytes.frame("TALB", version: version, [])
        let extended: [UInt8] = version == 3 ? [0, 0, 0, 6, 0, 0, 0, 0, 0, 0] : [0, 0, 0, 6, 1, 0]
        for tag in [
            ID3Bytes.tag(version: version, empty, title, empty, empty, artist),
            ID3Bytes.tag(version: version, flags: 0x40, extended, title, artist),
            ID3Bytes.tag(version: version, flags: 0x40, extended, empty, title, artist),
            ID3Bytes.tag(
                version: version,
                ID3Bytes.frame("Date", version: version, [0, 0x31]),
                title,
                artist
            ),
            ID3Bytes.tag(version: version, title, empty, artist, [UInt8](repeating: 0, count: 40_000)),
        ] {
            let tags = try tags(tag + ID3Bytes.silence(frames: 4))
            #expect(tags.title == "Title")
            #expect(tags.artists == ["Artist"])
        }
    }

    @Test("an APE tag in front of Lyrics3")
    func beforeLyrics() throws {
        let ape = ID3Bytes.ape(
            ("REPLAYGAIN_TRACK_GAIN", Array("-4.5 dB".utf8), true),
            ("Title", Array("Title".utf8), true)
        )
        let lyrics = Array("LYRICSBEGININD0000200000021LYRICS200".utf8)
        let tags = try tags(ID3Bytes.silence(frames: 2) + ape + lyrics + ID3Bytes.v1(title: Array("v1".utf8)))
        #expect(tags.title == "Title")
        #expect(tags.replayGain.trackGain == -4.5)
    }
}
