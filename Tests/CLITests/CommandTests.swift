import EventLoop
import DBus
import Glibc
import Music
import Testing

@testable import CLI

@Suite("The tianlai command on a bus", .timeLimit(.minutes(5)))
struct CommandTests {
    @Test(
        "asks the player and says nothing when it was done",
        arguments: [
            ("play", ["Play"]),
            ("pause", ["Pause"]),
            ("toggle", ["PlayPause"]),
            ("next", ["Next"]),
            ("previous", ["Previous"]),
            ("stop", ["Stop"]),
            ("quit", ["Quit"]),
            ("seek -0:10", ["Seek -10000000"]),
            ("seek 1:30", ["SetPosition /track/1 90000000"]),
            ("volume 40%", ["Volume = 0.4"]),
            ("volume +5%", ["Volume = 0.55"]),
            ("shuffle toggle", ["Shuffle = true"]),
            ("loop track", ["LoopStatus = Track"]),
            ("sleep 1h", ["Sleep 3600000000"]),
            ("sleep off", ["Sleep 0"]),
            (
                "play /usr/bin/env file:///a%20b",
                ["Play file:///usr/bin/env file:///a%20b"]
            ),
        ]
    )
    func carriedOut(line: String, asked: [String]) throws {
        let stage = try Stage()
        let command = try stage.run(line)
        #expect(command.code == 0)
        #expect(command.output == "")
        #expect(command.errors == "")
        #expect(stage.player.asked == asked)
    }

    @Test("shows how long the sleep timer still runs")
    func sleep() throws {
        let stage = try Stage()
        #expect(try stage.run("sleep").output == "no sleep timer is set\n")
        #expect(try stage.run("status --json").output.contains(#""sleep_us": null"#))
        stage.player.library.sleepAt = Instant.now().advanced(by: .seconds(1800.9)).nanoseconds / 1000
        let left = try stage.run("sleep").output
        #expect(left.hasPrefix("pauses in 30:0") || left.hasPrefix("pauses in 29:"), "\(left)")
        #expect(try stage.run("status").output.contains(", pauses in "))
        #expect(!(try stage.run("status --json").output.contains(#""sleep_us": null"#)))
    }

    @Test("says why it could not be done")
    func refused() throws {
        let stage = try Stage()
        stage.player.canGoNext = false
        let next = try stage.run("next")
        #expect(next.code == 1)
        #expect(next.errors == "tianlai: there is no next song\n")
        #expect(stage.player.asked == [])

        stage.player.error = .failed("there is no file /a")
        let play = try stage.run("play file:///a")
        #expect(play.code == 1)
        #expect(play.errors == "tianlai: there is no file /a\n")
    }

    @Test("says why nothing is heard", arguments: ["play", "toggle", "play file:///a"])
    func silent(line: String) throws {
        let stage = try Stage()
        stage.player.problem = "no sound server; start one"
        let command = try stage.run(line)
        #expect(command.code == 1)
        #expect(command.errors == "tianlai: no sound server; start one\n")
        #expect(try stage.run("pause").code == 0)
    }

    @Test(
        "says why nothing is heard also when that turns out later",
        arguments: ["play", "toggle", "play file:///a"]
    )
    func silentLater(line: String) throws {
        let stage = try Stage()
        let failure = stage.loop.timer { [player = stage.player] in
            player.status = "Paused"
            player.problem = "no sound server; start one"
        }
        stage.player.reaction = { [player = stage.player] in
            player.status = "Playing"
            failure.start(after: .seconds(0.1))
        }
        let command = try stage.run(line)
        #expect(command.code == 1)
        #expect(command.errors == "tianlai: no sound server; start one\n")
    }

    @Test("says that the service does not run, and what starts it", arguments: ["pause", "status", "quit"])
    func notRunning(line: String) throws {
        let command = try Stage(withPlayer: false).run(line)
        #expect(command.code == 1)
        #expect(command.output == "")
        #expect(command.errors == "tianlai: not running; to start it: tianlai play\n")
    }

