import AudioTestSupport
import Music
import Testing

@testable import Audio

@Suite
struct HeardTimelineTests {
    private let first = DeckTrack(
        id: TrackID(1),
        location: ScriptedDecoder.Script(number: 1, frames: 1).location
    )
    private let second = DeckTrack(
        id: TrackID(2),
        location: ScriptedDecoder.Script(number: 2, frames: 1).location
    )

    private func instant(_ milliseconds: Int64) -> Instant {
        Instant(nanoseconds: milliseconds * 1_000_000)
    }

    /// Two seconds of one track from its tenth second, then one of another.
    private func makeTimeline() -> HeardTimeline {
        var timeline = HeardTimeline(rate: 1000)
        timeline.begin(first, serial: 1, at: .seconds(10))
        timeline.hand(over: 2000)
        timeline.begin(second, serial: 2, at: .zero)
        timeline.hand(over: 1000)
        return timeline
    }

    @Test(
        "the place at an instant",
        arguments: [
            (0, 10_000), (500, 10_500), (1999, 11_999), (2000, 0), (2500, 500), (3000, 1000), (9000, 1000),
        ]
    )
    func place(at milliseconds: Int64, place: Int64) {
        var timeline = makeTimeline()
        timeline.sync(unheard: 3000, at: instant(0), isAdvancing: true)
        #expect(timeline.place(at: instant(milliseconds)) == TrackTime(microseconds: place * 1000))
    }

    @Test("a place once told is never taken back")
    func monotonic() {
        var timeline = makeTimeline()
        timeline.sync(unheard: 3000, at: instant(0), isAdvancing: true)
        #expect(timeline.place(at: instant(700)) == .seconds(10.7))
        timeline.sync(unheard: 2400, at: instant(701), isAdvancing: true)
        #expect(timeline.place(at: instant(702)) == .seconds(10.7))
        #expect(timeline.place(at: instant(1000)) == .seconds(10.899))
    }

    @Test("frozen, it stays where it was, whatever the clock says")
    func frozen() {
        var timeline = makeTimeline()
        timeline.sync(unheard: 3000, at: instant(0), isAdvancing: true)
        timeline.freeze(at: instant(300))
        #expect(timeline.place(at: instant(5000)) == .seconds(10.3))
        #expect(timeline.timeToNextSegment(at: instant(5000)) == nil)
    }

    @Test("it knows when the next track is heard, and which is heard now")
    func boundary() throws {
        var timeline = makeTimeline()
        #expect(!timeline.isHeard(at: instant(0)))
        timeline.sync(unheard: 3000, at: instant(0), isAdvancing: true)
        #expect(timeline.isHeard(at: instant(0)))
        let due = try #require(timeline.timeToNextSegment(at: instant(0)))
        #expect(due > .seconds(2) && due < .seconds(2.01))
        #expect(timeline.passSegments(at: instant(1999))?.serial == 1)
        #expect(timeline.passSegments(at: instant(2001))?.serial == 2)
        #expect(timeline.timeToNextSegment(at: instant(2001)) == nil)
    }

    @Test(
        "sound that has run out stands still, also when more is handed over, and has then gone on elsewhere"
    )
    func runsOut() {
        var timeline = makeTimeline()
        timeline.sync(unheard: 3000, at: instant(0), isAdvancing: true)
        let wentOn1 = timeline.sync(unheard: 500, at: instant(2500), isAdvancing: true)
        #expect(!wentOn1)
        #expect(timeline.place(at: instant(9000)) == .seconds(1))
        timeline.hand(over: 2000)
        #expect(timeline.place(at: instant(9000)) == .seconds(1))
        let wentOn2 = timeline.sync(unheard: 2000, at: instant(9001), isAdvancing: false)
        #expect(!wentOn2)
        let wentOn3 = timeline.sync(unheard: 1990, at: instant(9020), isAdvancing: true)
        #expect(wentOn3)
        #expect(timeline.place(at: instant(9020)) == .seconds(1.01))
        let wentOn4 = timeline.sync(unheard: 990, at: instant(10_020), isAdvancing: true)
        #expect(!wentOn4, "told once")
    }

    @Test("sound that was held by somebody, or was late by little, has not stood still")
    func noStall() {
        var timeline = makeTimeline()
        timeline.sync(unheard: 2900, at: instant(0), isAdvancing: true)
        let wentOn5 = timeline.sync(unheard: 2000, at: instant(1050), isAdvancing: true)
        #expect(!wentOn5)
        timeline.freeze(at: instant(1100))
        let wentOn6 = timeline.sync(unheard: 1950, at: instant(9000), isAdvancing: true)
        #expect(!wentOn6)
    }

    @Test("a server that hung is behind all clocks, and what was told meanwhile is taken back")
    func hung() {
        var timeline = makeTimeline()
        timeline.sync(unheard: 2900, at: instant(0), isAdvancing: true)
        #expect(timeline.place(at: instant(1500)) == .seconds(11.6))
        let wentOn7 = timeline.sync(unheard: 2500, at: instant(2000), isAdvancing: true)
        #expect(wentOn7)
        #expect(timeline.place(at: instant(2100)) == .seconds(10.6))
        timeline.hold(at: instant(2000))
        #expect(timeline.place(at: instant(5000)) == .seconds(10.5))
    }

    @Test("what was handed over behind a track is taken back, once, and what is heard stays where it was")
    func takeBack() {
        var timeline = makeTimeline()
        timeline.sync(unheard: 3000, at: instant(0), isAdvancing: true)
        #expect(timeline.place(at: instant(1500)) == .seconds(11.5))
        #expect(timeline.takeBack(behind: 1) == 1000)
        #expect(timeline.handed == 2000 && timeline.last?.serial == 1)
        #expect(timeline.takeBack(behind: 1) == nil)
        #expect(timeline.place(at: instant(1600)) == .seconds(11.6))
        #expect(timeline.place(at: instant(2600)) == .seconds(12), "there is no more")
        timeline.begin(second, serial: 3, at: .seconds(7))
        timeline.hand(over: 100)
        timeline.sync(unheard: 100, at: instant(2600), isAdvancing: true)
        #expect(timeline.place(at: instant(2650)) == .seconds(7.05))
    }
}
