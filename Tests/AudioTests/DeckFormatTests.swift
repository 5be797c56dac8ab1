import Audio
import AudioTestSupport
import EventLoop
import Music
import Testing

/// Formats that change between tracks and within them: all of the old is heard before the new begins.
@Suite(.timeLimit(.minutes(5)))
struct DeckFormatTests {
    private typealias Run = SimulatedOutput.Run

    @Test("the output is told of the next format while the old one is still heard")
    func prepares() throws {
        let stage = try DeckStage()
        stage.deck.load(DeckStage.track(1, frames: 700), at: .zero, isPaused: false)
        stage.deck.setFollowing(DeckStage.track(2, frames: 900, rate: 2000))
        #expect(stage.fill())
        #expect(stage.output.prepared.map(\.rate) == [2000] && stage.output.heldFrames == 700)
        #expect(stage.play(until: "on to 2"))
        stage.deck.setFollowing(nil)
        #expect(stage.play(until: "ended"))
        #expect(stage.output.heard == [Run(1, 0..<700), Run(2, 0..<900)])
        stage.deck.end()
    }

    @Test("a change within a file is no new track, and the position goes on")
    func within() throws {
        let stage = try DeckStage()
        stage.deck.load(DeckStage.track(1, frames: 1000, changesAt: 600), at: .zero, isPaused: false)
        stage.deck.setFollowing(DeckStage.track(2, frames: 3000, rate: 2000))
        #expect(stage.fill())
        stage.output.play(frames: 600)
        #expect(stage.fill())
        #expect(stage.deck.position == .seconds(0.6))
        stage.output.play(frames: 100)
        #expect(stage.deck.position == .seconds(0.65))
        #expect(stage.play(until: "on to 2"))
        stage.deck.setFollowing(nil)
        #expect(stage.play(until: "ended"))
        #expect(stage.output.heard == [Run(1, 0..<1000), Run(2, 0..<3000)])
        #expect(stage.output.opened.map(\.rate) == [1000, 2000])
        #expect(stage.log == ["began 1", "on to 2", "ended"])
        stage.deck.end()
    }

    @Test("several formats one after the other in what the pipe holds, and a change of what follows them")
    func several() throws {
        let stage = try DeckStage()
        stage.deck.load(DeckStage.track(1, frames: 100, changesAt: 60), at: .zero, isPaused: false)
        stage.deck.setFollowing(DeckStage.track(2, frames: 90, rate: 3000, changesAt: 50))
        #expect(stage.fill())
        stage.deck.setFollowing(DeckStage.track(3, frames: 70, rate: 1000, changesAt: 30))
        #expect(stage.play(until: "on to 3"))
        stage.deck.setFollowing(nil)
        #expect(stage.play(until: "ended"))
        #expect(stage.output.heard == [Run(1, 0..<100), Run(3, 0..<70)])
        #expect(stage.output.opened.map(\.rate) == [1000, 2000, 1000, 2000])
        stage.deck.end()
    }

    @Test("a track that gets a stream of its own is not at its place before it is heard")
    func positionBetween() throws {
        let stage = try DeckStage()
        stage.deck.load(DeckStage.track(1, frames: 700), at: .zero, isPaused: false)
        stage.deck.setFollowing(DeckStage.track(2, frames: 900, rate: 2000))
        #expect(stage.fill())
        stage.output.play(frames: 699)
        stage.deck.setPaused(true)
        stage.output.source?.outputDrained()
        #expect(stage.loop.run(until: { stage.output.opened.count == 2 && stage.output.heldFrames > 0 }))
        #expect(stage.deck.position >= .seconds(0.699) && stage.deck.position <= .seconds(0.7))
        // A change now is one in time.
        stage.deck.setFollowing(DeckStage.track(3, frames: 400))
        #expect(stage.log == ["began 1"])
        stage.deck.setPaused(false)
        #expect(stage.play(until: "on to 3"))
        stage.deck.end()
    }
}

/// Files that hang, and wishes that come faster than they can be carried out.
@Suite(.timeLimit(.minutes(5)))
struct DeckHasteTests {
    private typealias Run = SimulatedOutput.Run

