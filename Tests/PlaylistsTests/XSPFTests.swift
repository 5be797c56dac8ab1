import Music
import Playlists
import Testing

@Suite("XSPF lists")
struct XSPFTests {
    private func list(_ tracks: String, _ attributes: String = "") -> String {
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<playlist version=\"1\" xmlns=\"http://xspf.org/ns/0/\"\(attributes)>"
            + "<title>The &lt;list&gt;</title><trackList>\(tracks)</trackList></playlist>"
    }

    private func track(_ location: String) -> String { "<track><location>\(location)</location></track>" }

    @Test(
        "locations are read whole and decoded once (C242, C243)",
        arguments: [
            ("a.mp3", "a.mp3", "/list/a.mp3"),
            ("\n  a%20b.mp3\n ", "a%20b.mp3", "/list/a b.mp3"),
            ("%E5%B1%B1%5Ba%5D%2Fb%23.mp3", "%E5%B1%B1%5Ba%5D%2Fb%23.mp3", "/list/山[a]/b#.mp3"),
            ("x%2525.mp3", "x%2525.mp3", "/list/x%25.mp3"),
            ("file:///m/x%25y.mp3", "file:///m/x%25y.mp3", "/m/x%y.mp3"),
            ("a&amp;b&#x26;c&#38;d.mp3", "a&b&c&d.mp3", "/list/a&b&c&d.mp3"),
            ("<![CDATA[a & <b>.mp3]]>", "a & <b>.mp3", "/list/a & <b>.mp3"),
            ("a<!-- no -->b<x>not this</x>.mp3", "ab.mp3", "/list/ab.mp3"),
            ("Funk & 100%.mp3".replacingAmpersand, "Funk & 100%.mp3", "/list/Funk & 100%.mp3"),
            ("http://x.example/a", "http://x.example/a", nil),
            ("C:\\a.mp3", "C:\\a.mp3", "/list/C:\\a.mp3"),
        ] as [(String, String, String?)]
    )
    func locations(written: String, text: String, path: String?) throws {
        let entry = try #require(try Shelf().read("a.xspf", list(track(written))).first)
        #expect(entry.text == text)
        #expect(entry.path(in: FilePath("/list")) == path.flatMap { FilePath($0) })
    }

    @Test("whatever the prefix, the namespace and the elements around")
    func namespaces() throws {
        let tracks = "<track><location>a</location></track>"
        for document in [
            "<playlist><trackList>\(tracks)</trackList></playlist>",
            "<x:playlist xmlns:x='http://xspf.org/ns/0/'><x:trackList><x:track><x:location>a</x:location></x:track></x:trackList></x:playlist>",
            list(
                tracks.replacing("<location>", with: "<location xmlns=''>no</location><location>")
                    + "<extension><track><location>no</location></track></extension>"
            ),
            list("").replacing(
                "<trackList>",
                with:
                    "<extension><trackList><track><location>no</location></track></trackList></extension><trackList>\(tracks)"
            ),
        ] {
            #expect(try Shelf().read("a.xspf", document).map(\.text) == ["a"], "\(document)")
        }
    }

    @Test("texts belong to their track")
    func texts() throws {
        let shelf = try Shelf()
        let path = try shelf.add(
            "a.xspf",
            list(
                "<track><location>a</location><title>山 &lt;a&gt;</title><creator>K&#x2BC;a</creator><album>Al</album>"
                    + "<duration>61500</duration></track><track><title>no location</title></track>"
                    + "<track><title/><location>b</location><duration>-1</duration></track>"
            )
        )
        let list = try PlaylistFile.read(path)
        #expect(list.title == "The <list>")
        #expect(list.entries.map(\.title) == ["山 <a>", nil])
        #expect(list.entries.map(\.artist) == ["Kʼa", nil])
        #expect(list.entries.map(\.album) == ["Al", nil])
        #expect(list.entries.map(\.duration) == [.seconds(61.5), nil])
    }

    @Test(
        "xml:base moves relative locations (C242)",
        arguments: [
            ("file:///m/old.xspf", "a.mp3", "/m/a.mp3"),
            ("file:///m/x%20y/", "a.mp3", "/m/x y/a.mp3"),
            ("sub/", "../a.mp3", "/list/sub/../a.mp3"),
            ("sub", "a.mp3", "/list/a.mp3"),
            ("/m/", "/n/a.mp3", "/n/a.mp3"),
            ("http://x.example/", "a.mp3", nil),
            ("http://x.example/", "file:///a.mp3", "/a.mp3"),
        ] as [(String, String, String?)]
    )
    func base(base: String, location: String, path: String?) throws {
        let text = list(track(location) + track("file:///end"), " xml:base=\"\(base)\"")
        let entries = try Shelf().read("a.xspf", text)
        #expect(entries.first?.path(in: FilePath("/list")) == path.flatMap { FilePath($0) })
        let inner = list("<track xml:base=\"\(base)\"><location>\(location)</location></track>" + track("b"))
        let paths = try Shelf().read("a.xspf", inner).map { $0.path(in: FilePath("/list")) }
        #expect(paths == [path.flatMap { FilePath($0) }, FilePath("/list/b")])
    }

    @Test("of several locations the first that is there is meant")
    func alternatives() throws {
        let shelf = try Shelf("b.mp3", "c.mp3")
        let text = list(
            "<track><location>http://x/</location><location>a.mp3</location><location>b.mp3</location>"
                + "<location>c.mp3</location></track><track><location>d</location><location>e</location></track>"
        )
        let path = try shelf.add("a.xspf", text)
        #expect(try shelf.found(in: path) == ["b.mp3", nil])
        let entries = try PlaylistFile.read(path).entries
        #expect(entries.map { $0.path(in: FilePath("/l")) } == [FilePath("/l/a.mp3"), FilePath("/l/d")])
        #expect(entries.map(\.isOnNetwork) == [false, false])
    }

