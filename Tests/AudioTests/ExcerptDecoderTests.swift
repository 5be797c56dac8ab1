import Audio
import AudioTestSupport
import Music
import Testing

/// A stretch of a file plays as a file of its own: the very samples, no more and no less.
@Suite
struct ExcerptDecoderTests {
    private func frames(of decoder: any Decoder) throws -> [Int] {
        let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: 300)
        defer { buffer.deallocate() }
        var frames: [Int] = []
        while case .samples(let count) = try decoder.read(into: buffer) {
            frames += stride(from: 1, to: count, by: 2).map { Int(buffer[$0]) }
        }
        return frames
    }

    private func excerpt(_ start: Int64, _ end: Int64?, rate: Int32 = 1000) throws -> ExcerptDecoder {
        let excerpt = Excerpt(
            start: TrackTime(frames: start, rate: rate),
            end: end.map { TrackTime(frames: $0, rate: rate) }
        )
        let script = ScriptedDecoder.Script(number: 1, frames: 1000, rate: rate)
        return try ExcerptDecoder(excerpt, of: try ScriptedDecoder.decoder(at: script.location))
    }

    @Test(
        "it reads from its start to its end, wherever the file ends",
        arguments: [
            (0, 300, 0..<300), (300, 1000, 300..<1000), (300, nil, 300..<1000), (900, 5000, 900..<1000),
        ]
            as [(Int64, Int64?, Range<Int>)]
    )
    func reads(start: Int64, end: Int64?, expected: Range<Int>) throws {
        let decoder = try excerpt(start, end)
        #expect(try frames(of: decoder) == Array(expected))
        #expect(try decoder.length() == Int64(expected.count))
    }

    @Test("seeking counts from its own start, and not beyond its end")
    func seeks() throws {
        let decoder = try excerpt(300, 600)
        for (place, rest) in [(0, 300..<600), (299, 599..<600), (300, 600..<600), (5000, 600..<600)] {
            try decoder.seek(to: Int64(place))
            #expect(try frames(of: decoder) == Array(rest))
        }
    }

    @Test(
        "neighbours in 75ths of a second share no sample and leave none out",
        arguments: [44100, 48000, 32000] as [Int32]
    )
    func seam(rate: Int32) throws {
        for count in [1, 7, 74, 75, 76, 4501, 100_003] as [Int64] {
            let seam = TrackTime(frames: count, rate: 75)
            let frame = seam.frames(rate: rate)
            // The first sample that does not lie before the seam.
            #expect(frame == (count * Int64(rate) + 74) / 75)
        }
    }
}
