package import Music

/// A stretch of a file, played as if it were a file of its own (C249).
package final class ExcerptDecoder: Decoder {
    private let whole: any Decoder
    /// The first frame of the file that belongs to it, and the first that does not any more.
    private let start: Int64
    private let end: Int64?
    /// The frame of the file that is read next.
    private var place: Int64

    /// Takes over `whole`, which must stand at its start, and goes to where `excerpt` begins.
    package init(_ excerpt: Excerpt, of whole: any Decoder) throws(DecoderError) {
        self.whole = whole
        start = excerpt.start.frames(rate: whole.format.rate)
        end = excerpt.end?.frames(rate: whole.format.rate)
        place = start
        if start > 0 { try whole.seek(to: start) }
    }

    package var format: StreamFormat { whole.format }

    package func length() throws(DecoderError) -> Int64? {
        guard let length = try whole.length() else { return end.map { $0 - start } }
        return max(0, min(length, end ?? length) - start)
    }

    package func read(into samples: UnsafeMutableBufferPointer<Float>) throws(DecoderError) -> Decoded {
        let channels = Int(format.channels)
        let frames = min(Int64(samples.count / channels), end.map { $0 - place } ?? .max)
        guard frames > 0 else { return .end }
        let room = UnsafeMutableBufferPointer(rebasing: samples[..<(Int(frames) * channels)])
        let decoded = try whole.read(into: room)
        if case .samples(let count) = decoded { place += Int64(count / channels) }
        return decoded
    }

    /// Of the whole file.
    package var seekIndex: SeekIndex? { whole.seekIndex }

    package func seek(with index: @escaping () -> SeekIndex?) { whole.seek(with: index) }

    package func seek(to frame: Int64) throws(DecoderError) {
        let target = start + max(0, frame)
        try whole.seek(to: target)
        place = target
    }
}
