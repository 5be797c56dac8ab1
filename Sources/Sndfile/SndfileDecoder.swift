package import Audio
package import Music

/// One file being read through libsndfile: a single stream, or those of an Ogg file one after the other.
package final class SndfileDecoder: Decoder {
    package private(set) var format: StreamFormat

    private let file: MusicFile
    private let links: [Link]
    private var current: OpenLink
    /// Whether the file begins with two channels: it stays so where a later stream has one.
    private let isStereo: Bool
    /// The frame of the current link that is read next.
    private var place: Int64 = 0
    private var knownLength: Int64?
    /// Set by a seek to beyond the end.
    private var isOver = false

    /// A stream, and where its sound stands in that of the file.
    private struct Link {
        var pieces: [Range<Int64>]
        /// The number of the frames before it.
        var start: Int64
        /// The number of its own; `nil` where it does not count them.
        var frames: Int64?
        var rate: Int32
    }

    /// Begins with the first stream of `file`.
    init(_ file: MusicFile) throws(DecoderError) {
        let streams = try OggLinks.find(in: file)
        var (links, start) = ([Link](), Int64(0))
        if streams.count > 1 {
            // A stream that cannot be played is passed over.
            for pieces in streams {
                guard let link = try? OpenLink(file, pieces, number: links.count),
                    let frames = link.handle.frames
                else { continue }
                links.append(Link(pieces: pieces, start: start, frames: frames, rate: link.format.rate))
                start += frames
            }
        }
        let first = try OpenLink(file, links.first?.pieces ?? streams[0], number: 0)
        if links.isEmpty {
            links = [Link(pieces: streams[0], start: 0, frames: first.handle.frames, rate: first.format.rate)]
        }
        isStereo = first.format.channels == 2
        self.file = file
        self.links = links
        current = first
        format = first.format
        try first.readAhead()
    }

    /// The number of frames that the headers count; `nil` where they do not.
    var statedLength: Int64? {
        links.last.flatMap { link in link.frames.map { link.start + $0 } }
    }

    /// The time that these take; `nil` where it is not known.
    var statedDuration: TrackTime? {
        guard statedLength != nil else { return nil }
        return links.reduce(.zero) { $0 + TrackTime(frames: $1.frames ?? 0, rate: $1.rate) }
    }

    package func length() throws(DecoderError) -> Int64? {
        if let knownLength { return knownLength }
        let length: Int64
        if let statedLength, try isThere(statedLength) {
            length = statedLength
        } else {
            length = try playedLength()
        }
        knownLength = length
        return length
    }

    package func read(into samples: UnsafeMutableBufferPointer<Float>) throws(DecoderError) -> Decoded {
        while !isOver {
            let count = current.read(into: samples)
            if count > 0 {
                place += Int64(count)
                return .samples(count * Int(format.channels))
            }
            try expectEnd()
            try goOn()
            if format != current.format {
                format = current.format
                return .formatChange
            }
        }
        return .end
    }

    package func seek(to frame: Int64) throws(DecoderError) {
        let frame = max(0, frame)
        let number = links.lastIndex { $0.start <= frame } ?? 0
        let target = frame - links[number].start
        isOver = number == links.count - 1 && links[number].frames.map { target >= $0 } ?? false
        guard !isOver else { return }
        if number != current.number { try take(number) }
        format = current.format
        switch current.handle.codec {
        case .vorbis: try goVorbis(to: target)
        case .opus: try goOpus(to: target)
        case .flac, .other:
            guard target > 0, current.seek(to: target) else { return try goStraight(to: target) }
            place = target
        }
    }

    /// Reads from the start to `target`; with damage in the way of a quick search, what can be heard before it leads there.
    private func goStraight(to target: Int64) throws(DecoderError) {
        try take(current.number)
        try goOn(to: target)
    }

    /// Reads on to `target`, which is not behind the place where it stands.
    private func goOn(to target: Int64) throws(DecoderError) {
        current.skip(target - place)
        place = target
    }

    private func goVorbis(to target: Int64) throws(DecoderError) {
        if target >= place, target - place < Self.near { return try goOn(to: target) }
        let link = links[current.number]
        guard let frames = link.frames, let search = try VorbisSearch(file, in: link.pieces[0]),
            let pieces = try search.pieces(for: target),
            let middle = try? OpenLink(file, pieces, number: current.number, isStereo: isStereo),
            let rest = middle.handle.frames, 0...target ~= frames - rest
        else { return try goStraight(to: target) }
        current = middle
        place = frames - rest
        try goOn(to: target)
    }

    /// From a new start, since libsndfile counts wrongly after the end of the music; with a run-up, in which the decoder
    /// comes into the state that it would have been in.
    private func goOpus(to target: Int64) throws(DecoderError) {
        if target >= place, target - place < Self.near { return try goOn(to: target) }
        try take(current.number)
        let early = target - Self.runUp
        if early > 0 {
            guard current.seek(to: early) else { return try goStraight(to: target) }
            place = early
        }
        try goOn(to: target)
    }

    /// How many frames are rather decoded than jumped over.
    private static let near: Int64 = 48_000
    /// Two seconds.
    private static let runUp: Int64 = 96_000

    package func duration() throws(DecoderError) -> TrackTime? {
        links.count > 1 ? statedDuration : try length().map { TrackTime(frames: $0, rate: format.rate) }
    }

    package func seek(to time: TrackTime) throws(DecoderError) {
        var rest = time
        for link in links {
            let own = TrackTime(frames: link.frames ?? .zero, rate: link.rate)
            if rest < own || link.start == links[links.count - 1].start {
                return try seek(to: link.start + rest.frames(rate: link.rate))
            }
            rest = rest - own
        }
    }

    private func take(_ number: Int) throws(DecoderError) {
        current = try OpenLink(file, links[number].pieces, number: number, isStereo: isStereo)
        place = 0
    }

    /// Goes over to the next stream, or ends.
    private func goOn() throws(DecoderError) {
        let next = current.number + 1
        if next < links.count { try take(next) } else { isOver = true }
    }

    /// Throws unless the present stream has been read to its end.
    private func expectEnd() throws(DecoderError) {
        if let failure = current.handle.failure { throw failure }
        if let frames = links[current.number].frames {
            if place < frames {
                throw .damaged("it is cut short or damaged: \(seconds(frames - place)) are missing")
            }
        } else if current.handle.isConfused {
            throw .damaged("it is damaged")
        }
    }

    /// Whether the last of `frames` frames can be decoded, where the header could promise too much.
    ///
    /// FLAC's says what the encoder wrote; in the other formats the size of the file or its last page has been looked at.
    private func isThere(_ frames: Int64) throws(DecoderError) -> Bool {
        guard current.handle.codec == .flac, frames > 0 else { return true }
        let other = try OpenLink(file, links[0].pieces, number: 0)
        guard other.seek(to: frames - 1) else { return false }
        let room = Int(other.format.channels)
        return withUnsafeTemporaryAllocation(of: Float.self, capacity: room) { other.read(into: $0) } == 1
    }

    /// Decodes everything that can be, with a decoder of its own.
    private func playedLength() throws(DecoderError) -> Int64 {
        let other = try SndfileDecoder(file)
        let samples = UnsafeMutableBufferPointer<Float>.allocate(capacity: 1 << 14)
        defer { samples.deallocate() }
        var frames: Int64 = 0
        do throws(DecoderError) {
            while true {
                switch try other.read(into: samples) {
                case .samples(let count): frames += Int64(count) / Int64(other.format.channels)
                case .formatChange: continue
                case .end: return frames
                }
            }
        } catch .damaged {
            return frames
        }
    }

    private func seconds(_ frames: Int64) -> String {
        let tenths = max(1, frames * 10 / Int64(format.rate))
        return "\(tenths / 10).\(tenths % 10) s"
    }
}