    @Test(
        "a fragment of time is a stretch of the file",
        arguments: [
            ("a.mp3#t=1.493333,30", 1_493_333, 30_000_000),
            ("a.mp3#t=npt:5", 5_000_000, nil),
            ("a.mp3#t=,7", 0, 7_000_000),
            ("a.mp3#t=5,5", 5_000_000, nil),
        ] as [(String, Int64, Int64?)]
    )
    func fragment(location: String, start: Int64, end: Int64?) throws {
        let shelf = try Shelf("a.mp3")
        let path = try shelf.add("a.xspf", list(track(location) + track("a.mp3#other")))
        let entries = try PlaylistFile.read(path).entries
        #expect(entries.first?.excerpt?.start.microseconds == start)
        #expect(entries.first?.excerpt?.end?.microseconds == end)
        #expect(entries.last?.excerpt == nil)
        #expect(try shelf.found(in: path) == ["a.mp3", "a.mp3"])
    }

    @Test(
        "are read in what they are in",
        arguments: ["UTF-8", "UTF-16", "BIG5", "GB18030", "SHIFT_JIS", "KOI8-R"]
    )
    func encodings(encoding: String) throws {
        let titles = ["KOI8-R": "Дорога", "SHIFT_JIS": "上を向いて歩こう、涙がこぼれないように"]
        let title = titles[encoding] ?? "山谷之歌，海岸之歌，月光之歌"
        let text = list("<track><location>a</location><title>\(title)</title></track>").replacing(
            "UTF-8",
            with: encoding
        )
        #expect(try Shelf().read("a.xspf", try encoded(text, encoding)).map(\.title) == [title])
        let undeclared = try encoded(text.replacing(" encoding=\"\(encoding)\"", with: ""), encoding)
        if encoding != "KOI8-R" { #expect(try Shelf().read("a.xspf", undeclared).map(\.title) == [title]) }
    }

    @Test(
        "what is damaged or dangerous is refused in one line",
        arguments: [
            ("<playlist><trackList><track><location>a", "it is damaged in line 1 (no element found)"),
            ("<playlist>\n<trackList></playlist>", "it is damaged in line 2 (mismatched tag)"),
            (
                "<!-- playlist --><asset/>",
                "it is no playlist that is known (M3U, PLS, XSPF, CUE, ASX or WPL)"
            ),
            ("<x:playlist/>", "it is damaged in line 1 (unbound prefix)"),
            ("no XML at all", "it holds no XSPF playlist"),
        ]
    )
    func refused(text: String, reason: String) throws {
        #expect(try Shelf().refusal("a.xspf", text) == reason)
    }

    @Test("elements within elements without end are refused")
    func deep() throws {
        let text = "<playlist>" + String(repeating: "<a>", count: 100_000)
        let refusal = try Shelf().refusal("a.xspf", text)
        #expect(refusal == "it is nested too deeply")
    }

    @Test("an entity bomb is refused at once (C242)")
    func bomb() throws {
        let levels = (1...10).map { level in
            "<!ENTITY e\(level) \"\(String(repeating: "&e\(level - 1);", count: 10))\">"
        }
        let nested =
            "<!DOCTYPE p [<!ENTITY e0 \"lol\">\(levels.joined())]>\(list(track("&e10;")).dropFirst(39))"
        // Not nested, and less than what expat puts up with by itself: 100 KB, 60 times.
        let flat =
            "<!DOCTYPE p [<!ENTITY e0 \"\(String(repeating: "x", count: 100_000))\">]>"
            + list(track(String(repeating: "&e0;", count: 60))).dropFirst(39)
        for bomb in [nested, flat] {
            let began = ContinuousClock.now
            let refusal = try Shelf().refusal("a.xspf", bomb)
            #expect(refusal == "its entities grow without end")
            #expect(ContinuousClock.now - began < .seconds(2))
        }
    }

    @Test("nothing outside the document is looked at")
    func external() throws {
        let shelf = try Shelf()
        let secret = try shelf.add("secret", "the secret")
        let text =
            "<!DOCTYPE p [<!ENTITY e SYSTEM \"file://\(secret)\"><!ENTITY in \"inside\">]><playlist><trackList>"
            + "<track><location>a&in;</location><title>x&e;y</title></track></trackList></playlist>"
        let entries = try shelf.read("a.xspf", text)
        #expect(entries.map(\.text) == ["ainside"])
        #expect(entries.map(\.title) == ["xy"])
    }

    @Test("a list of 10 MB is read whole (C242)")
    func large() throws {
        let tracks = (0..<75_000).map {
            "\n<track><location>folder/a%20song%20&amp;%20\($0).mp3</location><title>Song &amp; dance \($0) 山谷</title>"
                + "<duration>1000</duration></track>"
        }
        let text = list(tracks.joined())
        #expect(text.utf8.count > 9_000_000)
        let entries = try Shelf().read("a.xspf", text)
        #expect(entries.count == 75_000)
        #expect(entries.indices.allSatisfy { entries[$0].text == "folder/a%20song%20&%20\($0).mp3" })
        #expect(entries.indices.allSatisfy { entries[$0].title == "Song & dance \($0) 山谷" })
    }
}

extension String {
    fileprivate var replacingAmpersand: String { replacing("&", with: "&amp;") }
}
