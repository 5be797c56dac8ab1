package import Music

/// Where the desktop keeps the user's music.
package enum MusicFolder {
    /// The folder that `userDirs` names, the bytes of `user-dirs.dirs`; else `Music` in the home folder.
    ///
    /// `nil` where the user has none, which is what naming the home folder itself means. Whether the folder is there is
    /// for the caller to see. The file is a piece of shell of which only quoted paths that begin with `$HOME/` or `/` count.
    package static func find(home: FilePath, userDirs: [UInt8]?) -> FilePath? {
        let lines = (userDirs ?? []).split(separator: UInt8(ascii: "\n"))
        guard let folder = lines.compactMap({ Self.named(in: $0, home: home) }).last else {
            return home.appending("Music".utf8)
        }
        return trimmed(folder) == trimmed(home) ? nil : trimmed(folder)
    }

    /// The path in a line `XDG_MUSIC_DIR="…"`.
    private static func named(in line: ArraySlice<UInt8>, home: FilePath) -> FilePath? {
        let line = line.drop(while: isBlank)
        let name = "XDG_MUSIC_DIR".utf8
        guard line.starts(with: name) else { return nil }
        var rest = line.dropFirst(name.count).drop(while: isBlank)
        guard rest.popFirst() == UInt8(ascii: "=") else { return nil }
        rest = rest.drop(while: isBlank)
        guard rest.popFirst() == UInt8(ascii: "\""), let value = unquoted(rest) else { return nil }
        if value.first == UInt8(ascii: "/") { return FilePath(bytes: value) }
        let variable = "$HOME".utf8
        guard value.starts(with: variable) else { return nil }
        let below = value.dropFirst(variable.count)
        guard let first = below.first else { return home }
        return first == UInt8(ascii: "/") ? home.appending(below.drop { $0 == first }) : nil
    }

    /// What stands before the closing quote, the byte behind a backslash as it is; `nil` where nothing closes it.
    private static func unquoted(_ quoted: ArraySlice<UInt8>) -> [UInt8]? {
        var value: [UInt8] = []
        var bytes = quoted.makeIterator()
        while let byte = bytes.next() {
            switch byte {
            case UInt8(ascii: "\""): return value
            case UInt8(ascii: "\\"): if let escaped = bytes.next() { value.append(escaped) }
            default: value.append(byte)
            }
        }
        return nil
    }

    private static func trimmed(_ path: FilePath) -> FilePath {
        let end = path.bytes.lastIndex { $0 != UInt8(ascii: "/") } ?? 0
        return FilePath(bytes: path.bytes[...end]) ?? path
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }
}
