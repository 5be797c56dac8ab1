package import Charset
package import Music

/// How text is read that does not say its encoding, as far as the user says that.
package struct TagEncodings: Equatable, Sendable {
    /// The encodings that are thought of first.
    package var order: EncodingOrder
    /// Folders in which all such text is in one encoding, with what is below them.
    package var folders: [Folder] = []

    package struct Folder: Equatable, Sendable {
        /// Absolute.
        package var path: FilePath
        package var encoding: TextEncoding

        package init(path: FilePath, encoding: TextEncoding) {
            self.path = path
            self.encoding = encoding
        }

        fileprivate func contains(_ file: FilePath) -> Bool {
            let folder = path.bytes
            return file.bytes.starts(with: folder)
                && (folder.last == UInt8(ascii: "/")
                    || file.bytes.dropFirst(folder.count).first == UInt8(ascii: "/"))
        }
    }

    /// Without a wish: as in the West.
    package init(order: EncodingOrder = EncodingOrder(locale: "")) {
        self.order = order
    }

    /// What is decided about the texts of the file at `path`; `nil` where there is nothing to decide.
    ///
    /// Of folders within each other the innermost counts.
    func decision(_ texts: [UndeclaredText], of path: FilePath) -> EncodingDecision? {
        guard !texts.isEmpty else { return nil }
        let folder = folders.filter { $0.contains(path) }.max { $0.path.bytes.count < $1.path.bytes.count }
        if let folder {
            return EncodingDecision(
                texts,
                forced: folder.encoding,
                because: "the settings say so of \(folder.path)"
            )
        }
        return EncodingDecision(texts, order: order)
    }
}
