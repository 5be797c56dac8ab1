import Glibc
package import Music

/// What a person names on the command line: a path, relative or not, or a `file:` URI.
package enum Location {
    /// The absolute path meant by `bytes`; throws what is wrong with it, in one line.
    package static func path(of bytes: [UInt8]) throws(LocationError) -> FilePath {
        if let text = String(validating: bytes, as: UTF8.self), let scheme = FileURI.scheme(of: text) {
            if let path = FileURI.decode(text) { return path }
            // A name with a colon in it is a name all the same, if there is such a file.
            guard let path = absolute(bytes), exists(path) else {
                throw LocationError(
                    "\(Text.cleanLine(text)): cannot open \(scheme): locations; give a file or a folder"
                )
            }
            return path
        }
        guard let path = absolute(bytes) else { throw LocationError("an empty name names no file") }
        return path
    }

    private static func exists(_ path: FilePath) -> Bool {
        path.withCString { access($0, F_OK) == 0 }
    }

    private static func absolute(_ bytes: [UInt8]) -> FilePath? {
        guard let path = FilePath(bytes: bytes), !path.isAbsolute else { return FilePath(bytes: bytes) }
        guard let current = getcwd(nil, 0) else { return nil }
        defer { free(current) }
        return FilePath(String(cString: current))?.appending(path.bytes)
    }
}

/// Why a location cannot be used, in one line for people.
package struct LocationError: Error, Equatable, CustomStringConvertible {
    package var description: String

    init(_ description: String) {
        self.description = description
    }
}
