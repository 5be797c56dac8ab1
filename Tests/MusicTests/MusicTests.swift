import Music
import Testing

@Suite
struct TrackTimeTests {
    @Test(
        "frames survive the way to microseconds and back",
        arguments: [8000, 22050, 44100, 48000, 192_000] as [Int32]
    )
    func framesRoundTrip(rate: Int32) {
        for frame: Int64 in [0, 1, 2, 440, 441, 44099, 44100, 44101, 1_000_003, 600_000_007] {
            #expect(TrackTime(frames: frame, rate: rate).frames(rate: rate) == frame)
        }
    }

    @Test("a sum that overflows stays at the end of the range")
    func saturates() {
        #expect(TrackTime(microseconds: .max) + TrackTime(microseconds: 5) == TrackTime(microseconds: .max))
        #expect(TrackTime(microseconds: -5) + TrackTime(microseconds: .min) == TrackTime(microseconds: .min))
    }

    @Test(
        "times are shown as a display shows them",
        arguments: [(0, "0:00"), (59, "0:59"), (61, "1:01"), (3600, "1:00:00"), (7325, "2:02:05")]
    )
    func shown(seconds: Int64, text: String) {
        #expect(TrackTime(microseconds: seconds * 1_000_000).description == text)
    }
}

@Suite
struct FileURITests {
    @Test(
        "every path comes back from its URI",
        arguments: [
            Array("/a b#c?d%e [f] é 天.mp3".utf8), [UInt8(ascii: "/"), 0xFF, 0xE0, 0x41], Array("/%41%".utf8),
            Array("/tab\tnew\nline".utf8),
        ]
    )
    func roundTrip(bytes: [UInt8]) throws {
        let path = try #require(FilePath(bytes: bytes))
        let uri = FileURI.encode(path)
        #expect(uri.utf8.allSatisfy { $0 > 32 && $0 < 127 })
        #expect(FileURI.decode(uri) == path)
    }

    @Test(
        "what names no file here is refused",
        arguments: [
            "", "file:", "file://", "http://x/y", "/plain", "file://host/p", "file:relative", "file:///a%00b",
        ]
    )
    func refused(uri: String) {
        #expect(FileURI.decode(uri) == nil)
    }

    @Test(
        "the usual spellings are understood",
        arguments: ["file:///p", "file://localhost/p", "file:/p", "FILE:///p"]
    )
    func spellings(uri: String) {
        #expect(FileURI.decode(uri) == FilePath("/p"))
    }

    @Test(
        "schemes",
        arguments: [("http://x", "http"), ("HTTPS:x", "https"), ("/a:b", nil), ("a", nil), (":", nil)]
    )
    func scheme(text: String, scheme: String?) {
        #expect(FileURI.scheme(of: text) == scheme)
    }
}

@Suite
struct FilePathTests {
    @Test("parts of a path")
    func parts() throws {
        let path = try #require(FilePath("/music/a.b/Song.One.MP3"))
        #expect(path.stem == "Song.One")
        #expect(path.suffix == "mp3")
        #expect(path.folder == FilePath("/music/a.b"))
        #expect(try #require(FilePath("/.hidden")).stem == ".hidden")
        #expect(try #require(FilePath("/x")).folder == FilePath("/"))
        #expect(try #require(FilePath("x")).folder == nil)
    }

    @Test("no file has these names", arguments: [[], [0x41, 0]] as [[UInt8]])
    func impossible(bytes: [UInt8]) {
        #expect(FilePath(bytes: bytes) == nil)
    }

    @Test("names sort as people number things")
    func naturalOrder() throws {
        let sorted = ["/a/1 x", "/a/2 x", "/a/02 y", "/a/10 x", "/a/B", "/a/c", "/a b/1", "/b/0001", "/b/2"]
        let paths = try sorted.map { try #require(FilePath($0)) }
        #expect(paths.shuffled().sorted() == paths)
    }
}

@Suite
struct TextTests {
    @Test(
        "text is made fit for the bus",
        arguments: [
            ([0xC0, 0x80, 0x41], "\u{FFFD}\u{FFFD}A"), ([0x41, 0, 0x42], "AB"), ([0x20, 0x41, 0x0A], "A"),
            ([0x41, 0xE0], "A\u{FFFD}"), ([0x1B, 0x5B, 0x41], "[A"),
        ] as [([UInt8], String)]
    )
    func cleaned(bytes: [UInt8], text: String) {
        #expect(Text.clean(bytes: bytes) == text)
    }
}
