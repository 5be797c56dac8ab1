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
    private let info: InfoFrame?
    /// What reading through the file has told, where that was needed.
    private var survey: Survey?
    /// The rate of the first sound.
    private let firstRate: Int32
    /// Whether nothing has been read since the last seek.
    private var isFreshlySought = false
    /// Where to ask for the places in the file, until they are known.
    private var foreignIndex: (() -> SeekIndex?)?
    /// Whether the places in use are another decoder's word.
    private var isIndexForeign = false
    /// What follows the samples that were given last.
    private var pending: Mpg123Handle.Status?

    package init(_ path: FilePath) throws(DecoderError) {
        let file = try MusicFile(path)
        file.start = try placeOfSound(in: file)
        info = InfoFrame(try file.bytes(at: file.start, count: 256))
        handle = try Mpg123Handle(file: file)
        format = try handle.format()
        firstRate = format.rate
    }

    package func length() throws(DecoderError) -> Int64? {
        try surveyed().frames
    }

    package func duration() throws(DecoderError) -> TrackTime? {
        let survey = try surveyed()
        return survey.parts.time(of: survey.frames)
    }

    package var seekIndex: SeekIndex? { survey?.index }

    package func seek(with index: @escaping () -> SeekIndex?) {
        foreignIndex = index
    }

    private func surveyed() throws(DecoderError) -> Survey {
        if let survey { return survey }
        let found = try TrackLength.find(in: handle.file)
        survey = found
        if let index = found.index { _ = handle.adopt(index) }
        return found
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
            if step.samples > 0 {
                isFreshlySought = false
                return .samples(step.samples)
            }
        }
    }

    package func seek(to frame: Int64) throws(DecoderError) {
        // Beyond any file, and far from where sums overflow.
        let frame = min(max(0, frame), 1 << 48)
        prepareIndex(for: frame)
        // Of two seeks without a read in between libmpg123 would leave out decoding ahead for the second where that is a
        // little earlier. After a seek to the start it does not.
        if isFreshlySought { _ = handle.seek(to: 0) }
        isFreshlySought = true
        // It says "error" to a place that it does not reach: for a listener that is the end.
        let (place, surplus) = info?.aim(at: frame) ?? (frame, 0)
        guard handle.seek(to: place) else {
            pending = .end
            return
        }
        pending = nil
        format = try handle.format()
        skip(surplus)
    }

    package func seek(to time: TrackTime) throws(DecoderError) {
        let parts = survey?.parts ?? RateParts(rate: firstRate)
        try seek(to: parts.frame(at: max(.zero, time)))
        // Whether the rate changes in the file is known only by reading through it, which is worth it where it did.
        guard survey == nil, format.rate != firstRate || pending == .end else { return }
        try seek(to: surveyed().parts.frame(at: max(.zero, time)))
    }
}

extension Mpg123Decoder {
    /// Reads `frames` for nobody.
    private func skip(_ frames: Int64) {
        guard frames > 0 else { return }
        withUnsafeTemporaryAllocation(of: Float.self, capacity: Int(frames) * Int(format.channels)) { rest in
            var rest = rest[...]
            while !rest.isEmpty, pending == nil || pending == .more {
                let step = handle.read(into: UnsafeMutableBufferPointer(rebasing: rest))
                rest = rest.dropFirst(step.samples)
                pending = step.status
            }
        }
        isFreshlySought = false
    }

    /// Sees to it that the way to `frame` is short, and that the places in use are true.
    private func prepareIndex(for frame: Int64) {
        if let find = foreignIndex, handle.isFar(frame), let index = find() {
            foreignIndex = nil
            isIndexForeign = handle.adopt(index)
        }
        if isIndexForeign, !handle.isIndexTrue(near: frame) {
            handle.dropIndex()
            isIndexForeign = false
        }
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
