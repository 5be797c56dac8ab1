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

    @Test(
        "when to sleep",
        arguments: [
            ("30m", 1800), ("1h30m", 5400), ("45", 2700), ("90s", 90), ("1h", 3600), ("1h0m5s", 3605),
            ("1m30s", 90), ("90m", 5400), ("24h", 86_400), ("1440", 86_400), ("off", 0),
        ] as [(String, Double)]
    )
    func sleep(word: String, seconds: Double) {
        #expect(SleepChange(word) == (word == "off" ? .off : .after(.seconds(seconds))))
    }

    @Test(
        "what is no time to sleep",
        arguments: [
            "", "0", "0m", "m", "h30m", "30m1h", "1h30", "30m30", "1m1m", "1s30", "1:30", "1.5h", "-5", "+5",
            "25h",
            "1441", "24h1s", "99999999999h", "soon", "30 m", "Off", "1d", "٣m",
        ]
    )
    func noSleep(word: String) {
        #expect(SleepChange(word) == nil)
    }

    @Test("loop modes", arguments: LoopMode.allCases)
    func loop(mode: LoopMode) {
        #expect(LoopMode(word: mode.word) == mode)
        #expect(LoopMode(word: mode.word.uppercased()) == nil)
    }
}
