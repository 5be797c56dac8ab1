import Audio
import AudioTestSupport
import Music
import Testing

/// What follows may change at any moment, and what is heard is what would have been heard if that had been said in time:
/// not a frame more or less, and no silence.
@Suite(.timeLimit(.minutes(5)))
struct LateChangeTests {
    private typealias Run = SimulatedOutput.Run
    private static let first = DeckStage.track(1, frames: 2500)
    private static let second = DeckStage.track(2, frames: 1300)
    private static let third = DeckStage.track(3, frames: 3100)
    private static let otherRate = DeckStage.track(4, frames: 2400, rate: 2000)

    private static func run(_ track: DeckTrack?) -> [Run] {
        let frames: [UInt64: Int64] = [1: 2500, 2: 1300, 3: 3100, 4: 2400]
        return track.map { [Run(Int($0.id.number), 0..<(frames[$0.id.number] ?? 0))] } ?? []
    }

    /// Plays the first track from its start, changing what follows every few frames as far as it goes.
    private func playWithChanges(
        on stage: DeckStage,
        among choices: [DeckTrack?],
        _ random: inout some RandomNumberGenerator,
        isInTime: Bool
    ) -> [Run] {
        stage.deck.load(Self.first, at: .zero, isPaused: false)
        var following: DeckTrack?
        stage.deck.setFollowing(nil)
        _ = stage.loop.run(until: { stage.log.contains { $0 != "began 1" } }) {
            // At rest or in the middle of filling: a change must be right in both.
            if isInTime, !stage.fill() { return false }
            // When the last frame is over it is too late, whether that has been told yet or not.
            let isOver = stage.output.heardFrames.count >= 2500
            if !isOver, Int.random(in: 0..<4, using: &random) == 0,
                let choice = choices.randomElement(using: &random)
            {
                following = choice
                stage.deck.setFollowing(choice)
            }
            if isInTime { _ = stage.fill() }
            guard stage.output.heldFrames > 0 || stage.output.isDraining else { return false }
            stage.output.play(frames: Int.random(in: 1...90, using: &random))
            return true
        }
        stage.deck.setFollowing(nil)
        #expect(stage.play(until: "ended"))
        return Self.run(Self.first) + Self.run(following)
    }

    @Test("of one format: no frame and no moment is lost or added", arguments: 0..<60)
    func sameFormat(seed: UInt64) throws {
        var random = SeededNumbers(seed)
        let stage = try DeckStage()
        let expected = playWithChanges(
            on: stage,
            among: [Self.first, Self.second, Self.third, nil],
            &random,
            isInTime: true
        )
        #expect(stage.output.heard == expected)
        #expect(stage.output.missedFrames == 0)
        #expect(stage.output.opened.count == 1)
        stage.deck.end()
    }

    @Test("in the middle of filling, of another format, and too late to be taken back", arguments: 0..<60)
    func anything(seed: UInt64) throws {
        var random = SeededNumbers(seed)
        let stage = try DeckStage()
        stage.output.deviceFrames = Int.random(in: 0...300, using: &random)
        let expected = playWithChanges(
            on: stage,
            among: [Self.first, Self.second, Self.third, Self.otherRate, nil],
            &random,
            isInTime: false
        )
        #expect(stage.output.heard == expected)
        stage.deck.end()
    }

    @Test("what was to follow is not heard of any more, also while paused")
    func paused() throws {
        let stage = try DeckStage()
        stage.deck.load(Self.first, at: .seconds(2), isPaused: false)
        stage.deck.setFollowing(Self.second)
        #expect(stage.fill())
        stage.output.play(frames: 100)
        stage.deck.setPaused(true)
        stage.deck.setFollowing(Self.third)
        #expect(stage.fill())
        #expect(stage.deck.position == .seconds(2.1))
        stage.deck.setPaused(false)
        #expect(stage.play(until: "on to 3"))
        #expect(stage.log == ["began 1", "on to 3"])
        #expect(stage.output.heard.first == Run(1, 2000..<2500))
        #expect(stage.output.missedFrames == 0)
        stage.deck.end()
    }

    @Test("what comes when the next track is heard already, though nobody was told, changes nothing of that")
    func tooLate() throws {
        let stage = try DeckStage()
        stage.deck.load(Self.first, at: .seconds(2), isPaused: false)
        stage.deck.setFollowing(Self.second)
        #expect(stage.fill())
        stage.output.play(frames: 100)
        stage.output.play(frames: 450, isTold: false)
        #expect(stage.log == ["began 1"])
        stage.deck.setFollowing(Self.third)
        #expect(stage.deck.position == .seconds(0.05))
        #expect(stage.loop.run(until: { stage.log == ["began 1", "on to 2"] }))
        stage.deck.setFollowing(Self.third)
        #expect(stage.play(until: "on to 3"))
        #expect(stage.output.heard.prefix(2) == [Run(1, 2000..<2500), Run(2, 0..<1300)])
        stage.deck.end()
    }
}

/// Random numbers that are the same in each run.
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) {
        state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
    }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
