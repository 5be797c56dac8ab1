import Foundation
import TestSupport
import Testing

/// A service whose `config.ini` names a folder of music: what is in there is found, played and followed.
@Suite("library on the bus", .waiting, .timeLimit(.minutes(5)))
struct LibraryOnTheBusTests {
    private let fixtures: Fixtures
    private let service: RunningService

    private let rain = SongTags(title: "Rain on Tin", artist: "Ann O'Neil", album: "Weather", number: 1)
    private let sun = SongTags(title: "Don't Stop the Sun", artist: "Ann O'Neil", album: "Weather", number: 2)
    private let night = SongTags(title: "雨夜花", artist: "鄧雨賢", album: "臺灣歌謠")

    init() throws {
        fixtures = try Fixtures()
        try fixtures.writeSong("music/Weather/01 rain.mp3", rain)
        try fixtures.writeSong("music/Weather/02 sun.mp3", sun)
        try fixtures.writeSong("music/歌/night.mp3", night)
        service = try RunningService([], music: fixtures.folder.path("music"))
        try service.waitForLibrary(3)
    }

    /// The titles that a search finds.
    private func titles(_ words: String...) throws -> [String] {
        let report = try service.tianlai(["library", "search", "--json"] + words)
        guard report.exit == .code(0) else { return [] }
        return try report.outputText.split(separator: "\n").map {
            try JSONDecoder().decode(ListedSong.self, from: Data($0.utf8)).title ?? ""
        }
    }

    @Test("status and scan")
    func statusAndScan() throws {
        let status = try service.answers("library", "status", "--json", as: LibraryAnswer.self)
        #expect(status.map(\.tracks) == [3])
        #expect(status.first?.folders.first == fixtures.folder.path("music"))
        #expect(status.first?.problem == nil)
        // Done when it returns, before the quiet second after which it would look by itself.
        try fixtures.writeSong("music/more.mp3", night)
        try service.run("library", "scan")
        let after = try service.answers("library", "status", "--json", as: LibraryAnswer.self)
        #expect(after.map(\.tracks) == [4])
        #expect(after.map(\.scanning) == [false])
    }

    @Test("search finds by title, artist, album and path, in any script")
    func search() throws {
        #expect(try titles("tin") == ["Rain on Tin"])
        #expect(try titles("ann", "o'neil") == ["Rain on Tin", "Don't Stop the Sun"])
        #expect(try titles("weather", "don't") == ["Don't Stop the Sun"])
        #expect(try titles("ON RAI") == ["Rain on Tin"])
        #expect(try titles("雨夜") == ["雨夜花"])
        #expect(try titles("鄧雨賢") == ["雨夜花"])
        #expect(try titles("歌謠") == ["雨夜花"])
        // By the name of its file, and of its folder.
        #expect(try titles("night") == ["雨夜花"])
        #expect(try titles("歌", "night") == ["雨夜花"])
        let nothing = try service.tianlai("library", "search", "snow")
        #expect(nothing.exit == .code(1))
        #expect(nothing.errorText.split(separator: "\n").count == 1, "\(nothing.errorText)")
    }

    @Test("search --play plays what it finds, --add adds it")
    func searchAndPlay() throws {
        try service.run("library", "search", "weather", "--play")
        try service.wait(until: "Playing", "01 rain.mp3")
        #expect(try service.queue().map(\.title) == [rain.title, sun.title])
        try service.run("library", "search", "雨夜花", "--add")
        #expect(try service.queue().map(\.title) == [rain.title, sun.title, night.title])
        #expect(try service.fileName() == "01 rain.mp3")
    }

    @Test("a file that comes while it runs is found, one that goes is not any more")
    func comesAndGoes() throws {
        let snow = SongTags(title: "Snow", artist: "Ann O'Neil", album: "Weather", number: 3)
        let path = try fixtures.writeSong("music/New folder/snow.mp3", snow)
        try service.waitForLibrary(4)
        #expect(try titles("snow") == ["Snow"])
        #expect(unlink(path) == 0)
        try service.waitForLibrary(3)
        #expect(try titles("snow") == [])
    }

