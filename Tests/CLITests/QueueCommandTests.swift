import DBus
import Music
import Testing

@testable import CLI

@Suite("tianlai queue on a bus", .timeLimit(.minutes(5)))
struct QueueCommandTests {
    /// A player with this many songs, the third of them current.
    private func stage(_ count: Int) throws -> Stage {
        let stage = try Stage()
        stage.player.library.queue = (0..<count).map { "s\($0 + 1)" }
        stage.player.library.index = 2
        return stage
    }

    @Test(
        "tells the service ids, and says nothing when it was done",
        arguments: [
            ("queue remove 2", ["Remove /track/2"]),
            ("queue remove 4-5 1 5", ["Remove /track/1 /track/4 /track/5"]),
            ("queue move 2 1", ["Move /track/2 /org/mpris/MediaPlayer2/TrackList/NoTrack"]),
            ("queue move 2-3 4", ["Move /track/2 /track/3 /track/5"]),
            ("queue move 4-5 2", ["Move /track/4 /track/5 /track/1"]),
            ("queue clear", ["Clear"]),
            ("queue goto 5", ["GoTo /track/5"]),
            ("queue add /usr/bin/env file:///a%20b", ["Add file:///usr/bin/env file:///a%20b end"]),
            ("queue add --next file:///a", ["Add file:///a next"]),
        ]
    )
    func carriedOut(line: String, asked: [String]) throws {
        let stage = try stage(5)
        let command = try stage.run(line)
        #expect(command.code == 0)
        #expect(command.output == "")
        #expect(command.errors == "")
        #expect(stage.player.asked == asked)
    }

    @Test("reaches songs behind the first thousand")
    func pages() throws {
        let stage = try stage(2500)
        #expect(try stage.run("queue remove 999-2001").code == 0)
        let ids = (999...2001).map { "/track/\($0)" }
        #expect(stage.player.asked == [(["Remove"] + ids).joined(separator: " ")])
        let list = try stage.run("queue list")
        let lines = list.output.split(separator: "\n")
        #expect(lines.count == 2500)
        #expect(lines.first == "     1  s1, 1:40")
        #expect(lines.last == "  2500  s2500, 1:40")
    }

    @Test(
        "refuses what is not there",
        arguments: [
            ("queue remove 6", "there is no song 6; the queue has 5"),
            ("queue move 1 6", "there is no song 6; the queue has 5"),
            ("queue goto 6", "there is no song 6; the queue has 5"),
            ("queue list 6-7", "there is no song 6; the queue has 5"),
            ("queue add /no/such/file", "/no/such/file: no such file or directory"),
        ]
    )
    func refused(line: String, message: String) throws {
        let stage = try stage(5)
        let command = try stage.run(line)
        #expect(command.code == 1)
        #expect(command.errors == "tianlai: \(message)\n")
        #expect(stage.player.asked == [])
    }

    @Test("takes out nothing where the queue has become another meanwhile")
    func changed() throws {
        let stage = try stage(5)
        stage.player.library.staleLength = 7
        let command = try stage.run("queue remove 4-6")
        #expect(command.code == 1)
        #expect(
            command.errors
                == "tianlai: the queue has changed meanwhile; look at it again: tianlai queue list\n"
        )
        #expect(stage.player.asked == [])
        #expect(try stage.run("queue list").output.split(separator: "\n").count == 5)
    }

    @Test("says what the service says")
    func failed() throws {
        let stage = try stage(5)
        stage.player.library.added = 0
        #expect(try stage.run("queue add file:///a").errors == "tianlai: there is no music in that\n")
        stage.player.error = .failed("there is no file /a")
        #expect(try stage.run("queue add file:///a").errors == "tianlai: there is no file /a\n")
        stage.player.error = nil
        stage.player.problem = "no sound server; start one"
        let goto = try stage.run("queue goto 1")
        #expect(goto.code == 1)
        #expect(goto.errors == "tianlai: no sound server; start one\n")
    }

    @Test("lists the queue for people and for programs")
    func list() throws {
        let stage = try stage(10)
        let list = try stage.run("queue list 3-4")
        #expect(list.output == ">  3  s3, 1:40\n   4  s4, 1:40\n")
        let json = try stage.run("queue list --json 10-12")
        #expect(
            json.output == """
                {"number": 10, "current": false, "id": "/track/10", "title": "s10", "artist": [], "album": null, \
                "url": "file:///s10.mp3", "artUrl": null, "length_us": 100000000}

                """
        )
        stage.player.library.queue = []
        let empty = try stage.run("queue list")
        #expect(empty.code == 0)
        #expect(empty.output == "the queue is empty\n")
        #expect(try stage.run("queue list --json").output == "")
    }

    @Test(
        "says that the service does not run",
        arguments: ["queue list", "queue clear"]
    )
    func notRunning(line: String) throws {
        let command = try Stage(withPlayer: false).run(line)
        #expect(command.code == 1)
        #expect(command.errors == "tianlai: not running; to start it: tianlai play\n")
    }

    @Test("status shows the place in the queue and the modes that only Tianlai has")
    func status() throws {
        let stage = try stage(20)
        stage.player.library.stopsAfterCurrent = true
        let status = try stage.run("status")
        #expect(status.output.contains("Paused  0:12 / 1:40  (3/20)\n"))
        #expect(status.output.hasSuffix("loop none, stops after this song\n"))
        #expect(try stage.run("shuffle albums").code == 0)
        #expect(try stage.run("stop --after").code == 0)
        #expect(try stage.run("stop --no-after").code == 0)
        #expect(
            stage.player.asked == [
                "ShuffleKind = albums", "Shuffle = true", "StopAfterCurrent = true",
                "StopAfterCurrent = false",
            ]
        )
    }
}