    @Test(
        "of a thousand jumps while dragging only the last is heard, and the next thousand are obeyed likewise"
    )
    func dragging() throws {
        let stage = try DeckStage()
        let track = DeckStage.track(1, frames: 600_000)
        var expected: [Run] = []
        for round in 0..<10 {
            for step in 0..<100 {
                let place = Int64(round * 50_000 + step * 7)
                stage.deck.load(track, at: TrackTime(frames: place, rate: 1000), isPaused: false)
                stage.deck.setFollowing(step % 2 == 0 ? nil : DeckStage.track(2, frames: 5))
                // Some of them fall into the middle of what the others have begun.
                if step % 10 == 0 { stage.loop.turn(waiting: false) }
            }
            #expect(stage.fill())
            stage.output.play(frames: 10)
            let last = Int64(round * 50_000 + 99 * 7)
            expected.append(Run(1, last..<last + 10))
            #expect(stage.deck.position == TrackTime(frames: last + 10, rate: 1000))
        }
        #expect(stage.output.heard == expected)
        stage.deck.end()
    }

    @Test("a file that hangs keeps nobody waiting, and what was wished last plays when it lets go")
    func hanging() throws {
        let (hanging, release) = (Semaphore(), Semaphore())
        let stage = try DeckStage(open: { track throws(DecoderError) in
            if track.id == TrackID(9) {
                hanging.signal()
                release.wait()
                throw .unreadable("gone at last")
            }
            return try ScriptedDecoder.decoder(at: track.location)
        })
        stage.deck.load(DeckStage.track(1, frames: 1000), at: .zero, isPaused: false)
        stage.deck.setFollowing(DeckStage.track(9, frames: 1000))
        hanging.wait()
        #expect(stage.loop.run(until: { stage.output.heldFrames == 1000 }))
        stage.output.play(frames: 10)
        stage.deck.setFollowing(DeckStage.track(2, frames: 500))
        stage.deck.unload()
        stage.deck.load(DeckStage.track(1, frames: 1000), at: .seconds(0.5), isPaused: false)
        stage.deck.setFollowing(DeckStage.track(3, frames: 5000))
        #expect(stage.deck.position == .seconds(0.5))
        release.signal()
        #expect(stage.play(until: "on to 3"))
        #expect(stage.output.heard.prefix(2) == [Run(1, 0..<10), Run(1, 500..<1000)])
        #expect(!stage.log.contains("failed 9"), "nobody wants it any more")
        stage.deck.end()
    }

    @Test("what follows after all, but is slow to open, follows late; that is no end")
    func slowAfterTheEnd() throws {
        let release = Semaphore()
        let stage = try DeckStage(open: { track throws(DecoderError) in
            if track.id == TrackID(2) { release.wait() }
            return try ScriptedDecoder.decoder(at: track.location)
        })
        stage.deck.load(DeckStage.track(1, frames: 500), at: .zero, isPaused: false)
        stage.deck.setFollowing(nil)
        #expect(stage.fill())
        stage.deck.setFollowing(DeckStage.track(2, frames: 3000))
        stage.output.play(frames: 700)
        // One that was on its way already.
        stage.output.source?.outputDrained()
        #expect(stage.log == ["began 1"] && stage.output.missedFrames == 200)
        release.signal()
        #expect(stage.loop.run(until: { stage.output.heldFrames == 1000 }))
        #expect(stage.play(until: "on to 2"))
        #expect(stage.output.heard.first == Run(1, 0..<500))
        stage.deck.end()
    }

    @Test("taken off and put on again at once, it plays as if nothing had been", arguments: [1, 2])
    func unloadAndLoad(next: Int) throws {
        let stage = try DeckStage()
        stage.deck.load(DeckStage.track(1, frames: 9000), at: .zero, isPaused: false)
        #expect(stage.fill())
        stage.output.play(frames: 5)
        stage.deck.unload()
        stage.deck.load(DeckStage.track(next, frames: 9000), at: .seconds(1), isPaused: false)
        #expect(stage.fill())
        stage.output.play(frames: 5)
        #expect(stage.output.heard == [Run(1, 0..<5), Run(next, 1000..<1005)])
        #expect(stage.output.opened.count == 2)
        stage.deck.end()
    }
}
