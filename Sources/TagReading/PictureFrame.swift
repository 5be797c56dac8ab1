/// A picture in a tag.
struct PictureFrame {
    /// What it shows, as ID3v2 numbers it: 3 is the front cover.
    var type: UInt8
    /// An image file of a kind that is shown.
    var image: [UInt8]

    /// Reads a frame; `nil` where there is no image in it, only the address of one, or junk.
    ///
    /// Frames of version 2.2 (`isOld`) name the format in three letters instead of a MIME type.
    init?(_ frame: some Collection<UInt8>, isOld: Bool) {
        guard let first = frame.first else { return nil }
        let rest = frame.dropFirst()
        let format = isOld ? rest.prefix(3) : rest.prefix(256).prefix { $0 != 0 }
        guard !format.elementsEqual("-->".utf8) else { return nil }
        let behind = rest.dropFirst(format.count + (isOld ? 0 : 1))
        guard let type = behind.first else { return nil }
        let image = Self.behindText(behind.dropFirst(), ID3Text.Encoding(first))
        guard ImageKind(image) != nil else { return nil }
        self.type = type
        self.image = Array(image)
    }

    /// What follows the description.
    private static func behindText<Bytes: Collection<UInt8>>(
        _ bytes: Bytes,
        _ encoding: ID3Text.Encoding
    ) -> Bytes.SubSequence {
        var rest = bytes[...]
        while !rest.isEmpty {
            let unit = rest.prefix(encoding.unit)
            rest = rest.dropFirst(encoding.unit)
            if unit.allSatisfy({ $0 == 0 }) { break }
        }
        return rest
    }
}

extension PictureFrame {
    /// Takes `image`, where it is one.
    init?(type: Int, image: ArraySlice<UInt8>) {
        guard ImageKind(image) != nil else { return nil }
        self.type = UInt8(clamping: type)
        self.image = Array(image)
    }

    /// Reads a picture block of FLAC, which Ogg files have as text; `nil` likewise.
    init?(block: [UInt8]) {
        guard block.count >= 8 else { return nil }
        let format = block[8...].prefix(block[4...].bigEndian(4))
        guard !format.elementsEqual("-->".utf8) else { return nil }
        let behind = block[format.endIndex...]
        let description = behind.dropFirst(4).prefix(behind.bigEndian(4))
        // Behind it are width, height and depths.
        let sized = block[description.endIndex...].dropFirst(16)
        let image = sized.dropFirst(4).prefix(sized.bigEndian(4))
        self.init(type: block.bigEndian(4), image: image)
    }
}

/// The picture to show of several: the front cover before others, the first of equals.
struct PictureChoice {
    private(set) var best: PictureFrame?

    /// Whether a picture of this type would be chosen.
    func isBetter(_ type: Int) -> Bool {
        guard let best else { return true }
        return type == 3 && best.type != 3
    }

    mutating func offer(_ picture: PictureFrame) {
        if isBetter(Int(picture.type)) { best = picture }
    }
}
