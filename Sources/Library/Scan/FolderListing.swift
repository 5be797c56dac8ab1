import Glibc
package import Music

/// What the scanner looks for, by the suffixes of names in lower case and without dot.
struct WantedFiles: Sendable {
    var music: Set<String>
    var playlists: Set<String>

    /// What a file with this name is wanted as; `nil` for all others and for hidden ones.
    func kind(ofName name: [UInt8]) -> FolderListing.Kind? {
        guard name.first != UInt8(ascii: "."), let suffix = FilePath(bytes: name)?.suffix else { return nil }
        if music.contains(suffix) { return .music }
        return playlists.contains(suffix) ? .playlist : nil
    }
}

/// What lies in a folder and matters for the library.
struct FolderListing {
    enum Kind {
        case music, playlist
    }

    struct File {
        var name: [UInt8]
        var stamp: FileStamp
    }

    struct Folder {
        var name: [UInt8]
        var identity: FileIdentity
        /// Reached through a link.
        var isLink: Bool
    }

    /// By the bytes of their names, as the folders.
    private(set) var music: [File] = []
    private(set) var playlists: [File] = []
    private(set) var folders: [Folder] = []
    /// Whether nothing at all lies there, wanted or not.
    private(set) var isEmpty = true

    /// Looks into the folder at `path`; `nil` with `errno` where it may not be read.
    ///
    /// Follows links; opens nothing but the folder. Hidden names are passed over.
    init?(_ path: FilePath, _ wanted: WantedFiles) {
        guard let stream = path.withCString({ opendir($0) }) else { return nil }
        defer { closedir(stream) }
        let descriptor = dirfd(stream)
        errno = 0
        while let entry = readdir(stream) {
            take(entry, in: descriptor, wanted)
            errno = 0
        }
        guard errno == 0 else { return nil }
        music.sort { $0.name.lexicographicallyPrecedes($1.name) }
        playlists.sort { $0.name.lexicographicallyPrecedes($1.name) }
        folders.sort { $0.name.lexicographicallyPrecedes($1.name) }
    }

    private mutating func take(
        _ entry: UnsafeMutablePointer<dirent>,
        in folder: CInt,
        _ wanted: WantedFiles
    ) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
        guard name != [dot], name != [dot, dot] else { return }
        isEmpty = false
        guard name.first != dot else { return }
        let type = Int(entry.pointee.d_type)
        let isLinkOrUnknown = type == DT_LNK || type == DT_UNKNOWN
        let kind = wanted.kind(ofName: name)
        // Most of what is not wanted is so by its name alone.
        guard isLinkOrUnknown || type == DT_DIR || type == DT_REG && kind != nil else { return }
        var status = stat()
        guard FilePath(bytes: name)?.withCString({ fstatat(folder, $0, &status, 0) }) == 0 else { return }
        let stamp = FileStamp(status)
        switch (FileKind(status.st_mode), kind) {
        case (.folder, _):
            folders.append(Folder(name: name, identity: stamp.identity, isLink: type == DT_LNK))
        case (.regular, .music): music.append(File(name: name, stamp: stamp))
        case (.regular, .playlist): playlists.append(File(name: name, stamp: stamp))
        default: return
        }
    }
}

extension FileStamp {
    init(_ status: stat) {
        func nanoseconds(_ time: timespec) -> Int64 {
            Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000).partialValue
                &+ Int64(time.tv_nsec)
        }
        self.init(
            identity: FileIdentity(status),
            size: Int64(status.st_size),
            modified: nanoseconds(status.st_mtim),
            changed: nanoseconds(status.st_ctim)
        )
    }

    /// Follows links; `nil` with `errno` where there is nothing.
    package init?(at path: FilePath) {
        var status = stat()
        guard path.withCString({ stat($0, &status) }) == 0 else { return nil }
        self.init(status)
    }
}

extension FileIdentity {
    init(_ status: stat) {
        self.init(
            device: Int64(truncatingIfNeeded: status.st_dev),
            inode: Int64(truncatingIfNeeded: status.st_ino)
        )
    }
}

private let dot = UInt8(ascii: ".")
