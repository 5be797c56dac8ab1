import AudioTestSupport
import Music
import Testing

@testable import Audio

/// The mixer by itself.
@Suite
struct CrossfadeTests {
    private func decoder(
        _ number: Int,
        frames: Int64,
        from start: Int64 = 0,
        breaksAt: Int64? = nil,
        changesAt: Int64? = nil
    ) throws -> any Decoder {
        let script = ScriptedDecoder.Script(
            number: number,
            frames: frames,
            breaksAt: breaksAt,
            changesAt: changesAt
        )
        let decoder = try ScriptedDecoder.decoder(at: script.location)
        try decoder.seek(to: start)
        return decoder
    }

    private func read(_ decoder: any Decoder, atATime count: Int = 14) throws -> [Float] {
        let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: count)
        defer { buffer.deallocate() }
        var samples: [Float] = []
        while case .samples(let count) = try decoder.read(into: buffer) { samples += buffer[..<count] }
        return samples
    }

    @Test("the loudness stays, from wholly the one to wholly the other", arguments: [1, 2, 1000] as [Int64])
    func gains(length: Int64) {
        let crossfade = Crossfade(length: length)
        for frame in 0..<length {
            let gains = crossfade.gains(at: frame)
            let (opposite, power) = (
                crossfade.gains(at: length - 1 - frame),
                gains.leaving * gains.leaving + gains.entering * gains.entering
            )
            #expect(abs(power - 1) < 1e-6)
            #expect(abs(gains.leaving - opposite.entering) < 1e-6)
            #expect(gains.leaving >= 0 && gains.entering > 0)
        }
        guard length == 1000 else { return }
        #expect(crossfade.gains(at: 0).leaving > 0.999_99 && crossfade.gains(at: 0).entering < 0.001)
    }

    @Test(
        "each frame is the sum of both, then the second goes on alone, however much is read at a time",
        arguments: [2, 14, 64, 4608]
    )
    func mixes(atATime: Int) throws {
        let mixed = CrossfadeDecoder(
            from: try decoder(1, frames: 120, from: 100),
            to: try decoder(2, frames: 50),
            length: .seconds(0.02)
        ) { _ in Issue.record("nothing is broken") }
        let crossfade = Crossfade(length: 20)
        let expected = (0..<50).flatMap { (frame: Int64) -> [Float] in
            guard frame < 20 else { return [2, Float(frame)] }
            let gains = crossfade.gains(at: frame)
            return [
                2 * gains.entering + 1 * gains.leaving,
                Float(frame) * gains.entering + Float(100 + frame) * gains.leaving,
            ]
        }
        #expect(try read(mixed, atATime: atATime) == expected)
    }

    @Test("a track that ends or breaks within the overlap leaves the other faded, and is told of")
    func endsEarly() throws {
        let gains = Crossfade(length: 20).gains
        var failures: [DecoderError] = []
        let first = CrossfadeDecoder(
            from: try decoder(1, frames: 120, from: 100, breaksAt: 105),
            to: try decoder(2, frames: 30),
            length: .seconds(0.02)
        ) { failures.append($0) }
        let samples = try read(first)
        #expect(failures == [.damaged("scripted damage")])
        #expect(samples.count == 60)
        #expect(samples[8] == 2 * gains(4).entering + gains(4).leaving)
        #expect(samples[10] == 2 * gains(5).entering)
        #expect(samples[38] == 2 * gains(19).entering && samples[40] == 2)

        let second = CrossfadeDecoder(
            from: try decoder(1, frames: 120, from: 100),
            to: try decoder(2, frames: 30, breaksAt: 5),
            length: .seconds(0.02)
        ) { failures.append($0) }
        var rest: [Float] = []
        #expect(throws: DecoderError.damaged("scripted damage")) {
            let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: 16)
            defer { buffer.deallocate() }
            while case .samples(let count) = try second.read(into: buffer) { rest += buffer[..<count] }
        }
        #expect(rest.count == 40 && failures.count == 1)
        #expect(rest[10] == gains(5).leaving && rest[38] == gains(19).leaving)
    }

    @Test("both end at once: so does what is read")
    func bothEnd() throws {
        let decoder = CrossfadeDecoder(
            from: try decoder(1, frames: 110, from: 100),
            to: try decoder(2, frames: 8),
            length: .seconds(0.02)
        ) { _ in }
        #expect(try read(decoder).count == 20)
    }

    @Test("a change of format within the overlap ends it")
    func changesFormat() throws {
        let decoder = CrossfadeDecoder(
            from: try decoder(1, frames: 120, from: 100),
            to: try decoder(2, frames: 30, changesAt: 5),
            length: .seconds(0.02)
        ) { _ in }
        let before = try read(decoder)
        #expect(before.count == 10 && decoder.format.rate == 2000)
        #expect(try read(decoder) == (5..<30).flatMap { [2, Float($0)] })
    }

    @Test("a seek is one in the second track, alone")
    func seeks() throws {
        let decoder = CrossfadeDecoder(
            from: try decoder(1, frames: 120, from: 100),
            to: try decoder(2, frames: 50),
            length: .seconds(0.02)
        ) { _ in }
        #expect(try decoder.length() == 50)
        let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: 8)
        defer { buffer.deallocate() }
        #expect(try decoder.read(into: buffer) == .samples(8))
        try decoder.seek(to: 3)
        #expect(try read(decoder) == (3..<50).flatMap { [2, Float($0)] })
    }
}
