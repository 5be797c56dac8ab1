import Glibc
import TagReading
import Music
import TestSupport
import Testing

struct TagReaderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func read(_ bytes: [UInt8], as name: String = "a.mp3") throws -> FileTags {
        let path = try #require(FilePath(try folder.write(name, bytes)))
        return try TagReader.read(path)
    }

    @Test("every field of ID3v2.4", arguments: ["a.mp3", "a.ogg", "noname"])
    func readsVersion4(name: String) throws {
        let tag = ID3Bytes.tag(
            ID3Bytes.text("TIT2", " Title "),
            ID3Bytes.text("TPE1", "One", "Two"),
            ID3Bytes.text("TALB", "Al\nbum"),
            ID3Bytes.text("TPE2", "Various"),
            ID3Bytes.text("TRCK", "3/12"),
            ID3Bytes.text("TPOS", "2/2"),
            ID3Bytes.text("TDRC", "2009-09-04 14:20"),
            ID3Bytes.text("TCON", "17", "RX", "Amis"),
            ID3Bytes.text("TCOM", "C"),
            ID3Bytes.picture(ID3Bytes.jpeg())
        )
        let file = try read(tag + ID3Bytes.silence(frames: 4), as: name)
        var tags = Tags()
        tags.title = "Title"
        tags.artists = ["One", "Two"]
        tags.album = "Al bum"
        tags.albumArtists = ["Various"]
        tags.trackNumber = 3
        tags.discNumber = 2
        tags.date = "2009-09-04"
        tags.genres = ["Rock", "Remix", "Amis"]
        tags.composers = ["C"]
        #expect(file.tags == tags)
        #expect(file.cover == ID3Bytes.jpeg())
    }

    @Test("version 2.3: the day has a frame of its own, and texts with a name help out")
    func readsVersion3() throws {
        let tag = ID3Bytes.tag(
            version: 3,
            ID3Bytes.text("TYER", "2010", version: 3),
            ID3Bytes.text("TDAT", "0304", version: 3),
            ID3Bytes.text("TCON", "(17)(8)Campus Folk", version: 3),
            ID3Bytes.text("TXXX", "discnumber", "2", version: 3)
        )
        let tags = try read(tag + ID3Bytes.silence(frames: 4)).tags
        #expect(tags.date == "2010-04-03")
        #expect(tags.genres == ["Rock", "Jazz", "Campus Folk"])
        #expect(tags.discNumber == 2)
    }

    @Test("version 2.2: three letters")
    func readsVersion2() throws {
        let tag = ID3Bytes.tag(
            version: 2,
            ID3Bytes.oldFrame("TT2", [0] + "Old".utf8),
            ID3Bytes.oldFrame("PIC", [0] + "JPG".utf8 + [3] + "front".utf8 + [0] + ID3Bytes.jpeg())
        )
        let file = try read(tag + ID3Bytes.silence(frames: 4))
        #expect(file.tags.title == "Old")
        #expect(file.cover == ID3Bytes.jpeg())
    }

    @Test(
        "names with the signs that others split at stay whole",
        arguments: ["10,000 Maniacs", "AC/DC", "A; B", "A & B"]
    )
    func keepsNames(name: String) throws {
        for version: UInt8 in [3, 4] {
            let tag = ID3Bytes.tag(version: version, ID3Bytes.text("TPE1", name, version: version))
            #expect(try read(tag).tags.artists == [name])
        }
    }

    @Test("ID3v2 before APEv2 before ID3v1, field by field; what is blank is not there")
    func mergesTags() throws {
        let bytes =
            ID3Bytes.tag(ID3Bytes.text("TIT2", "of v2"), ID3Bytes.text("TPE1", "  "))
            + ID3Bytes.silence(frames: 4)
            + ID3Bytes.ape(
                ("Title", Array("of ape".utf8), true),
                ("Artist", Array("X\0Y".utf8), true),
                ("Cover Art (Front)", "a.jpg\0".utf8 + ID3Bytes.jpeg(), false)
            )
            + ID3Bytes.v1(title: Array("of v1".utf8), artist: Array("of v1".utf8), track: 7, genre: 17)
        let file = try read(bytes)
        #expect(file.tags.title == "of v2")
        #expect(file.tags.artists == ["X", "Y"])
        #expect(file.tags.trackNumber == 7)
        #expect(file.tags.genres == ["Rock"])
        #expect(file.cover == ID3Bytes.jpeg())
    }

    @Test("without the cover the rest is the same, however large that is and however sizes are written")
    func readsAroundPictures() throws {
        let picture = ID3Bytes.picture(ID3Bytes.jpeg(size: 100_000))
        let (title, album) = (ID3Bytes.text("TIT2", "Title"), ID3Bytes.text("TALB", "Album"))
        let padding = [UInt8](repeating: 0, count: 500)
        // The same size in eight bits a byte, in a tag whose sizes have seven.
        let size = picture.count - 10
        let odd =
            "APIC".utf8 + [0, UInt8(size >> 16), UInt8(size >> 8 & 255), UInt8(size & 255)]
            + picture.dropFirst(8)
        let unsynchronised = [title, picture, album].joined()
        let tags = [
            ID3Bytes.tag(title, picture, album, padding), ID3Bytes.tag(picture, title, album),
            ID3Bytes.tag(title, album, picture), ID3Bytes.tag(title, odd, album, padding),
            ID3Bytes.tag(version: 3, title, odd, album), ID3Bytes.tag(flags: 0x80, Array(unsynchronised)),
            ID3Bytes.tag(title, album, Array(picture.prefix(50_000))),
        ]
        for (index, tag) in tags.enumerated() {
            let path = try #require(FilePath(try folder.write("b.mp3", tag + ID3Bytes.silence(frames: 4))))
            let file = try TagReader.read(path)
            #expect(file.tags.title == "Title", "\(index)")
            #expect(file.tags.album == "Album", "\(index)")
            #expect(try TagReader.readTags(path) == file.tags, "\(index)")
        }
    }

    @Test("ID3v1 in UTF-8 and in Latin-1")
    func readsVersion1() throws {
        #expect(try read(ID3Bytes.v1(title: Array("山谷".utf8))).tags.title == "山谷")
        #expect(try read(ID3Bytes.v1(title: [0x43, 0x61, 0x66, 0xE9])).tags.title == "Café")
    }

    @Test("the front cover before others, then the first; neither addresses nor junk")
    func choosesCover() throws {
        let (icon, front, back) = (ID3Bytes.jpeg(seed: 1), ID3Bytes.jpeg(seed: 2), ID3Bytes.jpeg(seed: 3))
        let link = ID3Bytes.picture(Array("http://x.test/a.jpg".utf8), mime: "-->")
        let linkToBytes = ID3Bytes.picture(front, mime: "-->")
        let junk = ID3Bytes.picture([UInt8](repeating: 65, count: 100))
        func cover(_ pictures: [[UInt8]]) throws -> [UInt8]? {
            try read(ID3Bytes.tag(Array(pictures.joined()))).cover
        }
        let all = [
            ID3Bytes.picture(icon, type: 1), ID3Bytes.picture(back, type: 4), link, junk,
            ID3Bytes.picture(front),
        ]
        #expect(try cover(all) == front)
        #expect(try cover([ID3Bytes.picture(back, type: 4), junk, ID3Bytes.picture(icon, type: 1)]) == back)
        #expect(try cover([link, linkToBytes, junk, ID3Bytes.picture([])]) == nil)
    }

    @Test("what is no regular file is refused at once, and told")
    func refusesOthers() throws {
        let pipe = folder.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        for (path, reason) in [
            (pipe, "it is a pipe, not a file"), ("/dev/zero", "it is a device, not a file"),
            (folder.path, "it is a folder"), (folder.path("none"), "there is no such file"),
        ] {
            let path = try #require(FilePath(path))
            #expect(throws: TagError(reason)) { try TagReader.read(path) }
        }
    }

    @Test("what lame writes")
    func readsLame() throws {
        let fixtures = try Fixtures()
        let path = try fixtures.makeTone(MeasuringTone(band: 2, seconds: 0.2))
        let tags = try TagReader.read(try #require(FilePath(path))).tags
        #expect(tags.title == "Tone 2")
        #expect(tags.artists == ["Artist 2"])
        #expect(tags.album == "Measures")
        #expect(tags.trackNumber == 3)
    }
}
