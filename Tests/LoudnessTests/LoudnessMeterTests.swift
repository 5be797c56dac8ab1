import Audio
import Glibc
import Loudness
import Music
import Testing

/// A made-up file of sines, one stretch after the other.
private final class Sines: Decoder {
    struct Stretch {
        var seconds: Double
        /// The peak of a sine of 1 kHz in each channel.
        var amplitudes: [Float]
        var rate: Int32 = 48_000
    }

    private var stretches: [Stretch]
    private var frame = 0

    init(_ stretches: Stretch...) { self.stretches = stretches }

    var format: StreamFormat {
        StreamFormat(rate: stretches[0].rate, channels: Int32(stretches[0].amplitudes.count))
    }

    func length() -> Int64? { nil }

    func seek(to frame: Int64) {}

    func read(into samples: UnsafeMutableBufferPointer<Float>) -> Decoded {
        let stretch = stretches[0]
        let channels = stretch.amplitudes.count
        let frames = min(Int(stretch.seconds * Double(stretch.rate)) - frame, samples.count / channels)
        guard frames > 0 else {
            guard stretches.count > 1 else { return .end }
            stretches.removeFirst()
            frame = 0
            return .formatChange
        }
        for index in 0..<frames {
            let phase = Double(frame + index) * 2 * .pi * 1000 / Double(stretch.rate)
            for channel in 0..<channels {
                samples[index * channels + channel] = stretch.amplitudes[channel] * Float(sin(phase))
            }
        }
        frame += frames
        return .samples(frames * channels)
    }
}

@Suite("Loudness")
struct LoudnessMeterTests {
    /// The peak of a sine in both channels that EBU Tech 3341 has at so many LUFS: the same number of dBFS.
    private func amplitude(_ loudness: Double) -> Float { Float(pow(10, loudness / 20)) }

    private func meter(_ stretches: Sines.Stretch...) throws -> LoudnessMeter {
        let decoder = stretches.count == 1 ? Sines(stretches[0]) : Sines(stretches[0], stretches[1])
        return try #require(try LoudnessMeter(decoder) { false })
    }

    private func stereo(_ loudness: Double, seconds: Double = 5, rate: Int32 = 48_000) -> Sines.Stretch {
        Sines.Stretch(
            seconds: seconds,
            amplitudes: [amplitude(loudness), amplitude(loudness)],
            rate: rate
        )
    }

    @Test(
        "a sine of 1 kHz, within a tenth",
        arguments: [-23, -18, -40, -6.0],
        [48_000, 44_100, 8000] as [Int32]
    )
    func sine(loudness: Double, rate: Int32) throws {
        let meter = try meter(stereo(loudness, rate: rate))
        #expect(abs(try #require(meter.loudness) - loudness) < 0.1)
        #expect(abs(Float(meter.peak) - amplitude(loudness)) < 0.001)
        let gain = try #require(ReplayGain.measured([meter]).first)
        #expect(abs(try #require(gain.trackGain) - (-18 - loudness)) < 0.1)
        #expect(gain.albumGain == gain.trackGain)
    }

    @Test("one channel is as loud as the same in two, which is how it is played")
    func mono() throws {
        let meter = try meter(Sines.Stretch(seconds: 5, amplitudes: [amplitude(-23)]))
        #expect(abs(try #require(meter.loudness) + 23) < 0.1)
    }

    @Test("silence and what is too short have no loudness")
    func nothing() throws {
        for stretch in [stereo(-300), stereo(-23, seconds: 0.3), stereo(-23, seconds: 0)] {
            let meter = try meter(stretch)
            #expect(meter.loudness == nil)
            #expect(ReplayGain.measured([meter]) == [ReplayGain()])
        }
    }

    @Test("a change of format in the middle goes on counting, and keeps the peak before it")
    func formatChange() throws {
        let meter = try meter(
            stereo(-23),
            Sines.Stretch(seconds: 5, amplitudes: [amplitude(-26)], rate: 44_100)
        )
        // The mean energy of both, 10 lg ((1 + 1/2) / 2) below the louder.
        #expect(abs(try #require(meter.loudness) + 24.25) < 0.15)
        #expect(abs(Float(meter.peak) - amplitude(-23)) < 0.001)
    }

    @Test("an album is as loud as its tracks together, and has the highest of their peaks")
    func album() throws {
        let tracks = [try meter(stereo(-20)), nil, try meter(stereo(-26)), try meter(stereo(-300))]
        let gains = ReplayGain.measured(tracks)
        #expect(gains[1] == ReplayGain())
        #expect(gains[3] == ReplayGain())
        // 10 lg ((1 + 10^-0.6) / 2) below the louder; the silent one is below the gate.
        let album = -20 + 10 * log10((1 + pow(10, -0.6)) / 2)
        for (index, loudness) in [(0, -20.0), (2, -26)] {
            #expect(abs(try #require(gains[index].trackGain) - (-18 - loudness)) < 0.1)
            #expect(abs(try #require(gains[index].albumGain) - (-18 - album)) < 0.1)
            #expect(abs(Float(try #require(gains[index].albumPeak)) - amplitude(-20)) < 0.001)
        }
    }

    @Test("it stops when it is told to")
    func stops() throws {
        var pieces = 0
        let meter = try LoudnessMeter(Sines(stereo(-23, seconds: 1000))) {
            pieces += 1
            return pieces > 3
        }
        #expect(meter == nil)
        #expect(pieces == 4)
    }
}
