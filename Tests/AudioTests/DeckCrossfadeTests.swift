import AudioTestSupport
import EventLoop
import Music
import Testing

@testable import Audio

/// The deck plays one track into the other, whatever happens meanwhile.
@Suite(.timeLimit(.minutes(5)))
struct DeckCrossfadeTests {
    private typealias Frame = SimulatedOutput.Frame
    private static let frames: Int64 = 14_000
    private static let overlap = Overlap(start: .seconds(13), length: .seconds(1))

    private static func track(_ number: Int, rate: Int32 = 1000) -> DeckTrack {
        DeckStage.track(number, frames: frames, rate: rate)
    }

    private func plain(_ track: Int, _ frames: Range<Int64>) -> [Frame] {
        frames.map { Frame(Float(track), Float($0)) }
    }

    /// The first track from `start`, and the other over its end.
    private func crossfaded(from start: Int64 = 0, to track: Int, until end: Int64 = frames) -> [Frame] {
        let crossfade = Crossfade(length: 1000)
        let mixed = (0..<min(1000, end)).map { (frame: Int64) -> Frame in
            let gains = crossfade.gains(at: frame)
            return Frame(
                Float(track) * gains.entering + 1 * gains.leaving,
                Float(frame) * gains.entering + Float(13_000 + frame) * gains.leaving
            )
        }
        return plain(1, start..<13_000) + mixed + (end > 1000 ? plain(track, 1000..<end) : [])
    }

    /// Plays the track from so near to its end that the decoder must know beforehand what follows.
    private func begin(
        _ track: DeckTrack,
        at start: TrackTime,
        then next: DeckTrack,
        open: @escaping OpenDecoder = ScriptedDecoder.open
    ) throws -> DeckStage {
        let isSaid = Semaphore()
        let stage = try DeckStage(open: { (track) throws(DecoderError) in
            isSaid.wait()
            isSaid.signal()
            return try open(track)
        })
        stage.deck.load(track, at: start, isPaused: false)
        stage.deck.setFollowing(next, overlap: Self.overlap)
        isSaid.signal()
        return stage
    }

    private func playToTheEnd(_ stage: DeckStage) {
        stage.deck.setFollowing(nil)
        #expect(stage.play(until: "ended"))
        #expect(stage.output.missedFrames == 0)
    }

    @Test("the next track is announced where it begins, and its position is its own")
    func plays() throws {
        let stage = try DeckStage()
        stage.deck.load(Self.track(1), at: .zero, isPaused: false)
        stage.deck.setFollowing(Self.track(2), overlap: Self.overlap)
        #expect(stage.play(until: "on to 2"))
        #expect(stage.deck.position < .seconds(0.1))
        #expect(stage.output.heardFrames.count >= 13_000 && stage.output.heardFrames.count < 13_100)
        playToTheEnd(stage)
        #expect(stage.output.heardFrames == crossfaded(to: 2))
        #expect(stage.log == ["began 1", "on to 2", "ended"])
        stage.deck.end()
    }

    @Test("three tracks, each over the end of the one before")
    func chain() throws {
        let stage = try DeckStage()
        stage.deck.load(Self.track(1), at: .zero, isPaused: false)
        stage.deck.setFollowing(Self.track(2), overlap: Self.overlap)
        #expect(stage.play(until: "on to 2"))
        stage.deck.setFollowing(Self.track(3), overlap: Self.overlap)
        #expect(stage.play(until: "on to 3"))
        playToTheEnd(stage)
        #expect(stage.output.heardFrames.count == 13_000 + 13_000 + 14_000)
        #expect(stage.output.heardFrames.suffix(13_000) == plain(3, 1000..<14_000)[...])
        stage.deck.end()
    }

