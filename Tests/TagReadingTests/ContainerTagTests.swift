import Foundation
import TagReading
import Music
import TestSupport
import Testing

/// Tags and covers of FLAC, Ogg Vorbis, Opus, WAV and AIFF, by what is in the files.
@Suite(.timeLimit(.minutes(5)))
struct ContainerTagTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func read(_ bytes: [UInt8]) throws -> FileTags {
        let path = try #require(FilePath(try folder.write("a.mp3", bytes)))
        let file = try TagReader.read(path)
        // What is read without the cover is the same.
        #expect(try TagReader.readTags(path) == file.tags)
        return file
    }

    private let comments = VorbisBytes.comments(
        "TITLE= O radiw\n no ʼayaw ",
        "artist=One",
        "Artist=Two",
        "ALBUM=Album",
        "AlbumArtist=Various",
        "TRACKNUMBER=3/12",
        "DISCNUMBER=2",
        "DATE=2021-08-05T10:00",
        "GENRE=17",
        "GENRE=Amis",
        "COMPOSER=C",
        "COMMENT=first\nsecond",
        "BPM=119.6",
        "RATING=4",
        "no name",
        "=",
        "TITLE=second"
    )

    private var tags: Tags {
        var tags = Tags()
        tags.title = "O radiw  no ʼayaw"
        tags.artists = ["One", "Two"]
        tags.album = "Album"
        tags.albumArtists = ["Various"]
        tags.trackNumber = 3
        tags.discNumber = 2
        tags.date = "2021-08-05"
        tags.genres = ["Rock", "Amis"]
        tags.composers = ["C"]
        tags.comments = ["first\nsecond"]
        tags.beatsPerMinute = 120
        tags.rating = 0.8
        return tags
    }

    @Test("every field of comments, wherever they are")
    func readsComments() throws {
        #expect(try read(VorbisBytes.flac(comments)).tags == tags)
        for pageSize in [1, 2, 255] {
            #expect(try read(VorbisBytes.vorbis(comments, pageSize: pageSize)).tags == tags)
            #expect(try read(VorbisBytes.opus(comments, pageSize: pageSize)).tags == tags)
        }
    }

    @Test("MP4, and Speex, which are not played")
    func readsOthers() throws {
        let file = try read(
            MP4Bytes.file(
                MP4Bytes.item("©nam", Array("山谷".utf8)),
                MP4Bytes.item("©ART", Array("One".utf8), Array("Two".utf8)),
                MP4Bytes.item("trkn", [0, 0, 0, 3, 0, 12, 0, 0]),
                MP4Bytes.item("disk", [0, 0, 0, 2, 0, 2]),
                MP4Bytes.item("tmpo", [0, 120]),
                MP4Bytes.item("gnre", [0, 18]),
                MP4Bytes.item("©day", Array("2019-05-04T".utf8)),
                MP4Bytes.item("covr", [1, 2, 3], ID3Bytes.jpeg()),
                MP4Bytes.named("iTunSMPB", " 0 0"),
                MP4Bytes.named("replaygain_track_gain", "-3 dB"),
                MP4Bytes.named("RATING", "80")
            )
        )
        var tags = Tags()
        (tags.title, tags.artists) = ("山谷", ["One", "Two"])
        (tags.trackNumber, tags.discNumber, tags.beatsPerMinute) = (3, 2, 120)
        (tags.genres, tags.date, tags.rating) = (["Rock"], "2019-05-04", 0.8)
        tags.replayGain.trackGain = -3
        #expect(file.tags == tags)
        #expect(file.cover == ID3Bytes.jpeg())
        #expect(try read(VorbisBytes.speex(VorbisBytes.comments("TITLE=T"))).tags.title == "T")
    }

    @Test("a packet that fills its last segment ends with an empty one")
    func fullSegments() throws {
        for length in Array(236..<256) + Array(490..<512) {
            let title = String(repeating: "x", count: length)
            #expect(
                try read(VorbisBytes.opus(VorbisBytes.comments("TITLE=\(title)"), pageSize: 1)).tags.title
                    == title
            )
        }
    }

    @Test("an ID3v2 tag before FLAC fills what the comments leave open")
    func id3BeforeFLAC() throws {
        let tag = ID3Bytes.tag(ID3Bytes.text("TIT2", "of v2"), ID3Bytes.text("TCOM", "of v2"))
        let file = try read(tag + VorbisBytes.flac(VorbisBytes.comments("TITLE=of FLAC")))
        #expect(file.tags.title == "of FLAC")
        #expect(file.tags.composers == ["of v2"])
    }

    @Test("text that is not quite UTF-8 is kept, and long text is cut between characters")
    func unclean() throws {
        let bytes = VorbisBytes.comments([
            Array("TITLE=Caf".utf8) + [0xE9], Array("ALBUM=\u{0}a\u{7}b\u{0}".utf8),
            "ARTIST=".utf8 + Array(String(repeating: "天", count: 5000).utf8),
        ])
        let tags = try read(VorbisBytes.flac(bytes)).tags
        #expect(tags.title == "Café")
        #expect(tags.album == "ab")
        #expect(tags.artists == [String(repeating: "天", count: 1365)])
    }

    @Test("the front cover before others, then the first; neither addresses nor junk")
    func choosesCover() throws {
        let (icon, front, back) = (ID3Bytes.jpeg(seed: 1), ID3Bytes.jpeg(seed: 2), ID3Bytes.jpeg(seed: 3))
        let pictures = [
            VorbisBytes.picture([UInt8](repeating: 65, count: 100), type: 4),
            VorbisBytes.picture(icon, type: 1),
            VorbisBytes.picture(back, type: 4), VorbisBytes.picture(front, mime: "-->"),
            VorbisBytes.picture(front),
            VorbisBytes.picture(back),
        ]
        func cover(_ pictures: [[UInt8]]) throws -> [[UInt8]?] {
            var flac = VorbisBytes.flac(comments)
            // The last block is not the last any more.
            flac[4 + 4 + 34] &= 0x7F
            for picture in pictures { flac += [6] + VorbisBytes.big(picture.count).dropFirst() + picture }
            flac += [0x81, 0, 0, 0]
            let texts = VorbisBytes.comments(
                pictures.map { "metadata_block_picture=\(VorbisBytes.base64($0))" } + ["TITLE=behind"]
            )
            let ogg = try read(VorbisBytes.vorbis(texts))
            #expect(ogg.tags.title == "behind")
            return [try read(flac).cover, ogg.cover, try read(VorbisBytes.opus(texts)).cover]
        }
        #expect(try cover(pictures) == [front, front, front])
        #expect(try cover(Array(pictures[..<3])) == [icon, icon, icon])
        #expect(try cover([pictures[0], pictures[3]]) == [nil, nil, nil])
        let old = VorbisBytes.comments("COVERARTMIME=image/jpeg", "COVERART=\(VorbisBytes.base64(back))")
        #expect(try read(VorbisBytes.vorbis(old)).cover == back)
    }

    @Test("pictures larger than where tags are looked for in MPEG files")
    func largeCovers() throws {
        let large = ID3Bytes.jpeg(seed: 5, size: 5 << 19)
        let flac = VorbisBytes.flac(
            comments,
            (6, VorbisBytes.picture(large, type: 4)),
            (6, VorbisBytes.picture(large))
        )
        #expect(try read(flac).cover == large)
        // Several pages of 64 KB.
        let pages = ID3Bytes.jpeg(seed: 6, size: 300_000)
        let text = VorbisBytes.comments(
            "TITLE=before",
            "METADATA_BLOCK_PICTURE=\(VorbisBytes.base64(VorbisBytes.picture(pages)))",
            "ALBUM=behind"
        )
        let ogg = try read(VorbisBytes.opus(text))
        #expect(ogg.cover == pages)
        #expect(ogg.tags.album == "behind")
        let tag = ID3Bytes.tag(ID3Bytes.text("TIT2", "Title"), ID3Bytes.picture(large))
        for bytes in [ChunkBytes.wav(("id3 ", tag), sound: 3 << 20), ChunkBytes.aiff(("ID3 ", tag))] {
            let file = try read(bytes)
            #expect(file.cover == large)
            #expect(file.tags.title == "Title")
        }
    }

    @Test("WAV and AIFF: ID3v2 before texts of their own, field by field")
    func chunks() throws {
        let tag = ID3Bytes.tag(ID3Bytes.text("TIT2", "of v2"), ID3Bytes.picture(ID3Bytes.jpeg()))
        let info = ChunkBytes.info(
            ("INAM", "Name"),
            ("IART", "Café"),
            ("IPRD", "Album"),
            ("ICRD", "2009-09-04"),
            ("IGNR", "Rock"),
            ("ITRK", "7")
        )
        var wav = try read(ChunkBytes.wav(("LIST", info)))
        #expect(wav.tags.title == "Name")
        #expect(wav.tags.artists == ["Café"])
        #expect(wav.tags.album == "Album")
        #expect(wav.tags.date == "2009-09-04")
        #expect(wav.tags.genres == ["Rock"])
        #expect(wav.tags.trackNumber == 7)
        wav = try read(ChunkBytes.wav(("LIST", info), ("id3 ", tag)))
        #expect(wav.tags.title == "of v2")
        #expect(wav.tags.album == "Album")
        #expect(wav.cover == ID3Bytes.jpeg())
        let aiff = try read(ChunkBytes.aiff(("NAME", Array("Name".utf8)), ("AUTH", Array("Author".utf8))))
        #expect(aiff.tags.title == "Name")
        #expect(aiff.tags.artists == ["Author"])
    }

    @Test("what flac, oggenc and opusenc write", arguments: ["flac", "ogg", "opus", "aiff", "wav"])
    func readsRealFiles(suffix: String) throws {
        let (wave, path) = (folder.path("a.wav"), folder.path("b.\(suffix)"))
        let encoders = [
            "flac": [
                ["flac", "-s", "-T", "TITLE=Tone", "-T", "REPLAYGAIN_TRACK_GAIN=-2 dB", "-o", path, wave]
            ],
            "ogg": [
                ["sox", wave, path],
                ["vorbiscomment", "-w", "-t", "TITLE=Tone", "-t", "REPLAYGAIN_TRACK_GAIN=-2 dB", path],
            ],
            "opus": [
                ["opusenc", "--quiet", "--title", "Tone", "--comment", "R128_TRACK_GAIN=-1792", wave, path]
            ],
            "aiff": [["sox", wave, path]], "wav": [["sox", wave, path]],
        ]
        let environment = ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"]
        let make = ["sox", "-n", "-r", "44100", "-b", "16", "-c", "2", wave, "synth", "0.5", "sine", "440"]
        for words in [make] + (encoders[suffix] ?? []) {
            let report = try ChildProcess.run(words, environment: environment)
            try #require(report.exit == .code(0), "\(words): \(report.errorText)")
        }
        let file = try TagReader.read(try #require(FilePath(path)))
        guard encoders[suffix]?.last?.first != "sox" else {
            #expect(file == FileTags())
            return
        }
        #expect(file.tags.title == "Tone")
        #expect(file.tags.replayGain.trackGain == -2)
    }
}

