package import Music

/// Where music is, as a person names it on the command line: a path, which need not be text, or a URI.
package enum Location: Equatable, Sendable {
    case path(FilePath)
    case uri(String)

    /// Reads an argument; `nil` where it is empty.
    ///
    /// Only what has `://` after a scheme is a URI: a file may well be called `Op. 3: Largo.mp3`.
    package init?(argument: [UInt8]) {
        let text = String(validating: argument, as: UTF8.self)
        if let text, let scheme = FileURI.scheme(of: text), text.dropFirst(scheme.count).hasPrefix("://") {
            self = .uri(text)
        } else if let path = FilePath(bytes: argument) {
            self = .path(path)
        } else {
            return nil
        }
    }

    /// The URI by which another process finds it, which may be in another folder.
    package func uri(from folder: FilePath) -> String {
        switch self {
        case .uri(let uri): uri
        case .path(let path): FileURI.encode(folder.appending(path.bytes))
        }
    }
}
