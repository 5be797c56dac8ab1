import Audio
import AudioTestSupport
import EventLoop
import Music
import Testing

/// A gain multiplies every sample, and changes nothing else.
@Suite(.timeLimit(.minutes(5)))
struct GainDecoderTests {
    private let script = ScriptedDecoder.Script(number: 8, frames: 1000)

    private func samples(of decoder: any Decoder) throws -> [Float] {
        let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: 301)
        defer { buffer.deallocate() }
        var samples: [Float] = []
        while case .samples(let count) = try decoder.read(into: buffer) { samples += buffer[..<count] }
        return samples
    }

    @Test("each sample is multiplied, from wherever it is read")
    func multiplies() throws {
        let plain = try ScriptedDecoder.decoder(at: script.location)
        let decoder = GainDecoder.scaling(try ScriptedDecoder.decoder(at: script.location), by: 0.25)
        #expect(try samples(of: decoder) == samples(of: plain).map { $0 * 0.25 })
        #expect(decoder.format == plain.format)
        #expect(try decoder.length() == 1000)
        try decoder.seek(to: 998)
        #expect(try samples(of: decoder) == [2, 249.5, 2, 249.75])
    }

    @Test("sound before an error is multiplied, then the error comes")
    func passesErrors() throws {
        let broken = ScriptedDecoder.Script(number: 8, frames: 1000, breaksAt: 2)
        let decoder = GainDecoder.scaling(try ScriptedDecoder.decoder(at: broken.location), by: 0.5)
        let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: 100)
        defer { buffer.deallocate() }
        #expect(try decoder.read(into: buffer) == .samples(4))
        #expect(Array(buffer[..<4]) == [4, 0, 4, 0.5])
        #expect(throws: DecoderError.self) { try decoder.read(into: buffer) }
    }

    @Test("a factor of 1 leaves the decoder alone")
    func leavesAlone() throws {
        let plain = try ScriptedDecoder.decoder(at: script.location)
        #expect(GainDecoder.scaling(plain, by: 1) === plain)
    }

    @Test("through the deck, each track has its own factor from its first frame on")
    func throughTheDeck() throws {
        let loop = try EventLoop()
        let output = SimulatedOutput()
        // The factors are powers of two, so that the numbers of tracks and frames are still exact.
        let open: OpenDecoder = { (track) throws(DecoderError) in
            GainDecoder.scaling(
                try ScriptedDecoder.decoder(at: track.location),
                by: track.gain == .track ? 2 : 1
            )
        }
        let deck = try Deck(loop: loop, output: output, open: open, now: { output.now })
        func track(_ number: Int, _ gain: GainKind) -> DeckTrack {
            let script = ScriptedDecoder.Script(number: number, frames: 500)
            return DeckTrack(id: TrackID(UInt64(number)), location: script.location, gain: gain)
        }
        deck.load(track(3, .track), at: .zero, isPaused: false)
        deck.setFollowing(track(5, .album))
        let isOver = { output.heard.last == SimulatedOutput.Run(5, 0..<500) }
        #expect(loop.run(until: isOver, step: output.playALittle))
        let doubled = (0..<500).map { SimulatedOutput.Run(6, $0 * 2..<$0 * 2 + 1) }
        #expect(output.heard == doubled + [SimulatedOutput.Run(5, 0..<500)])
        deck.end()
    }
}
