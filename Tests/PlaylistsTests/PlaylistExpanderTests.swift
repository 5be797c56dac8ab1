import Foundation
import Music
import Playlists
import TestSupport
import Testing

@Suite("Playlists within playlists")
struct PlaylistExpanderTests {
    /// What an expander hands out and says.
    private struct Outcome {
        var tracks: [TrackLocation] = []
        var problems: [String] = []
    }

    private func expand(_ list: FilePath, stopAfter limit: Int = .max) -> Outcome {
        var outcome = Outcome()
        var tracks: [TrackLocation] = []
        PlaylistExpander(musicSuffixes: ["mp3"]).expand(
            list,
            folder: { folder in ["1", "2"].map { folder.appending(Array($0.utf8)) } },
            problem: { outcome.problems.append($0) },
            found: { track in
                tracks.append(track)
                return tracks.count < limit
            }
        )
        outcome.tracks = tracks
        return outcome
    }

    @Test("lists and folders are expanded in their place")
    func nested() throws {
        let shelf = try Shelf("a.mp3", "b.mp3", "sub/c.mp3", "album.mp3")
        try shelf.add("sub/inner.m3u8", "c.mp3\n../outer.m3u\n")
        try shelf.add(
            "sub/album.cue",
            "FILE ../album.wav WAVE\nTRACK 1 AUDIO\nINDEX 01 0:1:0\nTRACK 2 AUDIO\nINDEX 01 0:2:0\n"
        )
        let list = try shelf.add(
            "outer.m3u",
            "a.mp3\nsub/inner.m3u8\nsub/\nsub/album.cue\nsub/inner.m3u8\nb.mp3\n"
        )
        let outcome = expand(list)
        #expect(
            outcome.tracks.map { shelf.name($0.path) } == [
                "a.mp3", "sub/c.mp3", "sub/1", "sub/2", "album.mp3", "album.mp3", "sub/c.mp3", "b.mp3",
            ]
        )
        #expect(outcome.tracks.map(\.excerpt?.number) == [nil, nil, nil, nil, 1, 2, nil, nil])
        #expect(outcome.tracks[4].excerpt?.end == .seconds(2))
        let line = "\(shelf.path)/outer.m3u: this playlist names itself; it is played once"
        #expect(outcome.problems == [line, line])
    }

    @Test("a list that names itself, by whatever name, ends")
    func loop() throws {
        let shelf = try Shelf("a.mp3")
        #expect(symlink("self.m3u", shelf.folder.path("alias.m3u")) == 0)
        let list = try shelf.add(
            "self.m3u",
            "self.m3u\na.mp3\nalias.m3u\n./../\(shelf.path.split(separator: "/").last ?? "")/self.m3u\n"
        )
        let outcome = expand(list)
        #expect(outcome.tracks.map { shelf.name($0.path) } == ["a.mp3"])
        #expect(outcome.problems.count == 3)
    }

    @Test("lists go eight deep")
    func deep() throws {
        let shelf = try Shelf("a.mp3")
        for level in 1...20 { try shelf.add("\(level).m3u", "a.mp3\n\(level + 1).m3u\n") }
        let outcome = expand(try shelf.add("0.m3u", "1.m3u\n"))
        #expect(outcome.tracks.count == 7)
        #expect(
            outcome.problems == ["\(shelf.path)/8.m3u: it is the 9th playlist within a playlist; left out"]
        )
    }

    @Test("lists that name lists many times over end too")
    func wide() throws {
        let shelf = try Shelf()
        for level in 0...7 {
            let next = "\(level + 1).m3u\n"
            try shelf.add("\(level).m3u", String(repeating: next, count: 20))
        }
        try shelf.add("8.m3u", "")
        let outcome = expand(try #require(FilePath("\(shelf.path)/0.m3u")))
        #expect(outcome.tracks.isEmpty)
        #expect(
            outcome.problems.last
                == "\(shelf.path)/0.m3u: it names more than 10000 playlists; the rest is left out"
        )
    }

    @Test("what cannot be played is told in a line for each kind, and an unreadable list is one of them")
    func problems() throws {
        let shelf = try Shelf("a.mp3", "broken.xspf")
        #expect(mkfifo(shelf.folder.path("pipe.m3u"), 0o600) == 0)
        let list = try shelf.add(
            "list.m3u",
            "http://x/1\na.mp3\nnone 1.mp3\n/dev/zero\nhttps://x/2\nnone 2.m3u\nbroken.xspf\npipe.m3u\n/dev/null\n"
        )
        let outcome = expand(list)
        #expect(outcome.tracks.map { shelf.name($0.path) } == ["a.mp3"])
        #expect(
            outcome.problems == [
                "\(shelf.path)/broken.xspf: it holds no XSPF playlist",
                "\(list): 2 of its entries are not there, the first is none 1.mp3",
                "\(list): 2 of its entries are on the network, which Tianlai does not play, the first is http://x/1",
                "\(list): 3 of its entries are no files (pipes or devices), the first is /dev/zero",
            ]
        )
        let none = try #require(FilePath("\(shelf.path)/none.m3u"))
        #expect(expand(none).problems == ["\(none): there is no such file"])
    }

    @Test("nothing is read when no more is wanted", arguments: [1, 2, 2499])
    func enough(limit: Int) throws {
        let shelf = try Shelf("a.mp3")
        let list = try shelf.add("list.m3u", String(repeating: "a.mp3\n", count: 2500))
        #expect(expand(list).tracks.count == 2500)
        #expect(expand(list, stopAfter: limit).tracks.count == limit)
        #expect(expand(try shelf.add("empty.m3u", "")).tracks.isEmpty)
    }

    @Test("a list is left as it is, whatever is missing (C245)")
    func untouched() throws {
        let shelf = try Shelf()
        let text = "#EXTM3U\n#EXTINF:1,x\n/nowhere/x.mp3\n"
        let list = try shelf.add("list.m3u", text)
        #expect(expand(list).tracks.isEmpty)
        #expect(try String(contentsOfFile: "\(list)", encoding: .utf8) == text)
        #expect(try FileManager.default.contentsOfDirectory(atPath: shelf.path) == ["list.m3u"])
    }
}
