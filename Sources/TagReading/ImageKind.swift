/// The kinds of image that are handed on, judged by the bytes: what a tag calls them is often wrong (C166).
package enum ImageKind: String, Sendable {
    case jpg, png, webp, gif

    package init?(_ image: some Collection<UInt8>) {
        let head = Array(image.prefix(12))
        func begins(_ magic: [UInt8]) -> Bool { head.starts(with: magic) && image.count > 16 }
        if begins([0xFF, 0xD8, 0xFF]) {
            self = .jpg
        } else if begins([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if begins(Array("GIF8".utf8)) {
            self = .gif
        } else if begins(Array("RIFF".utf8)), head.dropFirst(8).elementsEqual("WEBP".utf8) {
            self = .webp
        } else {
            return nil
        }
    }
}
