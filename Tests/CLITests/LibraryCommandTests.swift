import DBus
import EventLoop
import Glibc
import Language
import Music
import Testing

@testable import CLI

@Suite("tianlai library on a bus", .timeLimit(.minutes(5)))
struct LibraryCommandTests {
    private let stage: Stage

    init() throws {
        stage = try Stage()
        stage.player.library.folders = ["/home/me/Music"]
        stage.player.library.tracks = 1234
        stage.player.library.found = ["a", "b", "c"]
    }

    @Test("a scan waits until it is done, and says so in one line")
    func scan() throws {
        stage.player.reaction = { [player = stage.player] in
            player.library.scan = [(1, 1, 0), (5, 2, 10), (9, 3, 10)]
        }
        let command = try stage.run("library scan")
        #expect(command.code == 0)
        #expect(command.output == "1234 songs\n")
        #expect(command.errors == "")
        #expect(stage.player.asked == ["Scan"])
        #expect(stage.player.library.scan.isEmpty)
    }

    @Test("a scan of the loudness is asked for, and waited for, likewise")
    func loudness() throws {
        stage.player.reaction = { [player = stage.player] in player.library.scan = [(1, 1, 0), (5, 5, 10)] }
        let command = try stage.run("library scan --loudness")
        #expect(command.code == 0)
        #expect(command.output == "1234 songs\n")
        #expect(stage.player.asked == ["MeasureLoudness"])
    }

    @Test("Ctrl-C leaves a scan going on", arguments: [SIGINT, SIGTERM])
    func interrupted(signal: CInt) throws {
        stage.player.reaction = { [player = stage.player] in
            player.library.scan = (0...100_000).map { (UInt32($0), 0, 100_000) }
        }
        let command = try stage.start("library scan")
        try stage.wait("some progress") { (1..<99_990).contains(stage.player.library.scan.count) }
        command.signal(signal)
        try stage.wait("the end") { command.hasEnded }
        #expect(command.code == 1)
        #expect(command.output == "")
        #expect(command.errors == "tianlai: the scan goes on; tianlai library status shows how far it is\n")
        #expect(stage.player.asked == ["Scan"])
    }

    @Test("a scan ends with the service, and with the library's problem")
    func scanFails() throws {
        stage.player.library.problem = "the disk is full"
        #expect(try stage.run("library scan").errors == "tianlai: the disk is full\n")
        stage.player.library.problem = ""
        stage.player.reaction = { [player = stage.player] in
            player.library.scan = (0...100_000).map { (UInt32($0), 0, 100_000) }
        }
        let command = try stage.start("library scan")
        try stage.wait("some progress") { (1..<99_990).contains(stage.player.library.scan.count) }
        stage.leave()
        try stage.wait("the end") { command.hasEnded }
        #expect(command.code == 1)
        #expect(command.errors.split(separator: "\n").count == 1)
    }

    @Test("a search shows what it finds")
    func search() throws {
        let command = try stage.run("library search rain 雨")
        #expect(command.code == 0)
        #expect(command.output == "a, 1:40\nb, 1:40\nc, 1:40\n")
        #expect(stage.player.asked == ["Search rain 雨 1000"])
        let json = try stage.run("library search rain --json").output.split(separator: "\n")
        #expect(json.count == 3)
        #expect(
            json[0] == """
                {"title": "a", "artist": [], "album": null, "url": "file:///a.mp3", "artUrl": null, \
                "length_us": 100000000}
                """
        )
    }

    @Test("a search says when there may be more")
    func limit() throws {
        let command = try stage.run("library search rain --limit 2")
        #expect(command.code == 0)
        #expect(command.output == "a, 1:40\nb, 1:40\n")
        #expect(command.errors == "tianlai: only the first 2 that were found; --limit N says how many\n")
    }

    @Test("what a search finds can be played or added")
    func use() throws {
        #expect(try stage.run("library search rain --add").code == 0)
        #expect(try stage.run("library search rain --play").code == 0)
        let uris = "file:///a.mp3 file:///b.mp3 file:///c.mp3"
        #expect(
            stage.player.asked == [
                "Search rain 1000", "Add \(uris) end", "Search rain 1000", "Play \(uris)",
            ]
        )
    }

    @Test("a file that holds several of the songs found is named once")
    func sameFile() throws {
        stage.player.library.found = ["album", "b", "album"]
        #expect(try stage.run("library search x --add").code == 0)
        #expect(stage.player.asked.last == "Add file:///album.mp3 file:///b.mp3 end")
    }

    @Test("a search that finds nothing says why that may be")
    func nothing() throws {
        stage.player.library.found = []
        func complaint(_ line: String = "library search x") throws -> String { try stage.run(line).errors }
        #expect(try complaint() == "tianlai: no song has all of these words\n")
        #expect(try stage.run("library search x --json").code == 1)
        stage.player.library.tracks = 0
        #expect(try complaint() == "tianlai: the library is empty; fill it: tianlai library scan\n")
        stage.player.library.scan = [(1, 1, 0)]
        #expect(
            try complaint() == "tianlai: nothing was found so far; the library is still being scanned\n"
        )
        stage.player.library.problem = "the disk is full"
        #expect(try complaint() == "tianlai: the disk is full\n")
    }

    @Test("status shows what the library holds")
    func status() throws {
        #expect(try stage.run("library status").output == "1234 songs\nin /home/me/Music\n")
        stage.player.library.scan = [(5, 2, 10), (5, 2, 0)]
        stage.player.library.problem = "the disk is full"
        #expect(
            try stage.run("library status").output
                == "1234 songs\nin /home/me/Music\nscanning: 5 of 10 songs, 2 new\nthe disk is full\n"
        )
        #expect(
            try stage.run("library status --json").output == """
                {"tracks": 1234, "folders": ["/home/me/Music"], "scanning": true, "seen": 5, "read": 2, \
                "total": null, "problem": "the disk is full"}

                """
        )
    }
}

