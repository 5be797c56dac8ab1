import Foundation
import Music
import Playlists
import TestSupport
import Testing

@Suite("Writing playlists")
struct PlaylistWriterTests {
    private func track(
        _ path: FilePath,
        _ title: String? = nil,
        artist: String? = nil,
        _ seconds: Double? = nil
    ) -> Track {
        var track = Track(TrackLocation(path))
        track.tags.title = title
        track.tags.artists = [artist].compactMap(\.self)
        track.length = seconds.map(TrackTime.seconds)
        return track
    }

    private func text(_ path: FilePath) throws -> String {
        try String(contentsOfFile: "\(path)", encoding: .utf8)
    }

    @Test("M3U8 as other players read it")
    func m3u() throws {
        let shelf = try Shelf()
        let list = try #require(FilePath("\(shelf.path)/lists/my.m3u8"))
        try shelf.folder.makeFolder("lists")
        let paths = ["lists/音樂/a b.mp3", "lists/#1.mp3", "lists/ b.mp3", "c.mp3", "lists/file:x.mp3"]
        let tracks = [
            track(try #require(FilePath("\(shelf.path)/\(paths[0])")), "山谷", artist: "合唱團", 61.5),
            track(try #require(FilePath("\(shelf.path)/\(paths[1])")), "One\nline"),
            track(try #require(FilePath("\(shelf.path)/\(paths[2])")), nil, 2.4),
            track(try #require(FilePath("\(shelf.path)/\(paths[3])"))),
            track(try #require(FilePath("\(shelf.path)/\(paths[4])"))),
        ]
        #expect(try PlaylistWriter.write(tracks, title: "天籟", to: list) == nil)
        #expect(
            try text(list) == """
                #EXTM3U
                #PLAYLIST:天籟
                #EXTINF:62,合唱團 - 山谷
                音樂/a b.mp3
                #EXTINF:-1,One line
                ./#1.mp3
                #EXTINF:2,b
                ./ b.mp3
                \(shelf.path)/c.mp3
                ./file:x.mp3

                """
        )
        for path in paths { try shelf.add(path, "") }
        #expect(try shelf.found(in: list) == paths)
    }

    @Test("XSPF with locations that are valid URIs (C244)")
    func xspf() throws {
        let shelf = try Shelf("list/a & b%20[1]#?.mp3", "list/山.mp3", "x:y.mp3")
        let list = try #require(FilePath("\(shelf.path)/list/my.xspf"))
        let names = ["list/a & b%20[1]#?.mp3", "list/山.mp3", "x:y.mp3"]
        let tracks = try names.map {
            track(try #require(FilePath("\(shelf.path)/\($0)")), "<T> & \"U\"", artist: "P", 1.5)
        }
        #expect(try PlaylistWriter.write(tracks, title: "天 & 籟", to: list) == nil)
        let written = try text(list)
        #expect(written.contains("<location>a%20%26%20b%2520%5B1%5D%23%3F.mp3</location>"))
        #expect(written.contains("<location>%E5%B1%B1.mp3</location>"))
        #expect(written.contains("<location>file://\(shelf.path)/x%3Ay.mp3</location>"))
        #expect(try shelf.found(in: list) == names)
        let playlist = try PlaylistFile.read(list)
        #expect(playlist.title == "天 & 籟")
        #expect(playlist.entries.map(\.title) == Array(repeating: "<T> & \"U\"", count: 3))
        #expect(playlist.entries.map(\.artist) == ["P", "P", "P"])
        #expect(playlist.entries.map(\.duration) == Array(repeating: .seconds(1.5), count: 3))
        // Another parser than ours.
        let xml = try ChildProcess.run(
            [
                "python3", "-c",
                "import sys, xml.etree.ElementTree as x; print(len(x.parse(sys.argv[1]).findall('.//{*}track')))",
                "\(list)",
            ],
            environment: ["PATH": "/usr/bin:/bin"]
        )
        #expect(xml.outputText == "3\n", "\(xml.errorText)")
    }

    @Test("names that are no text go as bytes and come back", arguments: ["my.m3u8", "my.xspf"])
    func bytes(name: String) throws {
        let shelf = try Shelf("山谷.mp3", "海岸.mp3")
        let raw = try shelf.add(try encoded("許功蓋", "BIG5") + [0xFF])
        let list = try #require(FilePath("\(shelf.path)/\(name)"))
        let paths = [
            try #require(FilePath("\(shelf.path)/山谷.mp3")), raw,
            try #require(FilePath("\(shelf.path)/海岸.mp3")),
        ]
        try PlaylistWriter.write(paths.map { track($0) }, to: list)
        let resolver = EntryResolver(list: list)
        #expect(try PlaylistFile.read(list).entries.map { resolver.find($0)?.path } == paths)
    }

    @Test("parts of files: XSPF says them, M3U names the file once for those that follow each other")
    func parts() throws {
        let shelf = try Shelf("album.mp3", "other.mp3")
        let album = try #require(FilePath("\(shelf.path)/album.mp3"))
        var parts = [(0, 1_493_333), (1_493_333, nil)].map { (start, end: Int64?) in
            Excerpt(start: TrackTime(microseconds: start), end: end.map { TrackTime(microseconds: $0) })
        }
        parts[1].title = "Two"
        parts[1].artist = "A"
        parts[1].album = "Al"
        parts[1].number = 2
        let locations = [
            TrackLocation(album, parts[0]), TrackLocation(album, parts[1]),
            TrackLocation(try #require(FilePath("\(shelf.path)/other.mp3"))), TrackLocation(album, parts[1]),
        ]
        let xspf = try #require(FilePath("\(shelf.path)/l.xspf"))
        #expect(try PlaylistWriter.write(locations.map { Track($0) }, to: xspf) == nil)
        #expect(try PlaylistFile.read(xspf).entries.map(\.excerpt) == [parts[0], parts[1], nil, parts[1]])
        let m3u = try #require(FilePath("\(shelf.path)/l.m3u8"))
        let lost = try PlaylistWriter.write(locations.map { Track($0) }, to: m3u)
        #expect(lost == "\(m3u) names whole files where parts of them were meant; .xspf can say parts")
        #expect(try text(m3u) == "#EXTM3U\nalbum.mp3\nother.mp3\nalbum.mp3\n")
    }

    @Test(
        "what cannot be said is refused, and the list that was there stays (C244, C245)",
        arguments: ["a\nb.mp3", "a\rb.mp3", "a.mp3 "]
    )
    func unsayable(name: String) throws {
        let shelf = try Shelf()
        let list = try shelf.add("l.m3u8", "precious")
        let path = try #require(FilePath("\(shelf.path)/\(name)"))
        let error = #expect(throws: PlaylistError.self) { try PlaylistWriter.write([track(path)], to: list) }
        #expect(
            error?.description.hasPrefix(
                "a name that holds a line break or ends in a blank cannot be said in M3U; use .xspf ("
            ) == true
        )
        #expect(try text(list) == "precious")
        let xspf = try #require(FilePath("\(shelf.path)/l.xspf"))
        try shelf.add(name, "")
        try PlaylistWriter.write([track(path)], to: xspf)
        #expect(
            EntryResolver(list: xspf).find(try #require(try PlaylistFile.read(xspf).entries.first))?.path
                == path
        )
    }

    @Test("a failure leaves what was there and nothing else")
    func failure() throws {
        let shelf = try Shelf()
        let full = try #require(FilePath("/dev/full"))
        #expect(throws: PlaylistError.self) { try PlaylistWriter.write([track(full)], to: full) }
        func refusal(_ name: String) throws -> String? {
            let path = try #require(FilePath("\(shelf.path)/\(name)"))
            return #expect(throws: PlaylistError.self) { try PlaylistWriter.write([track(full)], to: path) }?
                .description
        }
        #expect(try refusal("none/l.m3u8") == "the folder for it is not there")
        #expect(try refusal("l.txt") == "only .m3u8 and .xspf can be written; give it one of these names")
        try shelf.folder.makeFolder("sub.m3u8")
        #expect(try refusal("sub.m3u8") == "it is a folder")
        // A name that is too long fails at the last moment: after all has been written.
        let long = String(repeating: "x", count: 251) + ".m3u8"
        #expect(try refusal(long)?.hasPrefix("it cannot be written (") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: shelf.path) == ["sub.m3u8"])
    }

    @Test("a list is replaced at one stroke, with its permissions, and a link to it stays one")
    func replaced() throws {
        let shelf = try Shelf("a.mp3")
        let list = try shelf.add("real.m3u8", "old")
        #expect(list.withCString { chmod($0, 0o640) } == 0)
        let old = open("\(list)", O_RDONLY)
        defer { close(old) }
        #expect(symlink("real.m3u8", shelf.folder.path("link.m3u8")) == 0)
        let link = try #require(FilePath("\(shelf.path)/link.m3u8"))
        try PlaylistWriter.write([track(try #require(FilePath("\(shelf.path)/a.mp3")))], to: link)
        #expect(try text(list) == "#EXTM3U\na.mp3\n")
        // Who has the old one open still reads the old one.
        var bytes = [UInt8](repeating: 0, count: 10)
        #expect(read(old, &bytes, 10) == 3)
        var status = stat()
        #expect(lstat("\(link)", &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
        #expect(stat("\(list)", &status) == 0 && status.st_mode & 0o777 == 0o640)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: shelf.path).sorted() == [
                "a.mp3", "link.m3u8", "real.m3u8",
            ]
        )
    }
}
