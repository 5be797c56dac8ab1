import Charset
import Music
import TagReading
import TestSupport
import Testing

/// Text that does not say its encoding, in whichever kind of tag: read per file, as the settings say.
struct UndeclaredTextTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func read(_ bytes: [UInt8], _ encodings: TagEncodings = TagEncodings()) throws -> FileTags {
        let path = try #require(FilePath(try folder.write("a.mp3", bytes)))
        let file = try TagReader.read(path, encodings)
        #expect(try TagReader.readTags(path, encodings) == file.tags)
        return file
    }

    private let taiwan = TagEncodings(order: EncodingOrder(locale: "zh_TW"))

    private func latin1(_ id: String, _ bytes: [UInt8]) -> [UInt8] { ID3Bytes.frame(id, [0] + bytes) }

    @Test("each kind of tag")
    func kinds() throws {
        let (title, artist) = (written("山谷裡的回聲", "BIG5"), written("許家姊妹", "BIG5"))
        let comments = VorbisBytes.comments([Array("TITLE=".utf8) + title, Array("ARTIST=".utf8) + artist])
        let files = [
            ID3Bytes.v1(title: title, artist: artist),
            ID3Bytes.tag(latin1("TIT2", title), latin1("TPE1", artist)) + ID3Bytes.silence(frames: 2),
            ID3Bytes.silence(frames: 2) + ID3Bytes.ape(("Title", title, true), ("Artist", artist, true)),
            // Old and new tags in one file.
            ID3Bytes.tag(latin1("TIT2", title)) + ID3Bytes.silence(frames: 2)
                + ID3Bytes.v1(title: [], artist: artist),
            VorbisBytes.flac(comments), VorbisBytes.vorbis(comments), VorbisBytes.opus(comments),
            ChunkBytes.wav(("LIST", ChunkBytes.info([("INAM", title), ("IART", artist)]))),
            ChunkBytes.aiff(("NAME", title), ("AUTH", artist)),
        ]
        for (index, bytes) in files.enumerated() {
            let file = try read(bytes)
            #expect(file.tags.title == "山谷裡的回聲", "\(index)")
            #expect(file.tags.artists == ["許家姊妹"], "\(index)")
            #expect(file.encoding?.encoding == .big5, "\(index)")
        }
    }

    @Test("short fields are decided about with the others, and where nothing tells by the locale")
    func together() throws {
        let long = written("在月光下慢慢走回海岸線", "BIG5")
        let short = written("王菲", "BIG5")
        #expect(try read(ID3Bytes.tag(latin1("TIT2", long), latin1("TPE1", short))).tags.artists == ["王菲"])
        #expect(try read(ID3Bytes.tag(latin1("TPE1", short)), taiwan).tags.artists == ["王菲"])
    }

    @Test("what says its encoding has no part in it")
    func declared() throws {
        let bytes = ID3Bytes.tag(
            ID3Bytes.text("TIT2", "Björk"),
            ID3Bytes.frame("TALB", [1, 0xFF, 0xFE, 0xC4, 0, 0xD6, 0]),
            latin1("TPE1", written("許家姊妹", "BIG5"))
        )
        let file = try read(bytes, taiwan)
        #expect(file.tags.title == "Björk")
        #expect(file.tags.album == "ÄÖ")
        #expect(file.tags.artists == ["許家姊妹"])
        #expect(try read(ID3Bytes.tag(ID3Bytes.text("TIT2", "山"))).encoding == nil)
        // An old tag beside a new one that has all of it is not even looked at.
        let both = ID3Bytes.tag(ID3Bytes.text("TIT2", "山")) + ID3Bytes.v1(title: written("山", "GBK"))
        #expect(try read(both).encoding == nil)
    }

    @Test("a character cut at the end of an ID3v1 field is dropped, in any encoding")
    func cutFields() throws {
        let title = Array((Array("O".utf8) + written("山谷裡的回聲在月光下慢慢走回海岸", "BIG5")).prefix(30))
        #expect(try read(ID3Bytes.v1(title: title)).tags.title == "O山谷裡的回聲在月光下慢慢走回")
        let utf8 = Array("山谷裡的回聲在月光下".utf8 + Array("é".utf8)).prefix(29) + [0xE5]
        #expect(
            try read(ID3Bytes.v1(title: Array(utf8.prefix(30)))).tags.title?.contains("\u{FFFD}") == false
        )
    }

    @Test("a folder's encoding goes for all below it, the innermost first")
    func folders() throws {
        let greek = written("Νότια Αλτάι", "CP1253")
        let bytes = ID3Bytes.tag(latin1("TIT2", greek))
        var encodings = TagEncodings()
        let place = try #require(FilePath(folder.path))
        func setting(_ path: FilePath, _ label: String) -> TagEncodings.Folder {
            TagEncodings.Folder(path: path, encoding: TextEncoding(label: label))
        }
        let root = try #require(FilePath("/"))
        encodings.folders = [setting(place, "windows-1253"), setting(root, "koi8-r")]
        let file = try read(bytes, encodings)
        #expect(file.tags.title == "Νότια Αλτάι")
        #expect(file.encoding?.reason == "the settings say so of \(place)")
        let beside = try #require(FilePath(folder.path + "x"))
        let inside = try #require(FilePath(folder.path + "/a"))
        encodings.folders = [setting(beside, "koi8-r"), setting(inside, "koi8-r")]
        #expect(try read(bytes, encodings).encoding?.reason.contains("settings") == false)
    }

    @Test("texts are told as they are stored, line breaks and all")
    func stored() throws {
        let file = try read(
            ID3Bytes.tag(
                ID3Bytes.text("TIT2", " a\nb\u{7} "),
                ID3Bytes.text("TRCK", "A1"),
                ID3Bytes.text("TPOS", "2/3"),
                ID3Bytes.text("TDRC", "0"),
                ID3Bytes.text("TPE1", " ")
            )
        )
        #expect(file.stored[.title] == [" a\nb\u{7} "])
        #expect(file.tags.title == "a b")
        #expect(file.stored[.track] == ["A1"])
        #expect(file.tags.trackNumber == nil)
        #expect(file.stored[.disc] == ["2/3"])
        #expect(file.stored.date == "0")
        #expect(file.stored[.artist] == [])
    }
}
