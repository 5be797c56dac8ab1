import DBus
import Foundation
import Music
import Testing

@testable import CLI

@Suite("tianlai playlist on a bus", .timeLimit(.minutes(5)))
struct PlaylistCommandTests {
    private let stage: Stage

    init() throws {
        stage = try Stage()
        stage.player.library.playlists = ["Rain", "rain", "雨", "Two", "Two"]
    }

    @Test("lists them, the active one marked")
    func list() throws {
        stage.player.library.activePlaylist = 2
        let list = try stage.run("playlist list")
        #expect(list.output == "  Rain\n  rain\n> 雨\n  Two\n  Two\n")
        let json = try stage.run("playlist list --json").output.split(separator: "\n")
        #expect(json.count == 5)
        #expect(json[2] == #"{"name": "雨", "id": "/list/2", "active": true}"#)
        #expect(json[0] == #"{"name": "Rain", "id": "/list/0", "active": false}"#)
    }

    @Test("lists more than come in one answer")
    func many() throws {
        stage.player.library.playlists = (1...2001).map { "p\($0)" }
        #expect(try stage.run("playlist list").output.split(separator: "\n").count == 2001)
    }

    @Test(
        "plays the one that is meant",
        arguments: [("Rain", 0), ("rain", 1), ("雨", 2), ("/list/4", 4)]
    )
    func play(name: String, index: Int) throws {
        let command = try stage.run("playlist play \(name)")
        #expect(command.code == 0)
        #expect(command.errors == "")
        #expect(stage.player.asked == ["ActivatePlaylist /list/\(index)"])
    }

    @Test(
        "refuses a name that is none, or that several have",
        arguments: [
            ("snow", "there is no playlist “snow”; tianlai playlist list shows them"),
            ("Two", "there are 2 playlists “Two”; say its id, from tianlai playlist list --json"),
            ("RAIN", "there are 2 playlists “RAIN”; say its id, from tianlai playlist list --json"),
        ]
    )
    func refused(name: String, message: String) throws {
        let command = try stage.run("playlist play \(name)")
        #expect(command.code == 1)
        #expect(command.errors == "tianlai: \(message)\n")
        #expect(stage.player.asked == [])
    }

    @Test("a name in another case will do where it is the only one")
    func anyCase() throws {
        stage.player.library.playlists = ["Rain"]
        #expect(try stage.run("playlist play RAIN").code == 0)
        #expect(stage.player.asked == ["ActivatePlaylist /list/0"])
    }

    @Test("says why it is not heard")
    func silent() throws {
        stage.player.problem = "no sound server; start one"
        stage.player.reaction = { [player = stage.player] in player.status = "Playing" }
        #expect(try stage.run("playlist play 雨").errors == "tianlai: no sound server; start one\n")
    }

    @Test("saves under a name, or in a file of the folder where the command was called")
    func save() throws {
        stage.player.library.queue = ["a"]
        #expect(try stage.run("playlist save 雨").output == "/saved/雨\n")
        #expect(try stage.run("playlist save a.m3u8").code == 0)
        #expect(try stage.run("playlist save /b/a.xspf").code == 0)
        let folder = FileManager.default.currentDirectoryPath
        #expect(
            stage.player.asked == [
                "SavePlaylist 雨", "SavePlaylist \(folder)/a.m3u8", "SavePlaylist /b/a.xspf",
            ]
        )
    }

    @Test("does not save an empty queue")
    func saveNothing() throws {
        let command = try stage.run("playlist save x")
        #expect(command.code == 1)
        #expect(command.errors == "tianlai: the queue is empty; fill it: tianlai queue add PATH…\n")
        #expect(stage.player.asked == [])
    }
}