@Suite("What a scan shows")
struct ScanFeedTests {
    private func moment(_ seconds: Double) -> Instant {
        Instant(nanoseconds: Int64(seconds * 1e9))
    }

    private func library(_ seen: Int, of total: Int? = nil) -> LibrarySnapshot {
        var library = LibrarySnapshot()
        library.folders = ["/m"]
        library.tracks = 1
        library.scan = LibrarySnapshot.Scan(seen: seen, read: 1, total: total)
        return library
    }

    @Test("a bar as soon as the whole is known, on a terminal only")
    func bar() {
        func shown(_ library: LibrarySnapshot) -> ScanFeed.Step {
            var feed = ScanFeed(showsProgress: true, at: moment(0))
            return feed.update(library, at: moment(1))
        }
        func line(_ text: String) -> ScanFeed.Step { .goOn("\r\u{1B}[K\u{1B}[?7l\(text)\u{1B}[?7h") }
        #expect(shown(library(7)) == line("7 songs, 1 new"))
        let (ten, twenty) = (String(repeating: "#", count: 10), String(repeating: ".", count: 20))
        #expect(shown(library(100, of: 300)) == line("[\(ten)\(twenty)]  100 of 300 songs, 1 new"))
        #expect(shown(library(301, of: 300)) == line("[\(ten)\(ten)\(ten)]  301 of 300 songs, 1 new"))
        var quiet = ScanFeed(showsProgress: false, at: moment(0))
        #expect(quiet.update(library(7), at: moment(1)) == .goOn(""))
        #expect(quiet.clearing == "")
    }

    @Test("at its end, what the library holds")
    func end() {
        var feed = ScanFeed(showsProgress: false, at: moment(0))
        var done = library(0)
        done.scan = nil
        #expect(feed.update(done, at: moment(0)) == .end("1 song\n"))
        done.tracks = 0
        #expect(feed.update(done, at: moment(0)) == .end("no songs in /m\n"))
        done.folders = []
        #expect(feed.update(done, at: moment(0)) == .end("no songs; the library has no folders\n"))
        done.problem = "the disk is full"
        #expect(feed.update(done, at: moment(0)) == .giveUp(Refusal("the disk is full")))
    }

    @Test("gives up when nothing moves for two minutes, and not before")
    func stuck() {
        var feed = ScanFeed(showsProgress: false, at: moment(0))
        #expect(feed.update(library(7), at: moment(100)) == .goOn(""))
        #expect(feed.update(library(7), at: moment(219)) == .goOn(""))
        #expect(feed.update(library(8), at: moment(300)) == .goOn(""))
        #expect(feed.update(library(8), at: moment(419)) == .goOn(""))
        #expect(
            feed.update(library(8), at: moment(420))
                == .giveUp(
                    Refusal("the scan does not get on; a disk may not answer. It has seen 8 songs, 1 new")
                )
        )
    }
}
