/// The four bytes in front of every frame of MPEG audio.
struct FrameHeader: Equatable {
    enum Version { case mpeg1, mpeg2, mpeg25 }

    var version: Version
    /// 1, 2 or 3.
    var layer: Int
    /// Bits a second; 0 in free format, where nothing but the next header tells the frame's length.
    var bitRate: Int
    /// Frames of sound a second.
    var rate: Int
    /// Whether the frame is a slot longer than the bit rate says.
    var isPadded: Bool
    var isMono: Bool

    /// The header that these bytes are, or `nil` for what no encoder writes.
    init?(_ b0: UInt8, _ b1: UInt8, _ b2: UInt8, _ b3: UInt8) {
        guard b0 == 0xFF, b1 & 0xE0 == 0xE0 else { return nil }
        switch b1 >> 3 & 3 {
        case 0: version = .mpeg25
        case 2: version = .mpeg2
        case 3: version = .mpeg1
        default: return nil
        }
        layer = 4 - Int(b1 >> 1 & 3)
        guard layer < 4, b2 >> 4 != 15, b2 >> 2 & 3 != 3 else { return nil }
        bitRate = kilobits(version, layer, Int(b2 >> 4)) * 1000
        let divisor = version == .mpeg1 ? 1 : version == .mpeg2 ? 2 : 4
        rate = [44100, 48000, 32000][Int(b2 >> 2 & 3)] / divisor
        isPadded = b2 & 2 != 0
        isMono = b3 >> 6 == 3
    }

    /// A header that nobody has written.
    private init(version: Version, layer: Int, bitRate: Int, rate: Int) {
        self.version = version
        self.layer = layer
        self.bitRate = bitRate
        self.rate = rate
        isPadded = false
        isMono = false
    }

    /// Frames of sound in a frame of data.
    var samples: Int {
        switch layer {
        case 1: 384
        case 2: 1152
        default: version == .mpeg1 ? 1152 : 576
        }
    }

    /// Bytes from this header to the next; `nil` in free format.
    var length: Int? {
        guard bitRate > 0 else { return nil }
        return layer == 1
            ? (12 * bitRate / rate + (isPadded ? 1 : 0)) * 4
            : samples / 8 * bitRate / rate + (isPadded ? 1 : 0)
    }

    /// How many frames of data before a place have to be decoded so that it sounds as in a straight read.
    ///
    /// A frame of layer 3 may begin its data in those before it, up to 511 bytes back, 255 in MPEG-2, and the smaller
    /// frames are, the more of them that is. Two more fill the memory of the filters.
    var framesAhead: Int {
        guard layer == 3 else { return 2 }
        let lowest = FrameHeader(
            version: version,
            layer: 3,
            bitRate: kilobits(version, 3, 1) * 1000,
            rate: rate
        )
        let besides = version == .mpeg1 ? (isMono ? 21 : 36) : (isMono ? 13 : 21)
        let data = max(1, (lowest.length ?? 0) - besides)
        let reach = version == .mpeg1 ? 511 : 255
        return max(16, (reach + data - 1) / data + 3)
    }

    /// Whether `other` can follow in the same stream: bit rate, padding and channel mode may differ.
    func isOfOneStream(with other: FrameHeader) -> Bool {
        version == other.version && layer == other.layer && rate == other.rate
            && (bitRate == 0) == (other.bitRate == 0)
    }
}

private func kilobits(_ version: FrameHeader.Version, _ layer: Int, _ index: Int) -> Int {
    switch (version, layer) {
    case (.mpeg1, 1): 32 * index
    case (.mpeg1, 2): [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384][index]
    case (.mpeg1, _): [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320][index]
    case (_, 1): [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256][index]
    default: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160][index]
    }
}
