import Foundation
import TestSupport
import Testing

/// The playlist files in the folder of music and those that the user saves, as the desktop and the command have them.
@Suite("playlists of the service", .waiting, .timeLimit(.minutes(5)))
struct PlaylistsOnTheBusTests {
    private let fixtures: Fixtures
    private let service: RunningService
    private let lists = ["[ Radio ].m3u", "100% A#1?.m3u8", "Evening.xspf", "天籟.m3u8"]
    private let songs: [String]

    init() throws {
        fixtures = try Fixtures()
        songs = try (0..<4).map { [fixtures] number in
            try fixtures.writeSong(
                "music/song \(number).mp3",
                SongTags(title: "Song \(number)", artist: "Ann", album: "Four")
            )
        }
        // Each begins with another song.
        for (number, name) in lists.enumerated() {
            let names = ["song \(number).mp3", "song \((number + 1) % 4).mp3"]
            let entries = names.map {
                "<track><location>\($0.replacing(" ", with: "%20"))</location></track>"
            }
            let xspf = """
                <?xml version="1.0" encoding="UTF-8"?>
                <playlist version="1" xmlns="http://xspf.org/ns/0/"><trackList>\(entries.joined())</trackList></playlist>
                """
            let text = name.hasSuffix("xspf") ? xspf : names.joined(separator: "\n")
            try fixtures.folder.write("music/\(name)", text.utf8)
        }
        service = try RunningService([], music: fixtures.folder.path("music"))
        try service.waitForLibrary(4)
    }

    /// The names and ids that `GetPlaylists` gives, in the order of the names.
    private func playlists() throws -> [(name: String, id: String)] {
        let answer = try service.call(
            "\(Bus.playlists).GetPlaylists",
            "uint32:0",
            "uint32:100",
            "string:Alphabetical",
            "boolean:false"
        )
        guard case .list(let playlists) = answer.first else { throw TestFailure("no playlists: \(answer)") }
        return playlists.compactMap(Self.playlist)
    }

    private static func playlist(_ value: BusText?) -> (name: String, id: String)? {
        guard case .list(let members) = value, let id = members.first?.text else { return nil }
        return (members.dropFirst().first?.text ?? "", id)
    }

    private func id(of name: String) throws -> String {
        try #require(try playlists().first { $0.name == name }?.id)
    }

    /// Waits until `count` lists are there.
    private func waitForPlaylists(_ count: Int) throws {
        try service.wait(for: "\(count) playlists") {
            try service.get("PlaylistCount", of: Bus.playlists)?.integer == Int64(count)
        }
    }

    @Test("GetPlaylists lists them, and PlaylistCount follows one more")
    func listed() throws {
        let names = ["100% A#1?", "Evening", "[ Radio ]", "天籟"]
        #expect(try playlists().map(\.name).sorted() == names)
        #expect(try Set(playlists().map(\.id)).count == 4)
        let listed = try service.answers("playlist", "list", "--json", as: ListedPlaylist.self)
        #expect(try listed.map(\.name) == playlists().map(\.name))
        #expect(try listed.map(\.id) == playlists().map(\.id))

        let mark = try service.monitor.settle()
        try fixtures.folder.write("music/More.m3u", "song 0.mp3\n".utf8)
        let told = service.monitor.wait(since: mark) { signals in
            signals.lazy.compactMap { $0.changes(of: Bus.playlists)?["PlaylistCount"] }.first
        }
        #expect(told == .integer(5))
        #expect(try playlists().map(\.name).contains("More"))
    }

    @Test("a list renamed keeps its id, which PlaylistChanged tells")
    func renamed() throws {
        let id = try id(of: "Evening")
        let mark = try service.monitor.settle()
        let (old, new) = (
            fixtures.folder.path("music/Evening.xspf"), fixtures.folder.path("music/Night.xspf")
        )
        #expect(rename(old, new) == 0)
        let told = service.monitor.wait(since: mark) { $0.first { $0.member == "PlaylistChanged" } }
        let changed = try #require(Self.playlist(told?.arguments.first))
        #expect(changed == (name: "Night", id: id))
        #expect(try self.id(of: "Night") == id)
        #expect(try playlists().count == 4)
    }

