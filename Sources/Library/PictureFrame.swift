/// A picture in an ID3v2 tag.
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

/// The picture to show of several: the front cover before others, the first of equals.
struct PictureChoice {
    private(set) var best: PictureFrame?

    mutating func offer(_ picture: PictureFrame) {
        guard let best else {
            self.best = picture
            return
        }
        if picture.type == 3, best.type != 3 { self.best = picture }
    }
}
