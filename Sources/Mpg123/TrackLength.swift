import Audio

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
