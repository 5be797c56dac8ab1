import Audio
import Music

/// How many frames of sound a file has: what its decoder will give, to the frame.
///
/// libmpg123's own answer is a guess until it has scanned the file, and once it has scanned it decodes files whose info
/// frame lies otherwise than before. So the decoder that plays never scans: another one counts.
enum TrackLength {
    /// Reads all frame headers of `file`, with a position of its own.
    static func find(in file: MusicFile) throws(DecoderError) -> Survey {
        let info = InfoFrame(try file.bytes(at: file.start, count: 256))
        let counter = try Mpg123Handle(file: try MusicFile(sharing: file), isTrimming: false)
        var survey = try counter.survey()
        guard let info else { return survey }
        survey.frames = info.trimmedLength(of: survey.frames)
        survey.parts = survey.parts.trimmed(by: info.lead)
        return survey
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
        if let info = InfoFrame(frame), info.size.map({ $0 <= size }) ?? true {
            let length = info.trimmedLength(of: info.frames * info.samples)
            return TrackTime(frames: length, rate: Int32(header.rate))
        }
        guard header.bitRate > 0 else { return nil }
        return TrackTime(microseconds: size * 8_000_000 / Int64(header.bitRate))
    }
}