    @Test("a file retagged in the queue is told to clients", arguments: [true, false], [true, false])
    func retagged(isCurrent: Bool, isReplaced: Bool) throws {
        try service.run("library", "search", "weather", "--play")
        try service.wait(until: "Playing", "01 rain.mp3")
        let queue = try service.queue()
        let (index, name) = isCurrent ? (0, "01 rain.mp3") : (1, "02 sun.mp3")
        let mark = try service.monitor.settle()
        var tags = isCurrent ? rain : sun
        tags.title = "Now \(tags.title)"
        // Taggers write over the tag, or put another file in its place.
        if isReplaced {
            try fixtures.writeSong("music/Weather/\(name)", tags)
        } else {
            try fixtures.retag(fixtures.folder.path("music/Weather/\(name)"), tags)
        }

        let told = service.monitor.wait(since: mark) { $0.first { $0.member == "TrackMetadataChanged" } }
        let signal = try #require(told)
        #expect(signal.arguments.first?.text == queue[index].id)
        #expect(signal.arguments.last?["xesam:title"]?.text == tags.title)
        let metadata = try service.monitor.playerSignals(since: mark).compactMap { $0.changes?["Metadata"] }
        #expect(metadata.map { $0["xesam:title"]?.text } == (isCurrent ? [tags.title] : []))
        #expect(try service.queue()[index].title == tags.title)
        #expect(try service.fileName() == "01 rain.mp3")
        try service.waitForLibrary(3)
        #expect(try titles("now") == [tags.title])
    }

    @Test("a file renamed in the queue keeps its id, and playing goes on", arguments: [true, false])
    func renamed(isCurrent: Bool) throws {
        try service.run("library", "search", "weather", "--play")
        try service.wait(until: "Playing", "01 rain.mp3")
        let ids = try service.queue().map(\.id)
        let (index, name) = isCurrent ? (0, "01 rain.mp3") : (1, "02 sun.mp3")
        let mark = try service.monitor.settle()
        let moved = fixtures.folder.path("music/歌/moved '\(index)'.mp3")
        #expect(rename(fixtures.folder.path("music/Weather/\(name)"), moved) == 0)
        try service.wait(for: "the new name") {
            try service.queue().map(\.file).contains("moved '\(index)'.mp3")
        }
        #expect(try service.queue().map(\.id) == ids)
        #expect(try service.queue().map(\.title) == [rain.title, sun.title])
        #expect(try service.fileName() == (isCurrent ? "moved '0'.mp3" : "01 rain.mp3"))
        // It was not begun anew.
        let signals = try service.monitor.playerSignals(since: mark)
        #expect(signals.allSatisfy { $0.changes?["PlaybackStatus"] == nil && $0.changes?["Position"] == nil })
        #expect(try service.get("PlaybackStatus") == .text("Playing"))
        try service.playerctl("next")
        try service.wait(until: "Playing", isCurrent ? "02 sun.mp3" : "moved '1'.mp3")
    }

    @Test("a folder renamed takes its songs in the queue with it")
    func folderRenamed() throws {
        try service.run("library", "search", "weather", "--play")
        try service.wait(until: "Playing", "01 rain.mp3")
        let ids = try service.queue().map(\.id)
        try renameFolder()
        try waitForRenamed()
        #expect(try service.queue().map(\.id) == ids)
        try service.playerctl("next")
        try service.wait(until: "Playing", "02 sun.mp3")
        #expect(try service.get("Metadata")?["xesam:title"]?.text == sun.title)
        #expect(service.process.report.errors.isEmpty, "\(service.process.report.errorText)")
    }

    @Test("a folder renamed while the service does not run is found again, and what is in it plays")
    func folderRenamedMeanwhile() throws {
        try service.run("library", "search", "weather", "--play")
        try service.wait(until: "Playing", "01 rain.mp3")
        let ids = try service.queue().map(\.id)
        service.process.kill()
        try service.waitForName(isOwned: false)
        try renameFolder()
        try service.restart([])
        try waitForRenamed()
        #expect(try service.queue().map(\.id) == ids)
        // Read again, though there was nothing to read when it started.
        try service.wait(for: "the titles") { try service.queue().map(\.title) == [rain.title, sun.title] }
        #expect(try service.get("PlaybackStatus") == .text("Paused"))
        #expect(try service.get("Metadata")?["xesam:title"]?.text == rain.title)
        try service.playerctl("play")
        try service.wait(until: "Playing", "01 rain.mp3")
    }

    private func renameFolder() throws {
        let (old, new) = (fixtures.folder.path("music/Weather"), fixtures.folder.path("music/Fine Weather"))
        guard rename(old, new) == 0 else { throw TestFailure("the folder keeps its name: \(errno)") }
    }

    private func waitForRenamed() throws {
        try service.wait(for: "the new folder") {
            try service.queue().allSatisfy { $0.url?.contains("/music/Fine%20Weather/") == true }
        }
    }
}
