import Foundation
import Testing
import TestSupport

/// What a user of `playerctl` asks for is what happens.
@Suite("playerctl", .timeLimit(.minutes(5)))
struct PlayerctlTests {
    private let fixtures: Fixtures
    private let service: RunningService
    private let playerctl: Playerctl

    init() throws {
        fixtures = try Fixtures()
        service = try RunningService(try fixtures.makeTones(3, seconds: 40, rate: 16_000))
        playerctl = service.playerctl
    }

    @Test("play-pause, next, previous and stop")
    func transport() throws {
        #expect(try playerctl("status") == "Paused")
        try playerctl("play-pause")
        #expect(try playerctl("status") == "Playing")
        try playerctl("play-pause")
        #expect(try playerctl("status") == "Paused")
        try playerctl("play")
        try playerctl("next")
        try service.wait(until: "Playing", "tone-1.mp3")
        try playerctl("previous")
        try service.wait(until: "Playing", "tone-0.mp3")
        // Round the beginning of the list to its end.
        try playerctl("previous")
        try service.wait(until: "Playing", "tone-2.mp3")
        try playerctl("pause")
        try playerctl("next")
        try service.wait(until: "Paused", "tone-0.mp3")
        try playerctl("stop")
        #expect(try playerctl("status") == "Stopped")
        #expect(try service.get("Position") == .integer(0))
        try playerctl("next")
        try service.wait(until: "Stopped", "tone-1.mp3")
        try playerctl("play-pause")
        #expect(try playerctl("status") == "Playing")
    }

    @Test("position, from the beginning and from here")
    func position() throws {
        try playerctl("position", "30")
        #expect(try playerctl("position") == "30.000000")
        try playerctl("position", "5+")
        #expect(try playerctl("position") == "35.000000")
        try playerctl("position", "10-")
        #expect(try playerctl("position") == "25.000000")
        // A place beyond the end is none.
        try playerctl("position", "41")
        #expect(try playerctl("position") == "25.000000")
        #expect(try service.fileName() == "tone-0.mp3")
        // On beyond the end is the next track, back beyond the beginning the beginning.
        try playerctl("position", "20+")
        try service.wait(until: "Paused", "tone-1.mp3")
        try playerctl("position", "3+")
        try playerctl("position", "10-")
        #expect(try playerctl("position") == "0.000000")
        #expect(try service.fileName() == "tone-1.mp3")
    }

    @Test("volume, loop and shuffle")
    func modes() throws {
        #expect(try playerctl("volume") == "1.000000")
        try playerctl("volume", "0.4")
        #expect(try service.get("Volume") == .number(0.4))
        try playerctl("volume", "0.1+")
        #expect(try playerctl("volume") == "0.500000")
        try playerctl("volume", "3")
        #expect(try playerctl("volume") == "1.000000")
        #expect(try playerctl("loop") == "Playlist")
        for loop in ["Track", "None", "Playlist"] {
            try playerctl("loop", loop)
            #expect(try playerctl("loop") == loop)
        }
        #expect(try playerctl("shuffle") == "Off")
        for shuffle in ["On", "Off"] {
            try playerctl("shuffle", shuffle)
            #expect(try playerctl("shuffle") == shuffle)
        }
    }

    @Test("metadata")
    func metadata() throws {
        let format = "{{mpris:length}} {{uc(status)}} {{xesam:url}} {{duration(mpris:length)}}"
        let path = fixtures.folder.path("tone-0.mp3")
        #expect(try playerctl("metadata", "--format", format) == "40000000 PAUSED file://\(path) 0:40")
        #expect(try !playerctl("metadata", "title").isEmpty)
        #expect(try playerctl("metadata", "mpris:trackid").hasPrefix("'/org/"))
    }

    @Test("--follow metadata shows each track once")
    func follow() throws {
        let follower = try playerctl.start("--follow", "metadata", "--format", "{{xesam:url}}")
        /// Waits for so many lines and returns the numbers of the tones.
        func lines(_ count: Int) throws -> [Substring] {
            let lines = follower.waitForOutput(within: .seconds(60)) { report in
                let lines = report.outputText.split(separator: "\n")
                return lines.count >= count ? lines : nil
            }
            return try #require(lines, "\(follower.report.outputText)").map {
                $0.split(separator: "-").last?.prefix { $0 != "." } ?? ""
            }
        }
        #expect(try lines(1) == ["0"])
        try playerctl("play")
        try playerctl("position", "5")
        try playerctl("next")
        #expect(try lines(2) == ["0", "1"])
        try playerctl("volume", "0.3")
        try playerctl("next")
        #expect(try lines(3) == ["0", "1", "2"])
        try playerctl("pause")
        try playerctl("next")
        #expect(try lines(4) == ["0", "1", "2", "0"])
    }

    @Test("tianlai status --format says what playerctl --format says")
    func format() throws {
        let path = fixtures.folder.path("R&B \"Größe\" 天籟.mp3")
        try FileManager.default.moveItem(atPath: fixtures.folder.path("tone-1.mp3"), toPath: path)
        #expect(try service.tianlai("queue", "add", "--next", path).exit == .code(0))
        #expect(try service.tianlai("next").exit == .code(0))
        for template in [
            "{{artist}} - {{title}}", "{{ album }}|{{status}}|{{mpris:length}}",
            "{{position}}|{{volume}}|{{loop}}",
            "{{shuffle}}|{{playerName}}|{{playerInstance}}",
            "{{duration(position)}}/{{duration(mpris:length)}}",
            "{{duration(3695000000)}}|{{duration(59999999)}}", "{{lc(title)}}|{{uc(title)}}|{{uc(status)}}",
            "{{emoji(status)}}|{{emoji(volume)}}|{{emoji(title)}}",
            "{{markup_escape(title)}}|{{markup_escape(\"<'&>\")}}",
            "{{trunc(title, 3)}}|{{trunc(title, 200)}}|{{trunc(title,0)}}|{{trunc(\"天籟播放器\", 2)}}",
            "{{default(xesam:comment, \"none\")}}|{{default(\"\", title)}}|{{default(title, \"none\")}}",
            "{{xesam:title}}|{{xesam:url}}|{{xesam:nothing}}",
            "{{default(lc(title), \"b\")}}|{{\"literal\"}}", "a { b } }} c",
        ] {
            for volume in ["0.25", "0.5", "1.0"] where volume == "1.0" || template.contains("volume") {
                try playerctl("volume", volume)
                let ours = try service.tianlai("status", "--format", template)
                #expect(ours.errorText == "")
                #expect(
                    try playerctl("metadata", "--format", template) + "\n" == ours.outputText,
                    "\(template)"
                )
            }
        }
        for template in [
            "{{title", "{{title}", "{{}}", "{{lc()}}", "{{lc(title, title)}}", "{{duration(title)}}",
            "{{no(title)}}",
        ] {
            #expect(try playerctl.run(["metadata", "--format", template]).exit != .code(0))
            #expect(try service.tianlai("status", "--format", template).exit == .code(2))
        }
    }
}
