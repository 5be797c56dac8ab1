import DBus
import Foundation
import Glibc
import Music
import Testing

@testable import CLI

private let playing: PlayerSnapshot = {
    var player = PlayerSnapshot()
    player.playback = .playing
    player.song.trackID = "/1"
    player.song.title = "Große <Liebe>"
    player.song.artists = ["甲", "B\u{1B}[31m"]
    player.song.length = .seconds(100)
    player.metadata = .variants([
        ("xesam:genre", .strings(["Folk", "Pop"])), ("xesam:trackNumber", .int32(7)),
        ("xesam:userRating", .double(0.5)),
    ])
    player.position = .seconds(12.5)
    player.volume = 0.5
    (player.place, player.queueLength) = (3, 20)
    return player
}()

@Suite("status --format", .timeLimit(.minutes(5)))
struct StatusTemplateTests {
    @Test(
        "what is in the braces is filled in",
        arguments: [
            ("", ""), ("{title} }} {", "{title} }} {"),
            ("{{artist}} - {{ title }}", "甲, B[31m - Große <Liebe>"),
            ("{{status}} {{position}}/{{length}} {{mpris:length}}", "Playing 12500000/100000000 100000000"),
            ("{{duration(position)}}/{{ duration( length ) }}", "0:12/1:40"),
            ("{{duration(3695000000)}} {{duration(0)}}", "1:01:35 0:00"),
            ("{{lc(title)}} {{uc(title)}} {{uc(status)}}", "große <liebe> GROSSE <LIEBE> PLAYING"),
            ("{{album}}|{{xesam:album}}|{{url}}{{artUrl}}{{problem}}|", "|||"),
            ("{{default(album, \"none\")}} {{default(status, \"none\")}}", "none Playing"),
            ("{{default(\"\", lc(default(album, title)))}}", "große <liebe>"),
            ("{{emoji(status)}}{{emoji(volume)}}{{emoji(album)}}", "▶️🔉"),
            ("{{markup_escape(title)}} {{markup_escape(\"&'\")}}", "Große &lt;Liebe&gt; &amp;&apos;"),
            ("{{trunc(title, 5)}} {{trunc(title,13)}} {{trunc(title,0)}}", "Große… Große <Liebe> …"),
            ("{{trunc(\"天籟播放器\", 2)}} {{\"}}\"}} {{7}}", "天籟… }} 7"),
            ("{{number}}/{{queueLength}} {{volume}} {{loop}} {{shuffle}}", "3/20 0.5 None false"),
            ("{{xesam:genre}} {{xesam:trackNumber}} {{xesam:userRating}}", "Folk, Pop 7 0.5"),
            ("{{playerName}}", "tianlai"),
        ]
    )
    func filled(template: String, text: String) throws {
        #expect(try StatusTemplate(template).text(of: playing) == text)
    }

    @Test("of nothing, nothing is said")
    func empty() throws {
        let template = "{{artist}}|{{title}}|{{duration(length)}}|{{length}}|{{number}}|{{status}}"
        #expect(try StatusTemplate(template).text(of: PlayerSnapshot()) == "|||||Stopped")
    }

    @Test(
        "what it cannot be is said, and where",
        arguments: [
            ("{{title", "8: “}}” is missing"), ("{{title}", "8: “}}” is missing"),
            ("a {{ti tle}}", "5: there is no “ti”"), ("{{}}", "3: here belongs a name, like title"),
            ("{{", "3: here belongs a name"), ("{{lc()}}", "6: here belongs a name"),
            ("{{lc(title}}", "11: “)” is missing"), ("{{title)}}", "8: “}}” is missing"),
            ("{{\"lit}}", "9: “\"” is missing"), ("{{titel}}", "3: there is no “titel”; there are title,"),
            ("{{ low(title)}}", "4: there is no function “low”; there are lc,"),
            ("{{lc(title, album)}}", "3: lc takes one value"),
            ("{{trunc(title)}}", "3: trunc takes two values"),
            ("{{duration(title)}}", "3: duration takes position, length or"),
            ("{{trunc(title, album)}}", "3: the second value of trunc is a number"),
            ("{{99999999999999999999}}", "3: the number is too large"),
            ("{{title title}}", "9: “}}” is missing"),
            ("天籟 {{position + 3}}", "15: “}}” is missing"),
        ]
    )
    func wrong(template: String, complaint: String) {
        let error = #expect(throws: UsageError.self) { try StatusTemplate(template) }
        #expect(error?.description.hasPrefix("--format, character \(complaint)") == true, "\(error as Any)")
    }

    @Test("only what shows the position changes with time")
    func position() throws {
        for (template, shows) in [
            ("{{title}}", false), ("{{length}}", false), ("{{position}}", true),
            ("{{default(album, duration(position))}}", true),
        ] {
            #expect(try StatusTemplate(template).showsPosition == shows)
        }
    }

    @Test("a line when what is shown is another, and a clock only where it shows the time")
    func feed() throws {
        func moment(_ seconds: Double) -> Instant { Instant(nanoseconds: Int64(seconds * 1e9)) }
        func feed(_ template: String) throws -> StatusFeed {
            StatusFeed(.template(try StatusTemplate(template)), style: TextStyle(isPlain: true))
        }
        var titles = try feed("{{title}}")
        #expect(titles.update(nil, jumped: false, at: moment(0)) == "\n")
        #expect(titles.update(playing, jumped: false, at: moment(0)) == "Große <Liebe>\n")
        var paused = playing
        paused.playback = .paused
        #expect(titles.update(paused, jumped: true, at: moment(1)) == "")
        #expect(titles.untilNextSecond(at: moment(1)) == nil)
        var next = playing
        (next.song.trackID, next.song.title) = ("/2", "b")
        #expect(titles.update(next, jumped: false, at: moment(2)) == "b\n")
        #expect(titles.untilNextSecond(at: moment(2)) == nil)
        #expect(titles.update(nil, jumped: false, at: moment(3)) == "\n")
        #expect(titles.update(nil, jumped: false, at: moment(3)) == "")

        var times = try feed("{{duration(position)}}")
        #expect(times.update(playing, jumped: false, at: moment(0)) == "0:12\n")
        #expect(times.untilNextSecond(at: moment(0)) == .seconds(0.5))
        #expect(times.tick(at: moment(0.4)) == "")
        #expect(times.tick(at: moment(0.5)) == "0:13\n")
        #expect(times.update(paused, jumped: false, at: moment(1)) == "0:12\n")
        #expect(times.untilNextSecond(at: moment(1)) == nil)
    }

    @Test("the command shows it once, and follows")
    func command() throws {
        let stage = try Stage()
        let once = try stage.start(["status", "--format", "{{artist}} - {{title}} {{xesam:title}}"])
        try stage.wait("the end") { once.hasEnded }
        #expect(once.code == 0)
        #expect(once.output == "甲, 乙 - 雨 雨\n")
        let command = try stage.start(["status", "--follow", "-F", "{{uc(status)}} {{title}}"])
        try stage.wait("the first line") { command.output == "PAUSED 雨\n" }
        stage.announce([("Volume", .double(0.25))])
        stage.player.title = "雲"
        stage.announce([("Metadata", .variants([]))])
        try stage.wait("the next") { command.output == "PAUSED 雨\nPAUSED 雲\n" }
        stage.leave()
        try stage.wait("an empty line") { command.output == "PAUSED 雨\nPAUSED 雲\n\n" }
        command.signal(SIGINT)
        try stage.wait("the end") { command.hasEnded }
        #expect(command.code == 0)
        #expect(command.errors == "")
    }
}
