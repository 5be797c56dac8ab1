import BusTestSupport
import DBus
import MPRIS
import Music
import Playback
import TestSupport
import Testing

extension Desktop {
    fileprivate func lyrics() throws -> [BusValue] {
        try call("Lyrics", on: InterfaceName.control, at: ObjectPath.control).get()
    }

    /// What Control1 has told since the last time asked, in words.
    fileprivate func takeNews() throws -> [String] {
        try takeSignals().filter { $0.path == ObjectPath.control }.flatMap { signal -> [String] in
            guard signal.member == "PropertiesChanged" else {
                return [signal.member + " " + signal.arguments.compactMap(\.text).joined(separator: " ")]
            }
            return (signal.arguments[1].entries ?? []).map { name, value in
                "\(name) = \(value.text ?? value.integer.map(String.init) ?? "?")"
            }
        }
    }
}

private let timed = Lyrics.timed([
    Lyrics.Line(.seconds(1), "a"), Lyrics.Line(.seconds(2), "b"), Lyrics.Line(.seconds(2), "乙"),
    Lyrics.Line(.seconds(3), ""), Lyrics.Line(.seconds(4), "a"),
])

@Suite(.timeLimit(.minutes(5)))
struct LyricsOnTheBusTests {
    @Test("all lines for who asks")
    func reading() throws {
        let desktop = try Desktop()
        let track = BusValue.objectPath("/org/tianlai/track/1")
        #expect(try desktop.lyrics() == [track, .string("none"), .array(of: "(xs)", [])])
        desktop.player.status.current?.track.lyrics = .plain(["月光", ""])
        func line(_ microseconds: Int64, _ text: String) -> BusValue {
            .structure([.int64(microseconds), .string(text)])
        }
        #expect(
            try desktop.lyrics()
                == [track, .string("plain"), .array(of: "(xs)", [line(-1, "月光"), line(-1, "")])]
        )
        desktop.player.status.current?.track.lyrics = timed
        #expect(
            try desktop.lyrics() == [
                track, .string("timed"),
                .array(
                    of: "(xs)",
                    [
                        line(1_000_000, "a"), line(2_000_000, "b"), line(2_000_000, "乙"), line(3_000_000, ""),
                        line(4_000_000, "a"),
                    ]
                ),
            ]
        )
        desktop.player.status.current = nil
        let none = BusValue.objectPath(ObjectPath.noTrack)
        #expect(try desktop.lyrics() == [none, .string("none"), .array(of: "(xs)", [])])
    }

    @Test("the line that is sung is told when it is another, and that the lyrics are others")
    func telling() throws {
        let desktop = try Desktop()
        let player = desktop.player
        player.status.current?.track.lyrics = timed
        #expect(try desktop.takeNews() == ["LyricsKind = timed", "LyricsChanged /org/tianlai/track/1 timed"])
        let steps: [(Int?, [String])] = [
            (0, ["LyricsIndex = 0", "LyricsLine = a"]), (0, []),
            (1, ["LyricsIndex = 1", "LyricsLine = b\n乙"]),
            (3, ["LyricsIndex = 3", "LyricsLine = "]), (4, ["LyricsIndex = 4", "LyricsLine = a"]),
            // The same words again are another line all the same.
            (0, ["LyricsIndex = 0"]), (nil, ["LyricsIndex = -1", "LyricsLine = "]),
        ]
        for (line, news) in steps {
            player.status.lyricsLine = line
            #expect(try desktop.takeNews() == news, "\(line as Any)")
        }
        // Another song of the same words, one of plain words, one of none (C256).
        player.status.lyricsLine = 1
        #expect(try desktop.takeNews().count == 2)
        player.status.current?.id = TrackID(2)
        player.status.lyricsLine = 0
        #expect(
            try desktop.takeNews()
                == ["LyricsIndex = 0", "LyricsLine = a", "LyricsChanged /org/tianlai/track/2 timed"]
        )
        player.status.current?.track.lyrics = .plain(["a"])
        player.status.lyricsLine = nil
        #expect(
            try desktop.takeNews() == [
                "LyricsKind = plain", "LyricsIndex = -1", "LyricsLine = ",
                "LyricsChanged /org/tianlai/track/2 plain",
            ]
        )
        player.status.current?.track.lyrics = nil
        #expect(try desktop.takeNews() == ["LyricsKind = none", "LyricsChanged /org/tianlai/track/2 none"])
        player.status.current?.id = TrackID(3)
        #expect(try desktop.takeNews() == [])
    }

    @Test("a line is no news of the player")
    func apart() throws {
        let desktop = try Desktop()
        desktop.player.status.current?.track.lyrics = timed
        _ = try desktop.takeSignals()
        desktop.player.status.lyricsLine = 1
        #expect(try desktop.takeSignals().map(\.path) == [ObjectPath.control])
    }
}
