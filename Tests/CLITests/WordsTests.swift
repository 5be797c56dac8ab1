import Music
import Testing

@testable import CLI

@Suite("Words of the command line")
struct WordsTests {
    @Test(
        "times",
        arguments: [
            ("0", 0), ("90", 90_000_000), ("7.5", 7_500_000), ("0.000001", 1), ("1.2345678", 1_234_567),
            ("1:30", 90_000_000), ("75:00", 4_500_000_000), ("1:02:03", 3_723_000_000),
            ("1:02:03.25", 3_723_250_000), ("00:05", 5_000_000),
        ] as [(String, Int64)]
    )
    func time(word: String, microseconds: Int64) {
        #expect(TrackTime(word: word) == TrackTime(microseconds: microseconds))
    }

    @Test(
        "what is no time",
        arguments: [
            "", ":", "1:", ":30", "1:5", "1:60", "1:2:03", "1:02:3", "1:02:03:04", "-1", "+1", "1.", ".5",
            "1.2.3",
            "1:30s", "ten", "1e3", "٣", "1234567890", " 1", "0.1234567x",
        ]
    )
    func noTime(word: String) {
        #expect(TrackTime(word: word) == nil)
    }

    @Test(
        "where to seek",
        arguments: [
            ("1:30", .to(TrackTime(microseconds: 90_000_000))),
            ("+10", .by(TrackTime(microseconds: 10_000_000))),
            ("-0:05.5", .by(TrackTime(microseconds: -5_500_000))),
            ("+-1", nil), ("-", nil), ("+", nil),
        ] as [(String, SeekTarget?)]
    )
    func seek(word: String, target: SeekTarget?) {
        #expect(SeekTarget(word) == target)
    }

    @Test(
        "how loud",
        arguments: [
            ("40%", .to(0.4)), ("40", .to(0.4)), ("0%", .to(0)), ("100%", .to(1)), ("12.5%", .to(0.125)),
            ("+5%", .by(0.05)), ("-5%", .by(-0.05)), ("-150%", .by(-1.5)), ("+5", .by(0.05)),
            ("101%", nil), ("0.5", nil), ("", nil), ("%", nil), ("+%", nil), ("4 0%", nil), ("nan%", nil),
            ("5%%", nil),
        ] as [(String, VolumeChange?)]
    )
    func volume(word: String, change: VolumeChange?) {
        #expect(VolumeChange(word) == change)
    }

    @Test("loop modes", arguments: LoopMode.allCases)
    func loop(mode: LoopMode) {
        #expect(LoopMode(word: mode.word) == mode)
        #expect(LoopMode(word: mode.word.uppercased()) == nil)
    }
}
