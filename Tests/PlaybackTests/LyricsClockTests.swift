import Music
import Playback
import Testing

@Suite("Which line is sung")
struct LyricsClockTests {
    private static let lyrics = Lyrics.timed(
        [(1.0, "a"), (2, "b"), (2, "乙"), (4, ""), (5, "c"), (5, "")].map { Lyrics.Line(.seconds($0.0), $0.1) }
    )

    @Test(
        "the last whose time has come, the first of those of one time; and how long until others are sung",
        arguments: [
            (0, nil, 1), (0.999, nil, 0.001), (1, 0, 1), (1.5, 0, 0.5), (2, 1, 2), (3.75, 1, 0.25), (4, 3, 1),
            (5, 4, nil), (500, 4, nil),
        ] as [(Double, Int?, Double?)]
    )
    func lines(position: Double, line: Int?, rest: Double?) {
        let clock = LyricsClock(Self.lyrics, at: .seconds(position))
        #expect(clock.line == line)
        #expect(clock.untilNext == rest.map(TrackTime.seconds))
    }

    @Test("without times there is none", arguments: [nil, .plain(["a"]), .timed([])] as [Lyrics?])
    func nothing(lyrics: Lyrics?) {
        let clock = LyricsClock(lyrics, at: .seconds(1))
        #expect(clock.line == nil && clock.untilNext == nil)
    }

    @Test(
        "what is sung then is all that has its time",
        arguments: [(0, ["a"]), (1, ["b", "乙"]), (3, []), (4, ["c"]), (6, []), (-1, [])] as [(Int, [String])]
    )
    func texts(line: Int, texts: [String]) {
        #expect(Self.lyrics.sung(at: line) == texts)
        #expect(Lyrics.plain(["a"]).sung(at: 0) == [])
    }
}
