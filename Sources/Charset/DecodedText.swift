/// Bytes of unknown encoding, made text.
package struct DecodedText: Equatable, Sendable {
    /// Valid Unicode as it was written, without a byte order mark; it still has to be cleaned with `Text` to be shown.
    package let text: String
    package let encoding: TextEncoding

    /// Decodes a whole text, such as a small file.
    ///
    /// The first 64 KiB decide on the encoding. What is no text in it becomes U+FFFD.
    package init(_ bytes: [UInt8]) {
        let mark = TextEncoding.announced(by: bytes)
        let encoding = mark?.encoding ?? TextEncoding.guess(bytes)
        let body = mark.map { Array(bytes.dropFirst($0.length)) } ?? bytes
        self.encoding = encoding
        text = TextDecoder(encoding).leniently(body)
    }
}
