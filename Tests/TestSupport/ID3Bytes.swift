/// Tags made by hand, byte for byte.
package enum ID3Bytes {
    /// An ID3v2 tag of these frames; `claimed` is the size it says it has.
    package static func tag(
        version: UInt8 = 4,
        flags: UInt8 = 0,
        claimed: Int? = nil,
        _ frames: [UInt8]...
    ) -> [UInt8] {
        let body = Array(frames.joined())
        return Array("ID3".utf8) + [version, 0, flags] + syncsafe(claimed ?? body.count) + body
    }

    /// A frame of version 2.3 or 2.4, whose sizes are alike below 128 bytes.
    package static func frame(
        _ id: String,
        version: UInt8 = 4,
        flags: [UInt8] = [0, 0],
        _ body: [UInt8]
    ) -> [UInt8] {
        let size = version == 4 ? syncsafe(body.count) : bigEndian(body.count, bytes: 4)
        return Array(id.utf8) + size + flags + body
    }

    /// A text frame in UTF-8, NUL between the values.
    package static func text(_ id: String, _ values: String..., version: UInt8 = 4) -> [UInt8] {
        frame(id, version: version, [3] + values.joined(separator: "\0").utf8)
    }

    /// A frame of version 2.2.
    package static func oldFrame(_ id: String, _ body: [UInt8]) -> [UInt8] {
        Array(id.utf8) + bigEndian(body.count, bytes: 3) + body
    }

    /// A picture frame with an empty description.
    package static func picture(_ image: [UInt8], type: UInt8 = 3, mime: String = "image/jpeg") -> [UInt8] {
        frame("APIC", [0] + mime.utf8 + [0, type, 0] + image)
    }

    /// An ID3v1.1 tag.
    package static func v1(
        title: [UInt8],
        artist: [UInt8] = [],
        track: UInt8 = 0,
        genre: UInt8 = 255
    ) -> [UInt8] {
        func field(_ bytes: [UInt8], _ size: Int) -> [UInt8] {
            Array((bytes + [UInt8](repeating: 0, count: size)).prefix(size))
        }
        return Array("TAG".utf8) + field(title, 30) + field(artist, 30) + field([], 30) + field([], 4)
            + field([], 29) + [track, genre]
    }

    /// An APEv2 tag with a footer only.
    package static func ape(_ items: (key: String, value: [UInt8], isText: Bool)...) -> [UInt8] {
        let body = items.flatMap { item in
            littleEndian(item.value.count) + [item.isText ? 0 : 2, 0, 0, 0] + item.key.utf8 + [0] + item.value
        }
        return body + "APETAGEX".utf8 + littleEndian(2000) + littleEndian(body.count + 32)
            + littleEndian(items.count) + [UInt8](repeating: 0, count: 12)
    }

    /// So many frames of silence: 128 kbit/s, 44.1 kHz, 417 bytes each.
    package static func silence(frames: Int) -> [UInt8] {
        let frame: [UInt8] = [0xFF, 0xFB, 0x90, 0x64] + [UInt8](repeating: 0, count: 413)
        return (0..<frames).flatMap { _ in frame }
    }

    /// What begins as a JPEG and differs by `seed`.
    package static func jpeg(seed: UInt8 = 0, size: Int = 64) -> [UInt8] {
        [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: seed, count: size - 4)
    }

    private static func syncsafe(_ size: Int) -> [UInt8] {
        [21, 14, 7, 0].map { UInt8(size >> $0 & 127) }
    }

    private static func bigEndian(_ size: Int, bytes: Int) -> [UInt8] {
        (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: size >> (8 * $0)) }
    }

    private static func littleEndian(_ size: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: size >> (8 * $0)) }
    }
}