/// Such files that lie or are damaged: whatever is read, the service lives and goes on soon.
@Suite(.timeLimit(.minutes(5)))
struct HostileContainerTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @discardableResult
    private func read(_ bytes: [UInt8]) throws -> FileTags { try folder.readTags(of: bytes, as: "a") }

    private static let files: [[UInt8]] = {
        let picture = VorbisBytes.picture(ID3Bytes.jpeg())
        let comments = VorbisBytes.comments(
            "TITLE=Title",
            "METADATA_BLOCK_PICTURE=\(VorbisBytes.base64(picture))",
            "REPLAYGAIN_TRACK_GAIN=-2 dB"
        )
        let tag = ID3Bytes.tag(ID3Bytes.text("TIT2", "Title"), ID3Bytes.picture(ID3Bytes.jpeg()))
        return [
            tag + VorbisBytes.flac(comments, (6, picture)), VorbisBytes.vorbis(comments, pageSize: 1),
            VorbisBytes.opus(comments),
            ChunkBytes.wav(("LIST", ChunkBytes.info(("INAM", "Name"))), ("id3 ", tag)),
            ChunkBytes.aiff(("NAME", Array("Name".utf8)), ("ID3 ", tag)),
        ]
    }()

    @Test("cut anywhere", arguments: files.indices)
    func survivesCuts(index: Int) throws {
        let whole = Self.files[index]
        #expect(try read(whole).tags.title != nil)
        for length in stride(from: 1, to: whole.count, by: 3) { try read(Array(whole.prefix(length))) }
    }

    @Test("any bytes changed", arguments: files.indices, 0..<4)
    func survivesChanges(index: Int, seed: UInt64) throws {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        func random(below limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        for _ in 0..<100 {
            var bytes = Self.files[index]
            for _ in 0..<1 + random(below: 8) {
                bytes[random(below: bytes.count)] = UInt8(random(below: 256))
            }
            try read(bytes)
        }
    }

    @Test("sizes and counts that nothing stands behind")
    func survivesClaims() throws {
        let many = VorbisBytes.comments("TITLE=Here", claimed: 0xFFFF_FFFF)
        #expect(try read(VorbisBytes.flac(many)).tags.title == "Here")
        #expect(try read(VorbisBytes.opus(many)).tags.title == "Here")
        let long = VorbisBytes.comments("TITLE=Here") + [0xFF, 0xFF, 0xFF, 0xFF]
        #expect(try read(VorbisBytes.flac(long)).tags.title == "Here")
        let vendor = [0xFF, 0xFF, 0xFF, 0xFF] + VorbisBytes.comments("TITLE=Here")
        #expect(try read(VorbisBytes.flac(vendor)).tags == Tags())
        let picture = VorbisBytes.picture(ID3Bytes.jpeg(), claimed: 0xFFFF_FFFF)
        #expect(try read(VorbisBytes.flac(many, (6, picture))).cover == ID3Bytes.jpeg())
        try read(Array("fLaC".utf8) + [4, 0xFF, 0xFF, 0xFF])
        try read(Array("RIFF".utf8) + [0xFF, 0xFF, 0xFF, 0xFF] + "WAVEid3 ".utf8 + [0xFF, 0xFF, 0xFF, 0xFF])
    }

    @Test("more than anybody writes: comments, blocks, chunks, pages that never end")
    func survivesMasses() throws {
        let comments = (0..<30_000).map { _ in Array("TITLE=x".utf8) }
        #expect(try read(VorbisBytes.opus(VorbisBytes.comments(comments))).tags.title == "x")
        try read(Array("fLaC".utf8) + (0..<3000).flatMap { _ in [2, 0, 0, 0] as [UInt8] })
        try read(
            Array("FORM".utf8) + [0, 0, 0, 0] + "AIFF".utf8
                + (0..<5000).flatMap { _ in Array("NONE\0\0\0\0".utf8) }
        )
        let page = Array("OggS".utf8) + [UInt8](repeating: 0, count: 22) + [1, 7]
        let head = page + "\u{1}vorbis".utf8
        try read(
            head + (0..<25_000).flatMap { _ in Array("OggS".utf8) + [UInt8](repeating: 0, count: 22) + [0] }
        )
    }

    @Test("a huge file of nothing but claims is not read through")
    func survivesHugeFiles() throws {
        for (name, head) in [
            ("flac", Array("fLaC".utf8) + [6, 0xFF, 0xFF, 0xFF]),
            ("wav", Array("RF64".utf8) + [0xFF, 0xFF, 0xFF, 0xFF] + "WAVE".utf8),
            ("ogg", VorbisBytes.opus(VorbisBytes.comments("TITLE=x"))),
        ] {
            let path = try folder.write(name, head)
            #expect(truncate(path, 16 << 30) == 0)
            let target = try #require(FilePath(path))
            let time = try ContinuousClock().measure { _ = try TagReader.read(target) }
            #expect(time < .seconds(5), "\(name)")
        }
    }
}
