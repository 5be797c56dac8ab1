import Audio
import Music

/// How many frames of sound a file has: what its decoder will give, to the frame.
///
/// libmpg123's own answer is a guess until it has scanned the file, and once it has scanned it decodes files whose info
/// frame lies otherwise than before. So the decoder that plays never scans: another one counts.
enum TrackLength {
    /// Reads all frame headers; decodes only where the info frame counts fewer frames than there are.
    ///
    /// What an info frame says cannot be checked in a cheaper way: with a variable bit rate any count fits any size.
    static func find(in file: MusicFile) throws(DecoderError) -> Int64 {
        let info = InfoFrame(try file.bytes(at: file.start, count: 256))
        let counter = try Mpg123Handle(file: try MusicFile(sharing: file), isTrimming: false)
        guard let counted = counter.countedLength() else {
            throw .damaged("its length cannot be found out")
        }
        guard let info else { return counted }
        if let length = info.trimmedLength(of: counted) { return length }
        return try playedLength(of: try MusicFile(sharing: file))
    }

    /// What the first frame says of the length, for lists, where reading through the file would cost too much.
    ///
    /// It is what ``find(in:)`` gives where an info frame tells the truth; a length made of size and bit rate is off by
    /// the tags behind the sound, and `nil` is where even that is unknown.
    static func glance(at file: MusicFile) throws(DecoderError) -> TrackTime? {
        let frame = try file.bytes(at: file.start, count: 256)
        guard frame.count > 4, let header = FrameHeader(frame[0], frame[1], frame[2], frame[3]) else {
            return nil
        }
        let size = file.size - file.start
        if let info = InfoFrame(frame), info.size.map({ $0 <= size }) ?? true,
            let length = info.trimmedLength(of: info.frames * info.samples)
        {
            return TrackTime(frames: length, rate: Int32(header.rate))
        }
        guard header.bitRate > 0 else { return nil }
        return TrackTime(microseconds: size * 8_000_000 / Int64(header.bitRate))
    }

    /// Decodes everything: two files joined into one are trimmed in ways that only libmpg123 knows.
    private static func playedLength(of file: MusicFile) throws(DecoderError) -> Int64 {
        let handle = try Mpg123Handle(file: file)
        var (format, frames) = (try handle.format(), Int64(0))
        let samples = UnsafeMutableBufferPointer<Float>.allocate(capacity: 1 << 14)
        defer { samples.deallocate() }
        while true {
            let step = handle.read(into: samples)
            frames += Int64(step.samples) / Int64(format.channels)
            switch step.status {
            case .more: continue
            case .newFormat: format = try handle.format()
            case .end: return frames
            case .failed(let reason): throw .damaged(reason)
            }
        }
    }
}
