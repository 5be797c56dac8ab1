import Glibc
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

    /// The file it names on this machine; a relative path begins in the folder where the program was started.
    package func path() throws(LocationError) -> FilePath {
        switch self {
        case .path(let path):
            if path.isAbsolute { return path }
            guard let folder = FilePath.current else {
                throw LocationError(
                    "\(path): the folder that this was called from is gone; give the whole path"
                )
            }
            return folder.appending(path.bytes)
        case .uri(let uri):
            guard let path = FileURI.decode(uri) else {
                throw LocationError("\(Text.cleanLine(uri)): only file: locations can be played")
            }
            return path
        }
    }
}

/// Why a location cannot be used, in one line for people.
package struct LocationError: Error, Equatable, CustomStringConvertible {
    package var description: String

    init(_ description: String) {
        self.description = description
    }
}

extension FilePath {
    /// The folder in which the program was started; `nil` where it has been removed.
    package static var current: FilePath? {
        guard let current = getcwd(nil, 0) else { return nil }
        defer { free(current) }
        let bytes = (0..<strlen(current)).map { UInt8(bitPattern: current[$0]) }
        return FilePath(bytes: bytes)
    }
}
