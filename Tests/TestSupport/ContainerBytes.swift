/// Files of FLAC, Ogg Vorbis and Opus made by hand, as far as tags go.
package enum VorbisBytes {
    /// A tag of these comments; `claimed` is how many it says there are.
    package static func comments(_ comments: String..., claimed: Int? = nil) -> [UInt8] {
        self.comments(comments.map { Array($0.utf8) }, claimed: claimed)
    }

    package static func comments(_ comments: [String]) -> [UInt8] {
        self.comments(comments.map { Array($0.utf8) })
    }

    package static func comments(_ comments: [[UInt8]], claimed: Int? = nil) -> [UInt8] {
        let vendor = Array("nobody".utf8)
        return little(vendor.count) + vendor + little(claimed ?? comments.count)
            + comments.flatMap { little($0.count) + $0 }
    }

    /// A picture block of FLAC; `claimed` is the size that it says its image has.
    package static func picture(
        _ image: [UInt8],
        type: Int = 3,
        mime: String = "image/jpeg",
        claimed: Int? = nil
    ) -> [UInt8] {
        big(type) + big(mime.utf8.count) + mime.utf8 + big(4) + "text".utf8
            + [UInt8](repeating: 0, count: 16) + big(claimed ?? image.count) + image
    }

    /// A FLAC file without sound: a stream's head, these comments and further blocks.
    package static func flac(_ comments: [UInt8], _ blocks: (type: UInt8, body: [UInt8])...) -> [UInt8] {
        let all = [(type: 0, body: [UInt8](repeating: 0, count: 34)), (4, comments)] + blocks
        return Array("fLaC".utf8)
            + all.enumerated().flatMap { index, block in
                [block.type | (index == all.count - 1 ? 0x80 : 0)] + big(block.body.count).dropFirst()
                    + block.body
            }
    }

    package static func vorbis(_ comments: [UInt8], pageSize: Int = 255) -> [UInt8] {
        ogg(
            Array("\u{1}vorbis".utf8) + [UInt8](repeating: 0, count: 23),
            "\u{3}vorbis".utf8 + comments + [1],
            pageSize
        )
    }

    package static func opus(_ comments: [UInt8], pageSize: Int = 255) -> [UInt8] {
        ogg(Array("OpusHead".utf8) + [UInt8](repeating: 0, count: 11), "OpusTags".utf8 + comments, pageSize)
    }

    package static func speex(_ comments: [UInt8]) -> [UInt8] {
        ogg(Array("Speex   ".utf8) + [UInt8](repeating: 0, count: 72), comments, 255)
    }

    /// Two packets, the second on pages of so many segments, between pages of another stream.
    private static func ogg(_ head: [UInt8], _ packet: [UInt8], _ segments: Int) -> [UInt8] {
        let other = page(Array("fishead\0".utf8), [8], stream: 9)
        var file = other + page(head, [UInt8(head.count)], stream: 7)
        var sizes = [UInt8](repeating: 255, count: packet.count / 255) + [UInt8(packet.count % 255)]
        var rest = packet[...]
        while !sizes.isEmpty {
            let part = Array(sizes.prefix(segments))
            let length = part.reduce(0) { $0 + Int($1) }
            file += page(Array(rest.prefix(length)), part, stream: 7) + other
            rest = rest.dropFirst(length)
            sizes.removeFirst(part.count)
        }
        return file
    }

    private static func page(_ body: [UInt8], _ sizes: [UInt8], stream: UInt8) -> [UInt8] {
        Array("OggS".utf8) + [UInt8](repeating: 0, count: 10) + [stream, 0, 0, 0]
            + [UInt8](repeating: 0, count: 8) + [UInt8(sizes.count)] + sizes + body
    }

    package static func big(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    package static func little(_ number: Int) -> [UInt8] { big(number).reversed() }

    private static let letters = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
    )

    /// Bytes in 64 letters.
    package static func base64(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let part = bytes[start..<min(start + 3, bytes.count)]
            let bits = (part + [UInt8](repeating: 0, count: 3 - part.count)).reduce(0) { $0 << 8 | Int($1) }
            text += [18, 12, 6, 0].map { letters[bits >> $0 & 63] }.prefix(part.count + 1)
            text += [UInt8](repeating: UInt8(ascii: "="), count: 3 - part.count)
        }
        return String(decoding: text, as: UTF8.self)
    }
}

/// WAV and AIFF files made by hand, as far as tags go.
package enum ChunkBytes {
    /// Behind some sound that looks like nothing.
    package static func wav(_ chunks: (name: String, body: [UInt8])..., sound: Int = 1001) -> [UInt8] {
        let format: [UInt8] = [1, 0, 1, 0, 0x40, 0x1F, 0, 0, 0x80, 0x3E, 0, 0, 2, 0, 16, 0]
        let all = [("fmt ", format), ("data", [UInt8](repeating: 7, count: sound))] + chunks
        return Array("RIFF".utf8) + VorbisBytes.little(1 << 20) + "WAVE".utf8
            + all.flatMap { chunk($0, $1, size: VorbisBytes.little) }
    }

    package static func aiff(_ chunks: (name: String, body: [UInt8])...) -> [UInt8] {
        let all = [("SSND", [UInt8](repeating: 7, count: 1001))] + chunks
        return Array("FORM".utf8) + VorbisBytes.big(1 << 20) + "AIFF".utf8
            + all.flatMap { chunk($0, $1, size: VorbisBytes.big) }
    }

    /// A list of texts, as WAV files have them.
    package static func info(_ texts: (name: String, text: String)...) -> [UInt8] {
        "INFO".utf8 + texts.flatMap { chunk($0, $1.utf8 + [0], size: VorbisBytes.little) }
    }

    package static func info(_ texts: [(name: String, text: [UInt8])]) -> [UInt8] {
        "INFO".utf8 + texts.flatMap { chunk($0, $1 + [0], size: VorbisBytes.little) }
    }

    private static func chunk(_ name: String, _ body: [UInt8], size: (Int) -> [UInt8]) -> [UInt8] {
        name.utf8 + size(body.count) + body + (body.count % 2 == 0 ? [] : [0])
    }
}

/// MP4 files made by hand, as far as tags go.
package enum MP4Bytes {
    /// Behind some sound that looks like nothing.
    package static func file(_ items: [UInt8]...) -> [UInt8] {
        let list = atom("ilst", Array(items.joined()))
        let tags = atom("moov", atom("mvhd", [0, 0]) + atom("udta", atom("meta", [0, 0, 0, 0] + list)))
        return atom("ftyp", Array("M4A \0\0\0\0".utf8)) + atom("mdat", [UInt8](repeating: 7, count: 100))
            + tags
    }

    /// An item of the list; the first letter of most names is ©.
    package static func item(_ name: String, _ values: [UInt8]...) -> [UInt8] {
        atom(name, values.flatMap { atom("data", [0, 0, 0, 1, 0, 0, 0, 0] + $0) })
    }

    /// An item with a name of its own.
    package static func named(_ name: String, _ value: String) -> [UInt8] {
        atom(
            "----",
            atom("mean", [0, 0, 0, 0] + "com.apple.iTunes".utf8) + atom("name", [0, 0, 0, 0] + name.utf8)
                + atom("data", [0, 0, 0, 1, 0, 0, 0, 0] + value.utf8)
        )
    }

    package static func atom(_ name: String, _ body: [UInt8]) -> [UInt8] {
        VorbisBytes.big(body.count + 8) + name.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
            + body
    }
}
