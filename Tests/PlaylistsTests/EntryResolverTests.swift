import Foundation
import Music
import Playlists
import TestSupport
import Testing

@Suite("What entries mean on the disk")
struct EntryResolverTests {
    @Test(
        "the five same files by lists in any encoding (C237)",
        arguments: [
            ("utf8.m3u", "UTF-8", ""), ("bom.m3u", "UTF-8", "\u{FEFF}"), ("gbk.m3u", "GBK", ""),
            ("big5.m3u", "BIG5", ""),
            ("list.m3u8", "UTF-8", ""), ("unicode.m3u", "UTF-16", ""), ("windows.m3u", "GB18030", "\r\n"),
        ]
    )
    func fiveFiles(name: String, encoding: String, front: String) throws {
        let files = ["山谷之歌.mp3", "音樂/海岸.mp3", "許功蓋.mp3", "月光 a.mp3", "音樂/花.mp3"]
        let shelf = try Shelf()
        for file in files { try shelf.add(file, "") }
        let list = try shelf.add(
            Array(name.utf8),
            try encoded(front + files.joined(separator: "\r\n"), encoding)
        )
        #expect(try shelf.found(in: list) == files)
        // One name alone is too little to guess by: then what is there decides.
        for file in files {
            let list = try shelf.add(Array("one.m3u".utf8), try encoded(front + file, encoding))
            #expect(try shelf.found(in: list) == [file])
        }
    }

    @Test("bytes that are a name come before what they could be read as")
    func rawBytes() throws {
        let name = try encoded("山谷.mp3", "BIG5")
        let shelf = try Shelf("山谷.mp3")
        let raw = try shelf.add(name)
        let list = try shelf.add(Array("list.m3u".utf8), name + [0x0A])
        let entry = try #require(try PlaylistFile.read(list).entries.first)
        #expect(EntryResolver(list: list).find(entry)?.path == raw)
        #expect(raw.withCString { unlink($0) } == 0)
        #expect(try shelf.found(in: list) == ["山谷.mp3"])
    }

    @Test(
        "letter case counts only where it has to (C238)",
        arguments: [
            ("Music/song.MP3", "music/Song.mp3"),
            ("music/Song.mp3", "music/Song.mp3"),
            ("twins/a.mp3", nil),
            ("twins/A.mp3", "twins/A.mp3"),
            ("two/x.mp3", "Two/x.mp3"),
            ("two/y.mp3", "TWO/Y.mp3"),
            ("two/z.mp3", nil),
            ("ÉTÉ.mp3", "été.mp3"),
            ("e\u{301}te\u{301}.mp3", "été.mp3"),
            ("MUSIC/./../music/SONG.mp3", "music/Song.mp3"),
        ] as [(String, String?)]
    )
    func letterCase(entry: String, file: String?) throws {
        let shelf = try Shelf(
            "music/Song.mp3",
            "twins/A.mp3",
            "twins/Ａ.mp3",
            "twins/á.mp3",
            "Two/x.mp3",
            "TWO/Y.mp3",
            "Two/Z.mp3",
            "TWO/z.mp3",
            "été.mp3"
        )
        if entry == "twins/a.mp3" { try shelf.add("TWINS/A.mp3", "") }
        let list = try shelf.add("list.m3u", entry)
        #expect(try shelf.found(in: list) == [file])
        let absolute = try shelf.add("absolute.m3u", "\(shelf.path)/\(entry)")
        #expect(try shelf.found(in: absolute) == [file])
    }

    @Test(
        "a backslash separates where it is not part of the name",
        arguments: [
            ("sub\\c.mp3", "sub/c.mp3"), ("SUB\\C.MP3", "sub/c.mp3"), ("odd\\name.mp3", "odd\\name.mp3"),
            ("..\\list\\sub\\c.mp3", nil), ("C:\\sub\\c.mp3", nil), ("\\\\server\\c.mp3", nil),
            ("音樂\\許功蓋.mp3", "音樂/許功蓋.mp3"),
        ] as [(String, String?)],
        ["UTF-8", "BIG5"]
    )
    func separators(row: (String, String?), encoding: String) throws {
        let shelf = try Shelf("sub/c.mp3", "odd\\name.mp3", "音樂/許功蓋.mp3")
        let list = try shelf.add(Array("list.m3u".utf8), try encoded(row.0, encoding))
        #expect(try shelf.found(in: list) == [row.1])
    }

