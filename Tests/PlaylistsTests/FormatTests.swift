import Foundation
import Music
import Playlists
import TestSupport
import Testing

@Suite("Kinds of playlist")
struct FormatTests {
    @Test("are known by their suffixes")
    func suffixes() {
        for suffix in ["m3u", "m3u8", "pls", "xspf", "cue", "asx", "wpl"] {
            #expect(PlaylistFile.isPlaylist(suffix))
        }
        for suffix in ["mp3", "", "M3U", "txt", "xml"] { #expect(!PlaylistFile.isPlaylist(suffix)) }
    }

    @Test(
        "content decides before the suffix",
        arguments: [
            ("x.m3u", "[playlist]\nFile1=a\n"),
            (
                "x.m3u",
                "<?xml version='1.0'?><playlist><trackList><track><location>a</location></track></trackList></playlist>"
            ),
            ("x.pls", "#EXTM3U\na\n"),
            ("x.xspf", "#EXTM3U\na\n"),
            ("x.asx", "[Reference]\nRef1=a\n"),
            ("x.pls", "<ASX><Entry><Ref HREF=a></Entry></ASX>"),
            ("x.txt", "\n#extm3u\na"),
            ("x.cue", "#EXTM3U\na\n"),
        ]
    )
    func content(name: String, text: String) throws {
        #expect(try Shelf().read(name, text).map(\.text) == ["a"])
    }

    @Test(
        "ASX and WPL are read tag by tag",
        arguments: [
            (
                "<ASX version=\"3.0\"><Title>t</Title><Entry><Ref HREF=\"a.mp3\"/><TITLE>A &amp; B</TITLE><author>C</author></Entry>"
                    + "<!-- <entry><ref href='no'></entry -->\n<ENTRY><ref\n href='http://x/?a=1&b=2' /><title/></ENTRY></asx>",
                ["a.mp3 A & B C", "http://x/?a=1&b=2 - -"]
            ),
            ("<asx><entryref href = b.asx><entry><ref href=\"\"/></entry></asx>", ["b.asx - -"]),
            (
                "<?wpl version=\"1.0\"?><smil><head><title>w</title></head><body><seq><media src=\"..\\M\\a &amp; b.mp3\"/>"
                    + "<media src=\"c.mp3\"></media></seq></body></smil>",
                ["..\\M\\a & b.mp3 - -", "c.mp3 - -"]
            ),
            ("<asx><entry><ref href=\"a", []),
            ("<asx", []),
        ] as [(String, [String])]
    )
    func tags(text: String, expected: [String]) throws {
        let entries = try Shelf().read("list.asx", text)
        #expect(entries.map { "\($0.text) \($0.title ?? "-") \($0.artist ?? "-")" } == expected)
    }

    @Test(
        "what is none is refused in one line",
        arguments: [
            ("song.txt", "hello\n", "it is no playlist that is known (M3U, PLS, XSPF, CUE, ASX or WPL)"),
            (
                "page.m3u", "<!DOCTYPE html><html><body>404</body></html>",
                "it is no playlist that is known (M3U, PLS, XSPF, CUE, ASX or WPL)"
            ),
            ("list.xspf", "", "it holds no XSPF playlist"),
            (
                "song.m3u", "\u{89}PNG\0\0\0\u{1}\u{2}\0\0\0\r\nIHDR\0\0",
                "it holds no text, so it is no playlist"
            ),
        ]
    )
    func refused(name: String, text: String, reason: String) throws {
        #expect(try Shelf().refusal(name, text) == reason)
    }

    @Test("only regular files of a sensible size are opened")
    func files() throws {
        let shelf = try Shelf()
        func refusal(_ path: String) throws -> String {
            let path = try #require(FilePath(path))
            do {
                _ = try PlaylistFile.read(path)
                return "read"
            } catch { return error.description }
        }
        let pipe = shelf.folder.path("pipe.m3u")
        #expect(mkfifo(pipe, 0o600) == 0)
        #expect(try refusal(pipe) == "it is a pipe, not a file")
        #expect(try refusal("/dev/zero") == "it is a device, not a file")
        #expect(try refusal(shelf.path) == "it is a folder")
        #expect(try refusal(shelf.folder.path("none.m3u")) == "there is no such file")
        let large = try shelf.add("large.m3u", "")
        #expect(large.withCString { truncate($0, 65 << 20) } == 0)
        #expect(try refusal("\(large)") == "it is too large for a playlist (more than 64 MiB)")
    }

    @Test("more than a million entries are not read")
    func million() throws {
        let shelf = try Shelf()
        let list = try shelf.add("many.m3u", String(repeating: "a\n", count: 1_000_010))
        let reader = try PlaylistReader(list)
        var count = 0
        while reader.next() != nil { count += 1 }
        #expect(count == 1_000_000)
        #expect(reader.problem?.description == "it has more than a million entries")
    }
}
