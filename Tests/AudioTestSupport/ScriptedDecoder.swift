package import Audio
package import Music

/// A decoder of made-up sound that tells where it comes from: in each stereo frame the left sample is the number of the
/// track and the right one the number of the frame.
package final class ScriptedDecoder: Decoder {
    /// What a made-up file is like.
    package struct Script: Sendable {
        package var number: Int
        package var frames: Int64
        package var rate: Int32 = 1000
        /// Where an error comes instead of the next frame.
        package var breaksAt: Int64?
        /// Where the rate doubles.
        package var changesAt: Int64?

        package init(
            number: Int,
            frames: Int64,
            rate: Int32 = 1000,
            breaksAt: Int64? = nil,
            changesAt: Int64? = nil
        ) {
            self.number = number
            self.frames = frames
            self.rate = rate
            self.breaksAt = breaksAt
            self.changesAt = changesAt
        }

        /// Where ``ScriptedDecoder/open`` finds it.
        package var location: TrackLocation {
            let parts = [Int64(number), frames, Int64(rate), breaksAt ?? -1, changesAt ?? -1].map(String.init)
            guard let path = FilePath("/script/" + parts.joined(separator: "_")) else {
                preconditionFailure()
            }
            return TrackLocation(path)
        }
    }

    package private(set) var format: StreamFormat
    private let script: Script
    private var frame: Int64 = 0

    private init(_ script: Script) {
        self.script = script
        format = StreamFormat(rate: script.rate, channels: 2)
    }

    /// Opens what ``Script/path`` names.
    package static let open: OpenDecoder = { (track) throws(DecoderError) in try decoder(at: track.location) }

    package static func decoder(at location: TrackLocation) throws(DecoderError) -> any Decoder {
        let numbers = location.path.description.dropFirst("/script/".count).split(separator: "_").compactMap {
            Int64($0)
        }
        guard numbers.count == 5 else { throw .unreadable("there is no such file") }
        return ScriptedDecoder(
            Script(
                number: Int(numbers[0]),
                frames: numbers[1],
                rate: Int32(numbers[2]),
                breaksAt: numbers[3] < 0 ? nil : numbers[3],
                changesAt: numbers[4] < 0 ? nil : numbers[4]
            )
        )
    }

    package func length() -> Int64? { script.frames }

    package func read(into samples: UnsafeMutableBufferPointer<Float>) throws(DecoderError) -> Decoded {
        if let breaksAt = script.breaksAt, frame >= breaksAt { throw .damaged("scripted damage") }
        var end = min(script.frames, script.breaksAt ?? .max)
        if let changesAt = script.changesAt, format.rate == script.rate {
            if frame >= changesAt {
                format.rate *= 2
                return .formatChange
            }
            end = min(end, changesAt)
        }
        let count = min(end - frame, Int64(samples.count / 2))
        guard count > 0 else { return .end }
        for index in 0..<Int(count) {
            samples[index * 2] = Float(script.number)
            samples[index * 2 + 1] = Float(frame + Int64(index))
        }
        frame += count
        return .samples(Int(count) * 2)
    }

    package func seek(to frame: Int64) {
        self.frame = min(frame, script.frames)
    }
}