    @Test(
        "what is written as a URI is decoded once, also where it should not have been one",
        arguments: [
            ("l.m3u", "SHELF/a%20b.mp3", "a b.mp3"),
            ("l.m3u", "a%20b.mp3", nil),
            ("l.m3u", "100%.mp3", "100%.mp3"),
            ("l.xspf", "a%20b.mp3", "a b.mp3"),
            ("l.xspf", "a b.mp3", "a b.mp3"),
            ("l.xspf", "100%.mp3", "100%.mp3"),
            ("l.xspf", "n%23o%201.mp3", "n#o 1.mp3"),
            ("l.xspf", "n#o 1.mp3", "n#o 1.mp3"),
            ("l.xspf", "x%2520y.mp3", "x%20y.mp3"),
            ("l.xspf", "x%20y.mp3", "x%20y.mp3"),
            ("l.xspf", "SHELF/100%25.mp3", "100%.mp3"),
        ] as [(String, String, String?)]
    )
    func uris(name: String, location: String, file: String?) throws {
        let shelf = try Shelf("a b.mp3", "100%.mp3", "n#o 1.mp3", "x%20y.mp3")
        let location = location.replacing("SHELF", with: "file://\(shelf.path)")
        let isXSPF = name.hasSuffix("xspf")
        let text =
            "<playlist><trackList><track><location>\(location)</location></track></trackList></playlist>"
        #expect(try shelf.found(in: shelf.add(name, isXSPF ? text : location)) == [file])
    }

    @Test(
        "a sheet's file may be there by another suffix (C248)",
        arguments: [
            ("album.wav", "album.mp3"), ("ALBUM.WAV", "album.mp3"), ("other.wav", "other.wav"),
            ("sub\\Set.flac", "sub/set.mp2"),
            ("none.wav", nil), ("no suffix", nil),
        ] as [(String, String?)]
    )
    func suffix(file: String, found: String?) throws {
        let shelf = try Shelf("album.mp3", "album.txt", "other.wav", "other.mp3", "sub/set.mp2")
        let list = try shelf.add("a.cue", "FILE \"\(file)\" WAVE\nTRACK 1 AUDIO\nINDEX 01 0:0:0\n")
        #expect(try shelf.found(in: list, music: ["mp3", "mp2"]) == [found])
        // Other lists say what they mean.
        if found != file {
            #expect(try shelf.found(in: shelf.add("a.m3u", file), music: ["mp3", "mp2"]) == [nil])
        }
    }

    @Test("a path by way of . and .. is straightened, unless that is another file")
    func tidy() throws {
        let shelf = try Shelf("a.mp3", "lists/b.mp3", "far/away/c.mp3", "far/a.mp3")
        #expect(symlink("../far/away", shelf.folder.path("lists/link")) == 0)
        let list = try shelf.add(
            "lists/list.m3u",
            "../a.mp3\n./b.mp3\n.//b.mp3\nlink/../a.mp3\nlink/c.mp3\n.\nlink/..\n"
        )
        let names = try shelf.found(in: list)
        #expect(
            names == [
                "a.mp3", "lists/b.mp3", "lists/b.mp3", "lists/link/../a.mp3", "lists/link/c.mp3", "lists",
                "lists/link/..",
            ]
        )
    }

    @Test("kinds of files are told apart, and a list without a folder is in the current one")
    func kinds() throws {
        let shelf = try Shelf("a.mp3")
        try shelf.folder.makeFolder("sub")
        #expect(mkfifo(shelf.folder.path("pipe.mp3"), 0o600) == 0)
        let list = try shelf.add("list.m3u", "a.mp3\nsub/\npipe.mp3\n/dev/zero\nhttp://x/a.mp3\n")
        let resolver = EntryResolver(list: list)
        let entries = try PlaylistFile.read(list).entries
        #expect(entries.map { resolver.find($0)?.kind } == [.regular, .folder, .pipe, .device, nil])
        #expect(entries.map(\.isOnNetwork) == [false, false, false, false, true])
        let bare = EntryResolver(list: try #require(FilePath("list.m3u")))
        #expect(entries.map { bare.find($0)?.kind } == [nil, nil, nil, .device, nil])
    }

    @Test("a list of what is not there is got through quickly")
    func missing() throws {
        let shelf = try Shelf("music/a.mp3")
        let text = (0..<20_000).map { "Music/Artist \($0 % 100)/\($0).mp3\n" }.joined()
        let list = try shelf.add("list.m3u", text)
        let began = ContinuousClock.now
        #expect(try shelf.found(in: list).allSatisfy { $0 == nil })
        #expect(ContinuousClock.now - began < .seconds(10))
    }
}
