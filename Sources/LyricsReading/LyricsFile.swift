import Charset
import Glibc
package import Music

/// Why a file of lyrics cannot be read, in words that go behind its path.
package struct LyricsError: Error, Equatable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

/// Files of lyrics: where that of a song is, and what is in it.
package enum LyricsFile {
    /// The words of the longest opera are a twentieth of this.
    static let largest = 4 << 20
    /// A folder with more names than this is not searched.
    private static let mostNames = 20_000

    /// What the file at `path` has, in whatever encoding (C251); `nil` where there is no word in it.
    ///
    /// Blocks while it is read, but never waits for a pipe or a device: regular files only.
    package static func read(_ path: FilePath) throws(LyricsError) -> Lyrics? {
        LyricsText.read(DecodedText(try bytes(of: path)).text)
    }

    /// The `.lrc` of the same name beside the music file at `song`, in whatever letter case; the very name goes first.
    ///
    /// The folder is only searched where there is none of the usual names.
    package static func beside(_ song: FilePath) -> FilePath? {
        let name = song.name
        let end = name.lastIndex(of: dot).flatMap { $0 > name.startIndex ? $0 : nil }
        let stem = Array(name[..<(end ?? name.endIndex)])
        let folder = song.folder
        func path(_ name: [UInt8]) -> FilePath? { folder.map { $0.appending(name) } ?? FilePath(bytes: name) }
        for suffix in [".lrc", ".LRC", ".Lrc"] {
            if let path = path(stem + Array(suffix.utf8)), isFile(path) { return path }
        }
        guard let found = search(folder, for: stem), let path = path(found), isFile(path) else {
            return nil
        }
        return path
    }

    private static func isFile(_ path: FilePath) -> Bool {
        var status = stat()
        return path.withCString { stat($0, &status) } == 0 && FileKind(status.st_mode) == .regular
    }

    private static func search(_ folder: FilePath?, for stem: [UInt8]) -> [UInt8]? {
        guard let stream = folder.map({ $0.withCString { opendir($0) } }) ?? opendir(".") else { return nil }
        defer { closedir(stream) }
        let wanted = String(decoding: stem, as: UTF8.self).lowercased()
        var similar: [UInt8]?
        for _ in 0..<mostNames {
            guard let entry = readdir(stream) else { break }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes -> [UInt8]? in
                let length = bytes.firstIndex(of: 0) ?? bytes.count
                let suffix = bytes[..<length].suffix(4)
                guard suffix.count == 4, suffix.first == dot,
                    suffix.dropFirst().elementsEqual("lrc".utf8, by: { $0 | 0x20 == $1 })
                else { return nil }
                return Array(bytes[..<length])
            }
            guard let name else { continue }
            let other = name.dropLast(4)
            if other.elementsEqual(stem) { return name }
            if similar == nil, String(decoding: other, as: UTF8.self).lowercased() == wanted {
                similar = name
            }
        }
        return similar
    }

    private static func bytes(of path: FilePath) throws(LyricsError) -> [UInt8] {
        let descriptor = path.withCString { open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY) }
        guard descriptor >= 0 else { throw LyricsError(FileKind.reason(errno)) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw LyricsError(FileKind.reason(errno)) }
        let kind = FileKind(status.st_mode)
        guard kind == .regular else { throw LyricsError(kind.refusal) }
        guard status.st_size <= largest else {
            throw LyricsError("it is too large for lyrics (more than 4 MiB)")
        }
        var failure: CInt = 0
        // One that grows meanwhile is not followed.
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { bytes, filled in
            while filled < bytes.count {
                let count = Glibc.read(
                    descriptor,
                    bytes.baseAddress.map { $0 + filled },
                    bytes.count - filled
                )
                if count < 0, errno == EINTR { continue }
                if count < 0 { failure = errno }
                guard count > 0 else { return }
                filled += count
            }
        }
        guard failure == 0 else { throw LyricsError(FileKind.reason(failure)) }
        return bytes
    }
}

private let dot = UInt8(ascii: ".")
