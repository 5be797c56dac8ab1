import DBus
import Glibc
import Music
import Service
import TestSupport
import Testing

@testable import CLI

private func told(_ properties: (String, BusValue)...) -> BusValue { .variants(properties) }

private func sung(_ index: Int32, _ text: String) -> BusValue {
    told(("LyricsIndex", .int32(index)), ("LyricsLine", .string(text)))
}

@Suite("lyrics", .timeLimit(.minutes(5)))
struct LyricsCommandTests {
    private func request(_ words: [String]) throws -> Request { try Request(words.map { Array($0.utf8) }) }

    @Test("is understood in all its forms")
    func understood() throws {
        #expect(try request(["lyrics"]) == .lyrics(LyricsOptions()))
        #expect(try request(["lyrics", "--json"]) == .lyrics(LyricsOptions(json: true)))
        #expect(try request(["lyrics", "-f"]) == .lyrics(LyricsOptions(follow: true)))
        var options = ShowOptions(files: [try #require(FilePath("a.lrc")), try #require(FilePath("b.mp3"))])
        #expect(try request(["lyrics", "show", "a.lrc", "b.mp3"]) == .showLyrics(options))
        options.json = true
        #expect(try request(["lyrics", "show", "a.lrc", "b.mp3", "--json"]) == .showLyrics(options))
        #expect(throws: UsageError.self) { try request(["lyrics", "show"]) }
        #expect(throws: UsageError.self) { try request(["lyrics", "a.lrc"]) }
    }

    @Test("a line each time that one is sung, an empty one where none is, once")
    func feed() {
        var feed = LyricsFeed(json: false)
        #expect(feed.update(sung(-1, "")) == "\n")
        #expect(feed.update(sung(-1, "")) == "")
        #expect(feed.update(sung(0, "月光")) == "月光\n")
        #expect(feed.update(told(("Problem", .string("")))) == "")
        #expect(feed.update(told(("LyricsIndex", .int32(1)))) == "月光\n")
        #expect(feed.update(sung(2, "b\n乙")) == "b / 乙\n")
        #expect(feed.update(sung(4, "")) == "\n")
        #expect(feed.update(sung(5, "")) == "")
        #expect(feed.update(sung(6, "\u{1B}[2Jx")) == "[2Jx\n")
        #expect(feed.end() == "\n")
        #expect(feed.end() == "")
        var first = LyricsFeed(json: false)
        #expect(first.update(sung(3, "in the middle")) == "in the middle\n")
    }

    @Test("in JSON an object for each line")
    func jsonFeed() {
        var feed = LyricsFeed(json: true)
        #expect(feed.update(sung(-1, "")) == "{\"line\": null, \"text\": []}\n")
        #expect(feed.update(sung(1, "b\n乙")) == "{\"line\": 1, \"text\": [\"b\", \"乙\"]}\n")
        #expect(feed.update(sung(3, "")) == "{\"line\": 3, \"text\": []}\n")
        #expect(feed.end() == "{\"line\": null, \"text\": []}\n")
    }

    @Test("the words of the current song, with their times where there are some")
    func words() throws {
        let stage = try Stage()
        let none = try stage.run("lyrics")
        #expect(none.code == 1)
        #expect(none.errors == "tianlai: no words are known of this song\n")
        #expect(
            try stage.run("lyrics --json").output == "{\"path\": null, \"kind\": \"none\", \"lines\": []}\n"
        )
        stage.player.library.lyrics = ("timed", [(500_000, "月光"), (1_000_000, ""), (600_000_000, "la")], 0)
        #expect(try stage.run("lyrics").output == " 0:00  月光\n 0:01\n10:00  la\n")
        #expect(
            try stage.run("lyrics --json").output
                == "{\"path\": null, \"kind\": \"timed\", \"lines\": [[500, \"月光\"], [1000, \"\"], [600000, \"la\"]]}\n"
        )
        stage.player.library.lyrics = ("plain", [(-1, "月光"), (-1, ""), (-1, "la")], -1)
        #expect(try stage.run("lyrics").output == "月光\n\nla\n")
        stage.leave()
        let gone = try stage.run("lyrics")
        #expect(gone.code == 1)
        #expect(gone.errors == "tianlai: not running; to start it: tianlai play\n")
    }

