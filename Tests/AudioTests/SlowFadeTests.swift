import AudioTestSupport
import EventLoop
import Music
import Testing

@testable import Audio

/// Music that grows softer towards a moment: in each frame of the made-up sound the left sample is 1.
@Suite(.timeLimit(.minutes(5)))
struct SlowFadeTests {
    private let stage: DeckStage
    private var output: SimulatedOutput { stage.output }
    private var deck: Deck { stage.deck }

    init() throws {
        stage = try DeckStage()
    }

    /// Plays so many frames, all of which come in time.
    private func play(_ frames: Int) -> Bool {
        for _ in 0..<frames / 50 {
            guard stage.fill() else { return false }
            output.play(frames: 50)
        }
        return stage.fill()
    }

    private var loudness: [Float] { output.heardFrames.map(\.left) }

    /// The place in what was heard that is heard `seconds` before the end of a fade over ten seconds is so loud.
    private func gain(_ seconds: Float) -> Float { seconds * seconds / 100 }

    @Test("it is as loud as ever until ten seconds before, then softer and softer, and silent at the end")
    func course() {
        deck.load(DeckStage.track(1, frames: 60_000), at: .zero, isPaused: false)
        #expect(stage.fill())
        deck.fadeOut(until: output.now.advanced(by: .seconds(12)))
        #expect(play(13_000))
        let heard = loudness
        // What is held already when it is said is heard before it begins.
        #expect(heard[..<2000].allSatisfy { $0 == 1 })
        for second in 2..<12 {
            #expect(abs(heard[second * 1000] - gain(Float(12 - second))) < 0.001, "after \(second) s")
        }
        #expect(zip(heard[2000..<12_000], heard[2001...]).allSatisfy { $1 <= $0 && $0 - $1 < 0.001 })
        #expect(heard[12_000...].allSatisfy { $0 == 0 })
        deck.end()
    }

    @Test("a short time is all fade; what follows goes on with it")
    func short() {
        deck.load(DeckStage.track(1, frames: 3000), at: .zero, isPaused: false)
        deck.setFollowing(DeckStage.track(1, frames: 60_000))
        deck.fadeOut(until: output.now.advanced(by: .seconds(4)))
        #expect(stage.fill())
        #expect(play(5000))
        for second in 0..<4 {
            let rest = Float(4 - second) / 4
            #expect(abs(loudness[second * 1000] - rest * rest) < 0.001, "after \(second) s")
        }
        #expect(loudness[4000...].allSatisfy { $0 == 0 })
        deck.end()
    }

    @Test("taken back in the middle it is as loud as ever at once, at the same place")
    func takenBack() {
        deck.load(DeckStage.track(1, frames: 8000), at: .zero, isPaused: false)
        deck.setFollowing(DeckStage.track(2, frames: 500))
        #expect(stage.fill())
        deck.fadeOut(until: output.now.advanced(by: .seconds(11)))
        #expect(play(6000))
        #expect(loudness[5999] < 0.3)
        deck.fadeOut(until: nil)
        #expect(stage.fill())
        #expect(stage.loop.run(until: { stage.log.contains("on to 2") }, step: output.playALittle))
        let rest = output.heardFrames.dropFirst(6000).prefix(2000)
        #expect(rest.allSatisfy { $0.left == 1 })
        #expect(rest.map(\.right) == (6000..<8000).map(Float.init))
        deck.end()
    }

    @Test("taken back before it begins it changes nothing")
    func takenBackEarly() {
        deck.load(DeckStage.track(1, frames: 20_000), at: .zero, isPaused: false)
        #expect(stage.fill())
        deck.fadeOut(until: output.now.advanced(by: .seconds(15)))
        #expect(play(1000))
        let asked = output.heldFrames
        deck.fadeOut(until: nil)
        #expect(output.heldFrames == asked)
        #expect(play(15_000))
        #expect(output.heard == [SimulatedOutput.Run(1, 0..<16_000)])
        deck.end()
    }
}