    @Test(
        "what follows may change at any moment before it is heard, and nothing tells that it was another",
        arguments: 0..<30
    )
    func lateChanges(seed: UInt64) throws {
        var random = SeededNumbers(seed)
        let stage = try DeckStage()
        stage.deck.load(Self.track(1), at: .seconds(2), isPaused: false)
        var last = 2
        stage.deck.setFollowing(Self.track(last), overlap: Self.overlap)
        // Once an end without overlap has been decoded, it is too late for one.
        let mayBePlain = seed % 3 == 0
        var hasBeenPlain = false
        var isPlain = false
        while stage.output.heardFrames.count < 11_000 {
            #expect(stage.fill())
            if Int.random(in: 0..<20, using: &random) == 0 || stage.output.heardFrames.count > 10_500 {
                last = Int.random(in: 1...4, using: &random)
                isPlain = last == 1 || mayBePlain && Bool.random(using: &random)
                if !mayBePlain, isPlain { (last, isPlain) = (3, false) }
                hasBeenPlain = hasBeenPlain || isPlain
                stage.deck.setFollowing(Self.track(last), overlap: isPlain ? nil : Self.overlap)
                #expect(stage.fill())
            }
            let rest = 11_000 - stage.output.heardFrames.count
            stage.output.play(frames: min(rest, Int.random(in: 1...90, using: &random)))
        }
        #expect(stage.play(until: "on to \(last)"))
        playToTheEnd(stage)
        let joined = plain(1, 2000..<14_000) + plain(last, 0..<14_000)
        let mixed = crossfaded(from: 2000, to: last)
        let heard = stage.output.heardFrames
        #expect(isPlain ? heard == joined : heard == mixed || hasBeenPlain && heard == joined)
        stage.deck.end()
    }

    @Test("a change after the overlap has begun concerns the track that has")
    func changesWithin() throws {
        let stage = try begin(Self.track(1), at: .seconds(12.5), then: Self.track(2))
        #expect(stage.play(until: "on to 2"))
        #expect(stage.fill())
        stage.output.play(frames: 100)
        for number in [3, 4, 3] { stage.deck.setFollowing(Self.track(number)) }
        #expect(stage.play(until: "on to 3"))
        playToTheEnd(stage)
        #expect(
            stage.output.heardFrames == crossfaded(from: 12_500, to: 2) + plain(3, 0..<14_000)
        )
        stage.deck.end()
    }

    @Test(
        "a jump into the overlap's place in the old track is a plain join; one within the new track is alone"
    )
    func jumps() throws {
        let stage = try begin(Self.track(1), at: .seconds(12.5), then: Self.track(2))
        #expect(stage.play(until: "on to 2"))
        stage.deck.load(Self.track(1), at: .seconds(13.4), isPaused: false)
        stage.deck.setFollowing(Self.track(2), overlap: Self.overlap)
        let before = stage.output.heardFrames.count
        #expect(stage.fill())
        stage.output.play(frames: 800)
        #expect(
            stage.output.heardFrames.dropFirst(before) == (plain(1, 13_400..<14_000) + plain(2, 0..<200))[...]
        )
        stage.deck.load(Self.track(2), at: .seconds(0.1), isPaused: false)
        #expect(stage.fill())
        stage.output.play(frames: 900)
        #expect(stage.output.heardFrames.suffix(900) == plain(2, 100..<1000)[...])
        stage.deck.end()
    }

    @Test("where the next track is of another format or does not open, the old one plays to its end")
    func impossible() throws {
        for next in [Self.track(2, rate: 2000), DeckStage.track(3, frames: 100)] {
            let stage = try begin(Self.track(1), at: .seconds(12), then: next) { track throws(DecoderError) in
                if track.id == TrackID(3) { throw .unreadable("gone") }
                return try ScriptedDecoder.decoder(at: track.location)
            }
            if next.id == TrackID(3) {
                #expect(stage.loop.run(until: { stage.log.contains("failed 3") }))
                #expect(stage.fill())
                stage.output.play(frames: 100)
                #expect(stage.fill())
                stage.deck.setFollowing(Self.track(4), overlap: Self.overlap)
                #expect(stage.play(until: "on to 4"))
            } else {
                #expect(stage.play(until: "on to 2"))
            }
            #expect(stage.output.heardFrames.prefix(2000) == plain(1, 12_000..<14_000)[...])
            stage.deck.end()
        }
    }

    @Test("a break within the overlap is told of the track that is broken")
    func broken() throws {
        let stage = try begin(
            DeckStage.track(1, frames: 14_000, breaksAt: 13_500),
            at: .seconds(12),
            then: DeckStage.track(2, frames: 5000, breaksAt: 800)
        )
        #expect(stage.loop.run(until: { stage.log.contains("on to 2") }, step: stage.output.playALittle))
        stage.deck.setFollowing(DeckStage.track(3, frames: 3000))
        #expect(stage.play(until: "on to 3"))
        playToTheEnd(stage)
        #expect(stage.log.filter { !$0.hasPrefix("damaged") } == ["began 1", "on to 2", "on to 3", "ended"])
        #expect(stage.log.filter { $0.hasPrefix("damaged") } == ["damaged 1", "damaged 2"])
        // The overlap goes on as far as one of them does.
        #expect(stage.output.heardFrames.count == 1000 + 800 + 3000)
        stage.deck.end()
    }
}
