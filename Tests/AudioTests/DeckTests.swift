import Audio
import AudioTestSupport
import EventLoop
import Music
import Testing

/// The deck with its real thread and pipe, made-up files, and an output whose clock the test moves.
@Suite(.timeLimit(.minutes(5)))
struct DeckTests {
    private let stage: DeckStage
    private var loop: EventLoop { stage.loop }
    private var output: SimulatedOutput { stage.output }
    private var deck: Deck { stage.deck }

    init() throws {
        stage = try DeckStage()
    }

    private func track(_ number: Int, frames: Int64, rate: Int32 = 1000, breaksAt: Int64? = nil) -> DeckTrack
    {
        DeckStage.track(number, frames: frames, rate: rate, breaksAt: breaksAt)
    }

    private typealias Run = SimulatedOutput.Run

    /// Plays on until something has been told.
    private func play(until told: String) -> Bool {
        loop.run(until: { stage.log.contains(told) }, step: output.playALittle)
    }

    @Test("one track follows the other without a frame lost or added, and is told when it is heard")
    func gapless() {
        deck.load(track(1, frames: 2345), at: .zero, isPaused: false)
        deck.setFollowing(track(2, frames: 1234))
        #expect(loop.run(until: { output.heldFrames == 1000 }))
        output.play(frames: 1)
        #expect(play(until: "on to 2"))
        #expect(deck.position < .seconds(0.2))
        deck.setFollowing(nil)
        #expect(play(until: "ended"))
        #expect(output.heard == [Run(1, 0..<2345), Run(2, 0..<1234)])
        #expect(stage.log == ["began 1", "on to 2", "ended"])
        #expect(output.opened.count == 1)
        deck.end()
    }

    @Test("the position is what is heard, stands still while paused, and never runs back")
    func position() {
        deck.load(track(1, frames: 60_000), at: .seconds(5), isPaused: false)
        #expect(deck.position == .seconds(5))
        #expect(loop.run(until: { output.heldFrames == 1000 }))
        output.play(frames: 700)
        #expect(deck.position == .seconds(5.7))
        deck.setPaused(true)
        output.play(frames: 500)
        #expect(deck.position == .seconds(5.7))
        deck.setPaused(false)
        output.play(frames: 100)
        #expect(deck.position == .seconds(5.8))
        #expect(output.heard == [Run(1, 5000..<5800)])
        deck.end()
    }

    @Test("a jump is heard at once, exactly where it was asked for")
    func jump() {
        deck.load(track(1, frames: 60_000), at: .zero, isPaused: false)
        #expect(loop.run(until: { output.heldFrames == 1000 }))
        output.play(frames: 100)
        for second in [40.0, 10.0, 30.0] {
            deck.load(track(1, frames: 60_000), at: .seconds(second), isPaused: false)
        }
        #expect(deck.position == .seconds(30))
        #expect(loop.run(until: { output.heldFrames == 1000 }))
        output.play(frames: 3)
        #expect(output.heard == [Run(1, 0..<100), Run(1, 30_000..<30_003)])
        deck.end()
    }

    @Test("what follows may change when the wrong track is prepared already")
    func followingChanges() {
        deck.load(track(1, frames: 1500), at: .zero, isPaused: false)
        deck.setFollowing(track(2, frames: 5000))
        #expect(loop.run(until: { output.heldFrames == 1000 }))
        output.play(frames: 900)
        deck.setFollowing(track(3, frames: 300))
        #expect(play(until: "on to 3"))
        deck.setFollowing(nil)
        #expect(play(until: "ended"))
        #expect(output.heard == [Run(1, 0..<1500), Run(3, 0..<300)])
        deck.end()
    }

    @Test("a track may follow itself, as often as it is asked to")
    func repeats() {
        let one = track(1, frames: 400)
        deck.load(one, at: .zero, isPaused: false)
        deck.setFollowing(one)
        #expect(play(until: "on to 1"))
        deck.setFollowing(nil)
        #expect(play(until: "ended"))
        #expect(output.heard == [Run(1, 0..<400), Run(1, 0..<400)])
        deck.end()
    }

    @Test("a track of another rate gets a stream of its own when the first has been heard out")
    func otherFormat() {
        deck.load(track(1, frames: 700), at: .zero, isPaused: false)
        deck.setFollowing(track(2, frames: 900, rate: 2000))
        #expect(play(until: "on to 2"))
        deck.setFollowing(nil)
        #expect(play(until: "ended"))
        #expect(output.heard == [Run(1, 0..<700), Run(2, 0..<900)])
        #expect(output.opened.map(\.rate) == [1000, 2000])
        deck.end()
    }

    @Test("what does not open is told, and another can follow instead")
    func followingFails() {
        let missing = DeckTrack(
            id: TrackID(9),
            location: TrackLocation(track(9, frames: 0).location.path.appending("x".utf8))
        )
        deck.load(track(1, frames: 1200), at: .zero, isPaused: false)
        deck.setFollowing(missing)
        #expect(loop.run(until: { stage.log.contains("failed 9") }))
        deck.setFollowing(track(2, frames: 300))
        #expect(play(until: "on to 2"))
        deck.setFollowing(nil)
        #expect(play(until: "ended"))
        #expect(output.heard == [Run(1, 0..<1200), Run(2, 0..<300)])
        deck.end()
    }

    @Test("a broken track plays as far as it goes, and what follows it plays")
    func damaged() {
        deck.load(track(1, frames: 2000, breaksAt: 600), at: .zero, isPaused: false)
        deck.setFollowing(track(2, frames: 300))
        #expect(play(until: "on to 2"))
        deck.setFollowing(nil)
        #expect(play(until: "ended"))
        #expect(output.heard == [Run(1, 0..<600), Run(2, 0..<300)])
        #expect(stage.log.contains("damaged 1"))
        deck.end()
    }

    @Test("a stream that is lost tells where the track had come to, and the track can be loaded again")
    func lost() {
        deck.load(track(1, frames: 60_000), at: .zero, isPaused: false)
        #expect(loop.run(until: { output.heldFrames == 1000 }))
        output.play(frames: 400)
        output.fail()
        #expect(stage.log.last == "lost at 400000")
        deck.load(track(1, frames: 60_000), at: .seconds(0.4), isPaused: false)
        #expect(loop.run(until: { output.heldFrames == 1000 }))
        output.play(frames: 1)
        #expect(output.heard == [Run(1, 0..<401)])
        deck.end()
    }

    @Test("something may follow even when the end was announced already")
    func followsAfterTheEnd() {
        deck.load(track(1, frames: 800), at: .zero, isPaused: false)
        deck.setFollowing(nil)
        #expect(loop.run(until: { output.heldFrames == 800 }))
        output.play(frames: 300)
        deck.setFollowing(track(2, frames: 200))
        #expect(loop.run(until: { output.heldFrames == 700 }))
        #expect(play(until: "on to 2"))
        deck.setFollowing(nil)
        #expect(play(until: "ended"))
        #expect(output.heard == [Run(1, 0..<800), Run(2, 0..<200)])
        deck.end()
    }

    @Test("what follows a start at the very end is told as what it is")
    func followsStartAtEnd() {
        deck.load(track(1, frames: 800), at: .seconds(0.8), isPaused: false)
        deck.setFollowing(track(2, frames: 200))
        #expect(play(until: "on to 2"))
        deck.end()
    }

    @Test("a start at the very end ends at once")
    func startAtEnd() {
        deck.load(track(1, frames: 800), at: .seconds(0.8), isPaused: false)
        deck.setFollowing(nil)
        #expect(loop.run(until: { stage.log.contains("ended") }))
        deck.end()
    }
}