    @Test("ActivatePlaylist plays it whatever it is called, and ActivePlaylist tells of it")  // C239
    func activated() throws {
        for (number, name) in lists.enumerated() {
            let (name, mark) = ((name as NSString).deletingPathExtension, try service.monitor.settle())
            let id = try id(of: name)
            #expect(try service.call("\(Bus.playlists).ActivatePlaylist", "objpath:\(id)") == .values([]))
            try service.wait(until: "Playing", "song \(number).mp3")
            #expect(
                try service.queue().map(\.file) == ["song \(number).mp3", "song \((number + 1) % 4).mp3"]
            )
            let told = try service.monitor.signals(since: mark)
                .compactMap { $0.changes(of: Bus.playlists)?["ActivePlaylist"] }
            let active = BusText.list([.flag(true), .list([.text(id), .text(name), .text("")])])
            #expect(told == [active])
            #expect(try service.get("ActivePlaylist", of: Bus.playlists) == active)
        }
    }

    @Test("playlist play plays one by its name")
    func play() throws {
        try service.run("playlist", "play", "evening")
        #expect(try service.get("PlaybackStatus") == .text("Playing"))
        #expect(try service.queue().map(\.file) == ["song 2.mp3", "song 3.mp3"])
        let listed = try service.answers("playlist", "list", "--json", as: ListedPlaylist.self)
        #expect(listed.filter(\.active).map(\.name) == ["Evening"])
        let unknown = try service.tianlai("playlist", "play", "Morning")
        #expect(unknown.exit == .code(1))
        #expect(unknown.errorText.split(separator: "\n").count == 1)
        #expect(try service.fileName() == "song 2.mp3")
    }

    @Test("playlist save keeps the queue under a name, which is listed then")
    func saveName() throws {
        try service.run("queue", "add", songs[3], songs[1], songs[3])
        let path = service.folder.path("data/tianlai/playlists/My list.m3u8")
        #expect(try service.run("playlist", "save", "My list") == path + "\n")
        try waitForPlaylists(5)
        try service.run("queue", "clear")
        try service.run("playlist", "play", "My list")
        #expect(try service.queue().map(\.file) == ["song 3.mp3", "song 1.mp3", "song 3.mp3"])
        // Written anew, it is the same list.
        let id = try id(of: "My list")
        try service.run("queue", "remove", "1")
        try service.run("playlist", "save", "My list")
        #expect(try shown(path).map(\.path) == [songs[1], songs[3]])
        try service.run("library", "scan")
        #expect(try self.id(of: "My list") == id)
    }

    private func shown(_ path: String) throws -> [ShownPlaylist.Entry] {
        try service.answers("playlist", "show", "--json", path, as: ShownPlaylist.self).flatMap(\.entries)
    }

    @Test("playlist save to a file says what playlist show reads there", arguments: ["m3u8", "xspf"])
    func savePath(suffix: String) throws {
        let odd = try fixtures.writeSong(
            "#100% 歌 & <b>?.mp3",
            SongTags(title: "Tom & <Jerry>", artist: "Ann", album: "Odd")
        )
        try service.run("queue", "add", songs[2], odd, songs[0])
        let path = fixtures.folder.path("out.\(suffix)")
        try service.run("playlist", "save", path)
        let entries = try shown(path)
        #expect(entries.map(\.path) == [songs[2], odd, songs[0]])
        #expect(entries.allSatisfy { $0.found })
        #expect(entries.first?.title == (suffix == "xspf" ? "Song 2" : "Ann - Song 2"))
    }

    @Test("a list that cannot be written leaves the one that is there as it was")
    func refused() throws {
        let odd = try fixtures.writeSong(
            "elsewhere/two\nlines.mp3",
            SongTags(title: "Two", artist: "Ann", album: "Odd")
        )
        try service.run("queue", "add", songs[0], odd)
        let path = try fixtures.folder.write("elsewhere/mine.m3u8", "kept\n".utf8)
        let names = try FileManager.default.contentsOfDirectory(atPath: fixtures.folder.path("elsewhere"))
        let report = try service.tianlai("playlist", "save", path)
        #expect(report.exit == .code(1))
        #expect(report.errorText.split(separator: "\n").count == 1, "\(report.errorText)")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "kept\n")
        let after = try FileManager.default.contentsOfDirectory(atPath: fixtures.folder.path("elsewhere"))
        #expect(after.sorted() == names.sorted())
        // The other form can say it.
        let xspf = fixtures.folder.path("elsewhere/mine.xspf")
        try service.run("playlist", "save", xspf)
        #expect(try shown(xspf).map(\.found) == [true, true])
        try service.run("play", xspf)
        #expect(try service.queue().map(\.file) == ["song 0.mp3", "two\nlines.mp3"])
    }
}
