import Foundation
import TestSupport
import Testing

/// The words of a song are told when they are heard.
@Suite("lyrics", .waiting, .timeLimit(.minutes(5)))
struct LyricsTests {
    private let fixtures: Fixtures
    private let server: NullSoundServer

    init() throws {
        fixtures = try Fixtures()
        server = try NullSoundServer()
    }

    private func start(_ words: String) throws -> RunningService {
        let songs = try fixtures.makeTones(2, seconds: 20)
        try fixtures.folder.write("tone-0.LRC", words.utf8)
        return try RunningService(songs, sound: server)
    }

    /// When the line at `index` was told, in seconds of the monitor's clock.
    private func told(_ index: Int64, _ service: RunningService, since mark: Int) throws -> Double {
        let time = service.monitor.wait(since: mark, within: .seconds(30)) { signals in
            signals.first { $0.changes(of: Bus.control)?["LyricsIndex"]?.integer == index }?.time
        }
        return try #require(time, "line \(index); \(service.process.report.errorText)")
    }

    /// When the position was told last, and what it was.
    private func seeked(_ service: RunningService, since mark: Int) throws -> (time: Double, second: Double) {
        let signal = service.monitor.wait(since: mark, within: .seconds(30)) { signals in
            signals.first { $0.member == "Seeked" }
        }
        let found = try #require(signal)
        return (found.time, Double(try #require(found.arguments[0].integer)) / 1e6)
    }

    @Test("line by line while they are heard, after a seek at once, and not while paused")
    func following() throws {
        let service = try start("[00:01.00]月光\n[00:02.00]b\n[00:02.50]\n[00:10.00]c\n[00:11.00]d\n")
        #expect(try service.get("LyricsKind", of: Bus.control) == .text("timed"))
        #expect(try service.get("LyricsIndex", of: Bus.control) == .integer(-1))
        // In one file, since the song has not begun at a moment that is known.
        var mark = service.monitor.mark
        try service.playerctl("position", "0.2")
        let rest = try seeked(service, since: mark)
        #expect(rest.second == 0.2)
        try service.playerctl("play")
        let times = try (0...2).map { try told($0, service, since: mark) }
        for (index, gap) in [(1, 1.0), (2, 0.5)] {
            let apart = times[index] - times[index - 1] - gap
            #expect(abs(apart) < 0.25, "line \(index) comes \(apart) s late")
        }
        mark = service.monitor.mark
        try service.playerctl("position", "9.5")
        // What is told with a jump is what counts from then on.
        let jump = try seeked(service, since: mark)
        for (index, second) in [(3, 10.0), (4, 11.0)] as [(Int64, Double)] {
            let late = try told(index, service, since: mark) - jump.time - (second - jump.second)
            #expect((-0.1...0.4).contains(late), "line \(index) comes \(late) s late")
        }
        // Right at once: in the very turn of the jump.
        mark = service.monitor.mark
        try service.playerctl("position", "1.2")
        let back = try told(0, service, since: mark)
        #expect(abs(back - (try seeked(service, since: mark)).time) < 0.05)
        #expect(try service.get("LyricsLine", of: Bus.control) == .text("月光"))
        try service.playerctl("pause")
        try service.wait(until: "Paused")
        mark = try service.monitor.settle()
        let place = try #require(try service.get("Position")?.integer)
        let line = try service.get("LyricsIndex", of: Bus.control)
        #expect(line == .integer(place < 2_000_000 ? 0 : place < 2_500_000 ? 1 : 2))
        // The next line would have come meanwhile.
        let silence = service.monitor.wait(since: mark, within: .seconds(1.5)) { signals in
            signals.contains { $0.changes(of: Bus.control) != nil } ? true : nil
        }
        #expect(silence == nil)
    }

    @Test("Metadata has the plain words, all lines come on Control1, and another song has none")
    func reading() throws {
        let service = try start("[ti:T]\n[00:01.00]<00:01.00>one <00:02.00>line")
        #expect(try service.get("Metadata")?["xesam:asText"] == .text("one line"))
        #expect(try service.run("lyrics") == "0:01  one line\n")
        let path = fixtures.folder.path("tone-0.mp3")
        #expect(
            try service.run("lyrics", "--json")
                == "{\"path\": \"\(path)\", \"kind\": \"timed\", \"lines\": [[1000, \"one line\"]]}\n"
        )
        try service.playerctl("next")
        try service.wait(until: "Paused", "tone-1.mp3")
        #expect(try service.get("Metadata")?["xesam:asText"] == nil)
        #expect(try service.get("LyricsKind", of: Bus.control) == .text("none"))
        #expect(try service.tianlai("lyrics").exit == .code(1))
        // In the list there are none, for neither.
        let tracks = try service.tracks().joined(separator: ",")
        let listed = try service.call("\(Bus.trackList).GetTracksMetadata", "array:objpath:\(tracks)")
        guard case .list(let maps) = listed.first else {
            Issue.record("\(listed)")
            return
        }
        #expect(maps.count == 2 && maps.allSatisfy { $0["xesam:asText"] == nil && $0["xesam:title"] != nil })
    }

    @Test("a stretch of a file has the lines inside it, from its own start")
    func stretches() throws {
        try fixtures.makeTone(MeasuringTone(band: 0, seconds: 20), as: "album.mp3", rate: 16_000)
        try fixtures.folder.write("album.lrc", "[00:01.00]one\n[00:09.00]two\n[00:10.00]\n".utf8)
        let sheet = try fixtures.folder.write(
            "album.cue",
            """
            FILE "album.mp3" MP3
              TRACK 01 AUDIO
                INDEX 01 00:00:00
              TRACK 02 AUDIO
                INDEX 01 00:08:00

            """.utf8
        )
        let service = try RunningService([sheet])
        #expect(try service.run("lyrics") == "0:01  one\n")
        try service.playerctl("next")
        try service.wait(for: "the second track") {
            try service.tianlai("lyrics").outputText != "0:01  one\n"
        }
        #expect(try service.run("lyrics") == "0:01  two\n0:02\n")
        try service.playerctl("position", "1.5")
        try service.wait(for: "its line") { try service.get("LyricsLine", of: Bus.control) == .text("two") }
    }

    @Test(
        "--follow writes each line as it is sung, an empty one with the next song, and lives on when the service goes"
    )
    func follow() throws {
        let service = try start("[00:00.30]月光\n[00:00.60]la\n")
        let command = try service.start("lyrics", "--follow")
        func expectOutput(_ output: String) throws {
            let found = command.waitForOutput(within: .seconds(30)) { $0.outputText == output ? true : nil }
            #expect(found == true, "\(command.report.outputText)")
        }
        try expectOutput("\n")
        try service.playerctl("play")
        try expectOutput("\n月光\nla\n")
        try service.playerctl("next")
        try expectOutput("\n月光\nla\n\n")
        try service.playerctl("previous")
        try expectOutput("\n月光\nla\n\n月光\nla\n")
        try service.run("quit")
        try expectOutput("\n月光\nla\n\n月光\nla\n\n")
        command.kill()
    }
}
