import Glibc
package import Music

/// Finds what the entries of one list really mean, by looking at the disk.
///
/// An entry that is there as it is written costs one `stat`. Only where it is not, are other encodings, separators and letter
/// cases tried. One thread owns it and blocks while it looks.
package final class EntryResolver {
    private let folder: FilePath?
    private let musicSuffixes: [String]
    /// The list's folder and a slash, with room for an entry and the NUL behind it.
    private var room: [UInt8]
    private let prefix: Int
    private lazy var names = FolderNames()
    private var text: ListText?

    /// For the entries of the list at `list`; `musicSuffixes` are those of files that could stand in for one that a cue
    /// sheet names by another suffix (C248).
    package init(list: FilePath, musicSuffixes: Set<String> = []) {
        folder = list.folder
        self.musicSuffixes = musicSuffixes.sorted()
        room = folder.map { $0.bytes.last == slash ? $0.bytes : $0.bytes + [slash] } ?? []
        prefix = room.count
    }

    /// What is there for an entry, or `nil` where nothing is.
    ///
    /// In this order: the bytes as they are, the text in what the list seems to be in and in other encodings (C237), `\` as a
    /// separator, each without regard to letter case where only one file matches (C238), and for a cue sheet a file of
    /// music with another suffix.
    package func find(_ entry: PlaylistEntry) -> FoundFile? {
        if entry.location.kind == .path, let found = look(at: entry.location.bytes) { return found }
        let text = text(for: entry)
        for location in [entry.location] + entry.alternatives {
            if let found = location.firstResult(text, look(at:)) { return found }
        }
        for location in [entry.location] + entry.alternatives {
            if let found = location.firstResult(text, lookAnyCase) { return found }
        }
        return entry.excerpt != nil ? entry.location.firstResult(text, lookAnySuffix) : nil
    }

    /// The path that an entry most plainly means, without a look at the disk; `nil` as in ``PlaylistEntry/path(in:)``.
    package func path(of entry: PlaylistEntry) -> FilePath? { entry.path(in: folder, text(for: entry)) }

    /// All entries of a list have the same encoding.
    private func text(for entry: PlaylistEntry) -> ListText {
        if let text, text.encoding == entry.location.encoding { return text }
        let new = ListText(entry.location.encoding)
        text = new
        return new
    }

    /// What is at a path, which begins in the list's folder unless it is absolute.
    private func look(at path: [UInt8]) -> FoundFile? {
        let isAbsolute = path.first == slash
        room.removeSubrange(prefix...)
        room += path
        room.append(0)
        let start = isAbsolute ? prefix : 0
        guard let status = room.withUnsafeBytes({ Self.status($0, from: start) }) else { return nil }
        let bytes = room[start..<(room.count - 1)]
        guard var found = FilePath(bytes: bytes).map({ FoundFile($0, status) }) else { return nil }
        if Self.isUntidy(path), let tidy = tidied(found) { found = tidy }
        return found
    }

    private func lookAnyCase(_ path: [UInt8]) -> FoundFile? {
        let root: [UInt8] = path.first == slash ? [slash] : folder?.bytes ?? Array(".".utf8)
        guard let match = names.match(path, below: root) else { return nil }
        // A list without a folder of its own is in the current one, which is not spelled out.
        return look(at: folder == nil && match.starts(with: "./".utf8) ? Array(match.dropFirst(2)) : match)
    }

    private func lookAnySuffix(_ path: [UInt8]) -> FoundFile? {
        guard let dot = path.lastIndex(of: UInt8(ascii: ".")), path[dot...].firstIndex(of: slash) == nil
        else { return nil }
        let others = musicSuffixes.map { Array(path[...dot]) + Array($0.utf8) }
        for other in others {
            if let found = look(at: other) { return found }
        }
        for other in others {
            if let found = lookAnyCase(other) { return found }
        }
        return nil
    }

    private static func status(_ path: UnsafeRawBufferPointer, from start: Int) -> stat? {
        guard let base = path.bindMemory(to: CChar.self).baseAddress else { return nil }
        var status = stat()
        return stat(base + start, &status) == 0 ? status : nil
    }

    /// Whether a path goes by way of `.`, `..` or an empty name.
    private static func isUntidy(_ path: [UInt8]) -> Bool {
        var last = slash
        for byte in path {
            if last == slash, byte == UInt8(ascii: ".") || byte == slash {
                return path.first != slash || path.count > 1
            }
            last = byte
        }
        return false
    }

    /// The same file by the straight path, so that the library knows it; `nil` where a link makes that another file.
    private func tidied(_ found: FoundFile) -> FoundFile? {
        var parts: [ArraySlice<UInt8>] = []
        for part in found.path.bytes.split(separator: slash) where !part.elementsEqual(".".utf8) {
            if part.elementsEqual("..".utf8), let last = parts.last, !last.elementsEqual("..".utf8) {
                parts.removeLast()
            } else {
                parts.append(part)
            }
        }
        let bytes = (found.path.isAbsolute ? [slash] : []) + parts.joined(separator: [slash])
        guard let path = FilePath(bytes: bytes) else { return nil }
        var status = stat()
        guard path.withCString({ stat($0, &status) }) == 0, FileIdentity(status) == found.identity else {
            return nil
        }
        return FoundFile(path, status)
    }
}

/// A file or folder that an entry of a list means.
package struct FoundFile: Equatable, Sendable {
    package let path: FilePath
    package let kind: FileKind
    let identity: FileIdentity

    init(_ path: FilePath, _ status: stat) {
        self.path = path
        kind = FileKind(status.st_mode)
        identity = FileIdentity(status)
    }
}