    @Test("says what starts the service where the bus cannot", arguments: ["play", "queue add file:///a"])
    func notInstalled(line: String) throws {
        let command = try Stage(withPlayer: false).run(line)
        #expect(command.code == 1)
        #expect(command.output == "")
        #expect(
            command.errors
                == "tianlai: not running, and the bus cannot start it; run: tianlai serve\n"
        )
    }

    @Test("says that there is no bus, in no time")
    func noBus() throws {
        let began = ContinuousClock.now
        let command = try Stage(withPlayer: false).run("status", onBus: false)
        #expect(command.code == 1)
        #expect(command.errors.hasPrefix("tianlai: no session bus"))
        #expect(command.errors.split(separator: "\n").count == 1)
        #expect(ContinuousClock.now - began < .seconds(2))
    }

    @Test("needs no bus to explain itself")
    func offline() throws {
        let stage = try Stage(withPlayer: false)
        #expect(try stage.run("--version", onBus: false).output == "tianlai 0.1.0\n")
        #expect(try stage.run("seek --help", onBus: false).code == 0)
        let wrong = try stage.run("seek", onBus: false)
        #expect(wrong.code == 2)
        #expect(wrong.errors == "tianlai: seek: [+-]TIME is missing; see tianlai seek --help\n")
    }

    @Test("shows what plays")
    func status() throws {
        let stage = try Stage()
        let lines = try stage.run("status")
        #expect(lines.code == 0)
        #expect(lines.output == "雨\n甲, 乙\nPaused  0:12 / 1:40\nvolume 50%, shuffle off, loop none\n")
        let json = try stage.run("status --json")
        #expect(
            json.output.hasPrefix(#"{"status": "Paused", "title": "雨", "artist": ["甲", "乙"], "album": null"#)
        )
        stage.leave()
        let gone = try stage.run("status --json")
        #expect(gone.code == 1)
        #expect(gone.output == "{\"error\": \"not running; to start it: tianlai play\"}\n")
    }

    @Test("follows the player as it comes, changes, jumps and goes", arguments: [SIGINT, SIGTERM])
    func follow(signal: CInt) throws {
        let stage = try Stage(withPlayer: false)
        let command = try stage.start("status --follow")
        func expectLine(_ line: String) throws {
            try stage.wait("\(line) in \(command.output)") { command.output.hasSuffix("\(line)\n") }
        }
        try expectLine("waiting for the service")
        try stage.enter()
        try expectLine("Paused  0:12 / 1:40  雨 — 甲, 乙")
        stage.player.title = "雲"
        stage.announce([("Metadata", .variants([]))])
        try expectLine("Paused  0:12 / 1:40  雲 — 甲, 乙")
        stage.announceSeek(to: 50_000_000)
        try expectLine("Paused  0:50 / 1:40  雲 — 甲, 乙")
        stage.leave()
        try expectLine("waiting for the service")
        try stage.enter()
        try expectLine("Paused  0:50 / 1:40  雲 — 甲, 乙")
        command.signal(signal)
        try stage.wait("the end") { command.hasEnded }
        #expect(command.code == 0)
        #expect(command.errors == "")
        #expect(command.output.split(separator: "\n").count == 6)
    }

    @Test("follows in JSON, one object a change")
    func followJSON() throws {
        let stage = try Stage()
        let command = try stage.start("status --follow --json")
        try stage.wait("the first object") { command.output.hasSuffix("}\n") }
        stage.player.volume = 0.25
        stage.announce([("Volume", .double(0.25))])
        try stage.wait("the new volume") { command.output.contains(#""volume": 0.25"#) }
        stage.leave()
        try stage.wait("the end of the service") {
            command.output.hasSuffix("{\"status\": \"NotRunning\"}\n")
        }
        #expect(command.output.split(separator: "\n").count == 3)
    }
}
