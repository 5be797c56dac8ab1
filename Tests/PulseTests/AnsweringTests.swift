import Music
import Testing

@testable import Pulse

/// When a sound server counts as one that hangs, and when what it played counts as back.
@Suite
struct AnsweringTests {
    private typealias Progress = Answering.Progress

    @Test(
        "a server is asked when it has not come any further, and hangs when it has not then",
        arguments: [
            // How far it had come at each look, and what was found.
            ([0, 2, 3, 4, 5, 6], [.plays, .plays, .plays, .plays, .plays, .plays]),
            ([0, 0, 0], [.plays, .ask, .hangs]),
            ([1, 1, 2, 2, 2], [.plays, .ask, .plays, .ask, .hangs]),
            ([nil, nil, 1, 1], [.plays, .plays, .plays, .ask]),
            ([nil, nil, nil, nil], [.plays, .plays, .plays, .hangs]),
        ] as [([Int64?], [Answering.Finding])]
    )
    func looks(places: [Int64?], findings: [Answering.Finding]) {
        var answering = Answering()
        let found = places.map { place in answering.look(at: place.map { .sound(upTo: $0, requests: 0) }) }
        #expect(found == findings)
        #expect(answering.hasPlayed == places.contains { $0 ?? 0 > 0 })
    }

    @Test("one that has no sound to play must only answer; after a rest it is looked at anew")
    func withoutSound() {
        var answering = Answering()
        let looks: [Progress] = [
            .sound(upTo: 7, requests: 0), .answer(microseconds: 1), .answer(microseconds: 1),
            .answer(microseconds: 2),
        ]
        let found = looks.map { answering.look(at: $0) }
        #expect(found == [.plays, .plays, .ask, .plays])
        answering.rest()
        let later = (0..<2).map { _ in answering.look(at: .answer(microseconds: 2)) }
        #expect(later == [.plays, .ask] && answering.hasPlayed)
    }

    @Test("back is what is back on the same sink, awake if it slept, within five seconds")
    func lost() {
        let start = Instant(nanoseconds: 7)
        var lost = LostSound(of: "null", at: start)
        #expect(lost.isBack(on: SinkState(name: "null", isSuspended: true)))
        #expect(!lost.isBack(on: SinkState(name: "other", isSuspended: false)))
        lost.isAsleep = true
        #expect(!lost.isBack(on: SinkState(name: "null", isSuspended: true)))
        #expect(lost.isBack(on: SinkState(name: "null", isSuspended: false)))
        #expect(!lost.isOver(at: start.advanced(by: .seconds(4.9))))
        #expect(lost.isOver(at: start.advanced(by: .seconds(5.1))))
        #expect(lost.isFresh(at: start.advanced(by: .seconds(0.9))))
        #expect(!lost.isFresh(at: start.advanced(by: .seconds(1.1))))
    }
}
