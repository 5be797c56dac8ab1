package import Audio
package import Music

/// The decoders of this module.
package enum Mpg123 {
    /// Opens MPEG audio, layers 1 to 3, by what is in the file.
    ///
    /// Refuses what is no regular file, what is another format whatever its name, and what has no frames of MPEG audio
    /// within ``searchLimit`` bytes behind the tags in front.
    package static func open(_ path: FilePath) throws(DecoderError) -> any Decoder {
        try Mpg123Decoder(path)
    }

    /// About how long the file at `path` plays, from its first frame alone; `nil` where that does not say.
    ///
    /// Refuses what ``open(_:)`` refuses.
    package static func glance(at path: FilePath) throws(DecoderError) -> TrackTime? {
        let file = try MusicFile(path)
        file.start = try placeOfSound(in: file)
        return try TrackLength.glance(at: file)
    }

    /// How much junk in front of the sound is searched, in bytes.
    package static let searchLimit = 2 << 20
}

/// One MP3 (or layer 1, 2) file being read through libmpg123.
package final class Mpg123Decoder: Decoder {
    package private(set) var format: StreamFormat

    private let handle: Mpg123Handle
    private var knownLength: Int64?
    /// What follows the samples that were given last.
    private var pending: Mpg123Handle.Status?

    package init(_ path: FilePath) throws(DecoderError) {
        let file = try MusicFile(path)
        file.start = try placeOfSound(in: file)
        handle = try Mpg123Handle(file: file)
        format = try handle.format()
    }

    package func length() throws(DecoderError) -> Int64? {
        if let knownLength { return knownLength }
        let length = try TrackLength.find(in: handle.file)
        knownLength = length
        return length
    }

    package func read(into samples: UnsafeMutableBufferPointer<Float>) throws(DecoderError) -> Decoded {
        let whole = samples.count - samples.count % Int(format.channels)
        let target = UnsafeMutableBufferPointer(rebasing: samples[..<whole])
        while true {
            if let status = pending {
                switch status {
                case .more: pending = nil
                case .newFormat:
                    pending = nil
                    let former = format
                    format = try handle.format()
                    if format != former { return .formatChange }
                case .end: return .end
                case .failed(let reason): throw .damaged(reason)
                }
            }
            let step = handle.read(into: target)
            pending = step.status
            if step.samples > 0 { return .samples(step.samples) }
        }
    }

    package func seek(to frame: Int64) throws(DecoderError) {
        // libmpg123 says "error" to a place that it does not reach: for a listener that is the end.
        pending = handle.seek(to: max(0, frame)) ? nil : .end
    }
}

/// The place of the first frame of sound: behind the tags and the junk in front.
private func placeOfSound(in file: MusicFile) throws(DecoderError) -> Int64 {
    let content = try FileContent(of: file)
    guard content.kind == .unmarked || content.kind == .mpegInRIFF else {
        throw content.kind.refusal(of: "MP3")
    }
    for window in [1 << 16, Mpg123.searchLimit] {
        let isWhole = file.size - content.start <= window
        let bytes = try file.bytes(at: content.start, count: window)
        switch FirstFrame.find(in: bytes, isWhole: isWhole) {
        case .frame(let place): return content.start + Int64(place)
        case .text: throw .notMusic("it is text, not music")
        case .nothing where isWhole: throw .notMusic("there is no sound in it")
        case .nothing: continue
        }
    }
    throw .notMusic("it is not music that is known")
}
