import Audio
import AudioTestSupport
import EventLoop
import Music
import Testing

/// What a deck does when files hang and when outputs go.
@Suite(.timeLimit(.minutes(5)))
struct DeckTroubleTests {
    private final class Listener: DeckDelegate {
        var log: [String] = []

        func deckBegan(_ track: TrackID, isContinuation: Bool) { log.append("began \(track.number)") }
        func deckProgressed() {}
        func deckWentOn() { log.append("went on") }
        func deckEnded() { log.append("ended") }
        func deckFailed(_ track: TrackID, _ error: DecoderError) { log.append("failed \(track.number)") }
        func deckDamaged(_ track: TrackID, _ error: DecoderError) { log.append("damaged \(track.number)") }
        func deckLostOutput(_ loss: OutputLoss, at place: TrackTime) {
            log.append("lost at \(place.microseconds)\(loss.mayReturn ? " for a moment" : "")")
        }
        func deckOutputReturned() { log.append("returned") }
        func deckVolumeChanged(_ volume: Double) {}
    }

    private let loop: EventLoop
    private let output = SimulatedOutput()
    private let gate = Gate()
    private let deck: Deck
    private let listener = Listener()

    /// The files of odd numbers stand behind the gate.
    init() throws {
        loop = try EventLoop()
        let (output, gate) = (output, gate)
        deck = try Deck(
            loop: loop,
            output: output,
            open: { (track) throws(DecoderError) in
                let decoder = try ScriptedDecoder.open(track)
                return track.id.number % 2 == 1 ? GatedDecoder(decoder, gate: gate) : decoder
            },
            now: { output.now }
        )
        deck.delegate = listener
    }

    private func track(_ number: Int, frames: Int64 = 400_000, breaksAt: Int64? = nil) -> DeckTrack {
        let script = ScriptedDecoder.Script(number: number, frames: frames, breaksAt: breaksAt)
        return DeckTrack(id: TrackID(UInt64(number)), location: script.location)
    }

    /// Plays the first track until the thread hangs in it.
    private func playUntilItHangs() -> Bool {
        deck.load(track(1), at: .zero, isPaused: false)
        guard loop.run(until: { output.heldFrames == 1000 }) else { return false }
        gate.close()
        return loop.run(until: { gate.held == 1 }, step: output.playALittle)
    }

    @Test(
        "another file plays although the thread hangs in one, and what that still gives is not heard or told"
    )
    func hangingThread() {
        deck.load(track(1, breaksAt: 300_000), at: .zero, isPaused: false)
        #expect(loop.run(until: { output.heldFrames == 1000 }))
        gate.close()
        #expect(loop.run(until: { gate.held == 1 }, step: output.playALittle))
        deck.load(track(2), at: .seconds(7), isPaused: false)
        deck.setFollowing(track(4))
        #expect(loop.run(until: { output.heard.last?.track == 2 }, step: output.playALittle))
        #expect(output.heard.last?.frames.lowerBound == 7000)
        #expect(gate.held == 1)
        gate.open()
        #expect(
            loop.run(
                until: { output.heard.last.map { $0.frames.upperBound > 9000 } == true },
                step: output.playALittle
            )
        )
        #expect(output.heard.count == 2 && listener.log == ["began 1", "began 2"])
        deck.end()
    }

    @Test("however often another is asked for, only a few threads hang, and all goes on when they do not")
    func manyHang() {
        #expect(playUntilItHangs())
        for number in [3, 5, 7, 9, 11] {
            deck.load(track(number), at: .zero, isPaused: false)
            // For longer than a thread is waited for.
            var isOver = false
            let end = loop.timer { isOver = true }
            end.start(after: .seconds(0.7))
            #expect(loop.run(until: { isOver }))
        }
        #expect(gate.held == 4)
        gate.open()
        #expect(loop.run(until: { output.heard.last?.track == 11 }, step: output.playALittle))
        deck.end()
    }

    @Test("sound that ran out stands still; when it goes on that is told once")
    func runsOut() {
        #expect(playUntilItHangs())
        #expect(loop.run(until: { output.heldFrames == 0 }, step: output.playALittle))
        output.play(frames: 50)
        let place = deck.position
        output.play(frames: 3000)
        #expect(deck.position == place)
        gate.open()
        #expect(loop.run(until: { output.heldFrames == 1000 }))
        #expect(deck.position == place)
        #expect(listener.log == ["began 1", "went on"])
        output.play(frames: 500)
        #expect(deck.position == place + .seconds(0.5))
        #expect(listener.log == ["began 1", "went on"])
        #expect(output.heard.count == 1)
        deck.end()
    }

    @Test("where the sound of an output that hung had ended is what counts, not what a clock would say")
    func hungOutput() {
        deck.load(track(2), at: .zero, isPaused: false)
        #expect(loop.run(until: { output.heldFrames == 1000 }))
        output.play(frames: 400)
        let last = output.now
        output.setPaused(true)
        output.setPaused(false)
        output.play(frames: 300)
        #expect(deck.position == .seconds(0.7))
        output.fail(mayReturn: true, heardUntil: last)
        #expect(listener.log.last == "lost at 700000 for a moment")
        output.comeBack()
        #expect(listener.log.last == "returned")
        deck.end()
    }
}
