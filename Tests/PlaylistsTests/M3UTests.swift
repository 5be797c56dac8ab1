import Music
import Playlists
import Testing

@Suite("M3U lists")
struct M3UTests {
    @Test(
        "lines that name something",
        arguments: [
            ("", []),
            ("#EXTM3U\n", []),
            ("a.mp3\nb.mp3", ["a.mp3", "b.mp3"]),
            ("a.mp3\r\n\r\n\nb.mp3\r\n", ["a.mp3", "b.mp3"]),
            ("a.mp3\rb.mp3\r", ["a.mp3", "b.mp3"]),
            ("\u{FEFF}a.mp3\n", ["a.mp3"]),
            ("  \t a b .mp3 \t\n \n", ["a b .mp3"]),
            ("#remark\n#EXTALB:x\n#hash.mp3\n./#hash.mp3\n", ["./#hash.mp3"]),
            (
                "a\0b.mp3\nc.mp3\nlonger than that by some way.mp3\n",
                ["c.mp3", "longer than that by some way.mp3"]
            ),
            ("file:///m/a%20b.mp3\nA%20b.mp3\n100%.mp3\n", ["file:///m/a%20b.mp3", "A%20b.mp3", "100%.mp3"]),
        ] as [(String, [String])]
    )
    func entries(text: String, locations: [String]) throws {
        #expect(try Shelf().read("list.m3u", text).map(\.text) == locations)
    }

    @Test(
        "#EXTINF tells of the entry behind it",
        arguments: [
            ("#EXTINF:3,Artist - Title\na\n", "Artist - Title", 3_000_000),
            ("#extinf:203.5,t, with, commas\na\n", "t, with, commas", 203_500_000),
            ("#EXTINF:-1,stream\na\n", "stream", nil),
            ("#EXTINF:0,none\na\n", "none", nil),
            ("#EXTINF:abc,bad number\na\n", "bad number", nil),
            ("#EXTINF:12.75 x=\"y\" group=\"g,h\",attributes\na\n", "attributes", 12_750_000),
            ("#EXTINF:7\na\n", nil, 7_000_000),
            ("#EXTINF:9,orphan\n#EXTINF:4,used\n#remark\n\na\n", "used", 4_000_000),
            ("#EXTINF:4,of another\nb\na\n", nil, nil),
            ("#EXTINF:1,a\u{1}b\t c\na\n", "ab  c", 1_000_000),
            ("#EXTINF:99999999999999999999,x\na\n", "x", nil),
            ("#EXTINF:1.00000000000000001,x\na\n", "x", 1_000_000),
        ] as [(String, String?, Int64?)]
    )
    func info(text: String, title: String?, microseconds: Int64?) throws {
        let entry = try #require(try Shelf().read("list.m3u8", "#EXTM3U\n" + text).last)
        #expect(entry.text == "a")
        #expect(entry.title == title)
        #expect(entry.duration?.microseconds == microseconds)
    }

    @Test("#PLAYLIST is the title of the list")
    func title() throws {
        let shelf = try Shelf()
        #expect(try PlaylistFile.read(shelf.add("a.m3u", "#EXTM3U\n#PLAYLIST: 山歌 \nx\n")).title == "山歌")
        #expect(try PlaylistFile.read(shelf.add("b.m3u", "x\n")).title == nil)
    }

    @Test(
        "are read in what they are in (C237)",
        arguments: ["UTF-8", "UTF-16", "GB18030", "BIG5", "SHIFT_JIS"]
    )
    func encodings(name: String) throws {
        let song = encodedSong(name)
        let text = "#EXTM3U\n#EXTINF:3,\(song)\n音樂/\(song).mp3\n#EXTINF:4,海岸\n海岸.mp3\nplain.mp3\n"
        let entries = try Shelf().read("list.m3u", try encoded(text, name))
        #expect(entries.map(\.text) == ["音樂/\(song).mp3", "海岸.mp3", "plain.mp3"])
        #expect(entries.map(\.title) == [song, "海岸", nil])
    }

    @Test("a line that is no UTF-8 in a list that is, is guessed by itself")
    func mixed() throws {
        let bytes =
            Array("#EXTM3U\n許功蓋.mp3\n山谷.mp3\n".utf8) + (try encoded("許功蓋之歌.mp3\n", "BIG5"))
            + Array("海岸.mp3".utf8)
        let entries = try Shelf().read("list.m3u", bytes)
        #expect(entries.map(\.text) == ["許功蓋.mp3", "山谷.mp3", "許功蓋之歌.mp3", "海岸.mp3"])
    }

    @Test("GBK that looks like UTF-8 is GBK among its like")
    func liantong() throws {
        // The two characters that a famous editor lost: in GBK they are valid UTF-8.
        let bytes = try encoded("联通\n山谷里的回声\n海岸线合唱团\n月亮代表我的心\n", "GBK")
        #expect(try Shelf().read("list.m3u", bytes).first?.text == "联通")
    }

    @Test("an entry may cross the border of a block, and one that is longer than a block is left out")
    func blocks() throws {
        let names = (0..<20_000).map { "folder \($0 % 7)/a song with a name \($0).mp3" }
        let long = String(repeating: "x", count: 200_000)
        let text =
            names[..<10_000].joined(separator: "\n") + "\n\(long)\n"
            + names[10_000...].joined(separator: "\r\n")
        #expect(try Shelf().read("list.m3u", text).map(\.text) == names)
        #expect(try Shelf().read("list.m3u", "a\n" + long).map(\.text) == ["a"])
    }

    @Test("the first entries are there before the last line is read")
    func lazily() throws {
        let shelf = try Shelf()
        let list = try shelf.add("list.m3u", String(repeating: "a song of sixteen.mp3\n", count: 50_000))
        let reader = try PlaylistReader(list)
        #expect(reader.next()?.text == "a song of sixteen.mp3")
        // What is cut off now is not there any more for a reader that has not come so far.
        #expect(list.withCString { truncateFile($0) } == 0)
        var count = 1
        while reader.next() != nil { count += 1 }
        #expect(count < 5000)
        #expect(reader.problem == nil)
    }
}