    @Test("follows the song line by line as the service comes, tells and goes")
    func follow() throws {
        let stage = try Stage(withPlayer: false)
        let command = try stage.start("lyrics --follow")
        func expectOutput(_ output: String) throws {
            try stage.wait("\(output) in \(command.output)") { command.output == output }
        }
        try expectOutput("\n")
        stage.player.library.lyrics = ("timed", [(0, "月光"), (1, "la")], 0)
        try stage.enter()
        try expectOutput("\n月光\n")
        stage.announceControl([("LyricsIndex", .int32(1)), ("LyricsLine", .string("la"))])
        try expectOutput("\n月光\nla\n")
        stage.announceControl([("QueueLength", .uint32(3))])
        stage.announceControl([("LyricsIndex", .int32(-1)), ("LyricsLine", .string(""))])
        try expectOutput("\n月光\nla\n\n")
        stage.announceControl([("LyricsIndex", .int32(0)), ("LyricsLine", .string("月光"))])
        try expectOutput("\n月光\nla\n\n月光\n")
        stage.leave()
        try expectOutput("\n月光\nla\n\n月光\n\n")
        command.signal(SIGINT)
        try stage.wait("the end") { command.hasEnded }
        #expect(command.code == 0)
        #expect(command.errors == "")
    }

    @Test("status --follow asks for nothing when a line is sung")
    func statusFollow() {
        func signal(_ properties: BusValue) -> [BusValue] {
            [.string("org.tianlai.Control1"), properties, .strings([])]
        }
        #expect(LyricsFeed.isAbout(signal(sung(1, "a"))))
        #expect(!LyricsFeed.isAbout(signal(told(("LyricsIndex", .int32(1)), ("Problem", .string(""))))))
        #expect(!LyricsFeed.isAbout(signal(told())))
    }

    @Test("words with times go before words without, and the file beside the song before its tag")
    func order() throws {
        let stage = try Stage(withPlayer: false)
        let (timedTag, plainTag) = ("[00:01.00]tag", "tag")
        let cases: [(beside: String?, tag: String?, lines: String)] = [
            ("[00:02.00]beside", timedTag, "0:02  beside"), ("beside", timedTag, "0:01  tag"),
            ("[00:02.00]beside", plainTag, "0:02  beside"), ("beside", plainTag, "beside"),
            (nil, timedTag, "0:01  tag"), (nil, plainTag, "tag"), ("beside", nil, "beside"),
            ("[ti:x]", plainTag, "tag"), (nil, nil, "no words"),
        ]
        for (beside, tag, lines) in cases {
            let folder = try TemporaryFolder()
            let frame = ID3Bytes.frame("USLT", [3] + "eng".utf8 + [0] + (tag ?? "").utf8)
            let bytes = ID3Bytes.tag(ID3Bytes.text("TIT2", "T"), frame) + ID3Bytes.silence(frames: 4)
            let song = try folder.write("a.mp3", bytes)
            if let beside { try folder.write("a.lrc", beside.utf8) }
            #expect(try stage.run("lyrics show \(song)", onBus: false).output == "\(song)\n  \(lines)\n")
            let tags = try stage.run("tags --json \(song)", onBus: false).output
            let kind = tag.map { $0 == plainTag ? "\"plain\"" : "\"timed\"" } ?? "null"
            #expect(tags.contains("\"lyrics\": \(kind)"), "\(tags)")
        }
    }

    @Test("shows files without a service: what is in them, beside them, or why not")
    func show() throws {
        let stage = try Stage(withPlayer: false)
        let folder = try TemporaryFolder()
        let lrc = try folder.write("a.lrc", "[00:01.50]月光\n[00:03]\n".utf8)
        let text = try folder.write("b.txt", "one\n\ntwo".utf8)
        let song = try folder.write("a.mp3", ID3Bytes.silence(frames: 40))
        let empty = try folder.write("empty.lrc", [])
        let bare = try folder.write("bare.mp3", ID3Bytes.silence(frames: 40))
        let noMusic = try folder.write("c.mp3", "neither music nor words".utf8)
        let shown = try stage.run("lyrics show \(lrc) \(text) \(song) \(empty) \(bare)", onBus: false)
        #expect(shown.code == 0)
        #expect(
            shown.output == """
                \(lrc)
                  0:01  月光
                  0:03
                \(text)
                  one

                  two
                \(song)
                  0:01  月光
                  0:03
                \(empty)
                  no words
                \(bare)
                  no words

                """
        )
        let json = try stage.run("lyrics show --json \(song) \(text) \(empty) \(folder.path)", onBus: false)
        #expect(json.code == 1)
        #expect(
            json.output == """
                {"path": "\(song)", "kind": "timed", "lines": [[1500, "月光"], [3000, ""]]}
                {"path": "\(text)", "kind": "plain", "lines": ["one", "", "two"]}
                {"path": "\(empty)", "kind": "none", "lines": []}
                {"path": "\(folder.path)", "error": "it is a folder"}

                """
        )
        #expect(try stage.run("lyrics show \(noMusic)", onBus: false).code == 1)
        #expect(try stage.run("lyrics show \(folder.path("gone.lrc"))", onBus: false).code == 1)
    }
}
