package import Music

/// A file whose samples are all multiplied with one number, so that it is as loud as others.
package final class GainDecoder: Decoder {
    private let whole: any Decoder
    private let factor: Float

    private init(_ factor: Float, _ whole: any Decoder) {
        self.factor = factor
        self.whole = whole
    }

    /// `whole` made louder or softer; itself where nothing is to be changed, so that its samples are the file's.
    package static func scaling(_ whole: any Decoder, by factor: Float) -> any Decoder {
        factor == 1 ? whole : GainDecoder(factor, whole)
    }

    package var format: StreamFormat { whole.format }

    package func length() throws(DecoderError) -> Int64? { try whole.length() }

    package func read(into samples: UnsafeMutableBufferPointer<Float>) throws(DecoderError) -> Decoded {
        let decoded = try whole.read(into: samples)
        if case .samples(let count) = decoded {
            let factor = factor
            for index in samples[..<count].indices { samples[index] *= factor }
        }
        return decoded
    }

    package func seek(to frame: Int64) throws(DecoderError) { try whole.seek(to: frame) }

    package func duration() throws(DecoderError) -> TrackTime? { try whole.duration() }

    package func seek(to time: TrackTime) throws(DecoderError) { try whole.seek(to: time) }

    package var seekIndex: SeekIndex? { whole.seekIndex }

    package func seek(with index: @escaping () -> SeekIndex?) { whole.seek(with: index) }
}
