/// The Xing or Info frame that encoders put first: how many frames follow and how much of them is no music.
struct InfoFrame: Equatable {
    /// Frames of data that follow it.
    var frames: Int64
    /// Bytes of the stream, this frame with it; `nil` where it does not say.
    var size: Int64?
    /// Frames of sound that the encoder put in front and behind.
    var delay: Int64
    var padding: Int64
    /// Frames of sound in a frame of data.
    var samples: Int64

    /// Reads the frame that `bytes` begin with; `nil` where it is none or does not count its frames.
    init?(_ frame: some Collection<UInt8>) {
        let bytes = Array(frame.prefix(256))
        guard bytes.count > 4, let header = FrameHeader(bytes[0], bytes[1], bytes[2], bytes[3]),
            header.layer == 3
        else { return nil }
        let sideInformation = header.version == .mpeg1 ? (header.isMono ? 17 : 32) : (header.isMono ? 9 : 17)
        var rest = bytes.dropFirst(4 + sideInformation)
        guard rest.starts(with: "Xing".utf8) || rest.starts(with: "Info".utf8) else { return nil }
        rest = rest.dropFirst(4)

        func number(_ count: Int) -> Int64 {
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count).reduce(0) { $0 << 8 | Int64($1) }
        }
        let flags = number(4)
        frames = flags & 1 != 0 ? number(4) : 0
        size = flags & 2 != 0 ? number(4) : nil
        // A table for seeking and a quality may stand in between.
        for (flag, count) in [(4, 100), (8, 4)] where flags & Int64(flag) != 0 {
            rest = rest.dropFirst(count)
        }
        // The encoder's name, then 12 bytes of what it did, then delay and padding in 12 bits each.
        let hasEncoder = rest.count >= 24 && rest.first != 0
        rest = rest.dropFirst(21)
        let trims = hasEncoder ? number(3) : 0
        delay = trims >> 12
        padding = trims & 0xFFF
        samples = Int64(header.samples)
        guard frames > 0 else { return nil }
    }

    /// Frames of sound that are cut off in front: a decoder adds 529 of its own to those of the encoder.
    var lead: Int64 { delay + 529 }

    /// Where to send libmpg123 so that it gets to `frame`, and how much it gives too early then.
    ///
    /// In what the file holds beyond the frames of data that are counted here it goes to whole frames of data only, and where
    /// that is nearly all of the file it takes more to be trimmed than there is.
    func aim(at frame: Int64) -> (place: Int64, surplus: Int64) {
        let total = frames * samples
        let end = min(total, total - padding + 529)
        let excess = max(0, lead - end)
        return (max(0, frame - excess), max(0, frame - excess + lead - end) % samples)
    }

    /// The frames of sound that are left of `decoded` after trimming.
    ///
    /// What the file holds beyond the frames of data that are counted here has been added later and is played as it is.
    func trimmedLength(of decoded: Int64) -> Int64 {
        let total = frames * samples
        let end = min(decoded, total, total - padding + 529)
        return max(0, end - lead) + max(0, decoded - total)
    }
}
