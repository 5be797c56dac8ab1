import Glibc
package import Music

/// A file or a folder that lies elsewhere now.
package struct MovedPath: Equatable, Sendable {
    package var old: FilePath
    package var new: FilePath

    package init(old: FilePath, new: FilePath) {
        self.old = old
        self.new = new
    }
}

/// What a scan tells while it goes on, on the thread of the scan.
enum ScanNews {
    /// So many files have been found to be as they were.
    case surveyed(unchanged: Int)
    /// This many files there are in all.
    case counted(total: Int)
    /// A file has been read, or found where it was moved to.
    case handled(wasRead: Bool)
    /// All at once: each `old` is where something was before any of them.
    case moved([MovedPath])
    /// Files whose tags may be others now.
    case retagged([FilePath])
    case playlistsChanged
    /// A folder that cannot be looked into, and why.
    case unreadable(FilePath, String)
    case readable(FilePath)
}

/// What both halves of a scan need to know, and what they ask of it.
struct ScanScope {
    var index: LibraryIndex
    /// The folders of the library.
    var roots: [FilePath]
    var wanted: WantedFiles
    /// Where folders are put under watch before they are looked into.
    var watches: FolderWatches?
    /// What is in a file, also where it cannot be read.
    var read: (FilePath) -> IndexedTrack
    var tell: (ScanNews) -> Void
    var shouldStop: () -> Bool

    struct Changes {
        var music: FolderChanges
        var playlists: FolderChanges

        var isEmpty: Bool { music.isEmpty && playlists.isEmpty }
    }

    /// What is otherwise in a folder than the index has it.
    func changes(
        in folder: KnownFolder,
        _ listing: FolderListing,
        isRenumbered: Bool
    ) throws(DatabaseError) -> Changes {
        let writing = watches?.namesBeingWritten(in: folder.id) ?? [:]
        func isBeingWritten(_ file: FolderListing.File) -> Bool {
            writing[file.name]?.isIncomplete(file.stamp) ?? false
        }
        return Changes(
            music: FolderChanges(
                known: try index.files.known(in: folder.id),
                found: listing.music,
                isRenumbered: isRenumbered,
                isBeingWritten: isBeingWritten
            ),
            playlists: FolderChanges(
                known: try index.playlists.known(in: folder.id),
                found: listing.playlists,
                isRenumbered: isRenumbered,
                isBeingWritten: isBeingWritten
            )
        )
    }

    /// Whether what was at `path` is there no longer, for certain.
    func hasGone(_ path: FilePath, _ identity: FileIdentity) -> Bool {
        guard let stamp = FileStamp(at: path) else { return isNothing(errno) }
        return stamp.identity != identity
    }

    /// Notes that a folder has been moved, with all that is in it.
    func moveFolder(_ folder: KnownFolder, to path: FilePath) throws(DatabaseError) -> KnownFolder {
        try index.change { () throws(DatabaseError) in
            for replaced in try index.folders.tree(path) where !replaced.path.isBelow(folder.path) {
                try index.removeFolder(replaced.id)
            }
            try index.moveFolder(folder.path, to: path)
        }
        tell(.moved([MovedPath(old: folder.path, new: path)]))
        tell(.playlistsChanged)
        return KnownFolder(id: folder.id, path: path, identity: folder.identity)
    }
}

/// Whether an error says that nothing is there, not that it cannot be seen.
func isNothing(_ code: CInt) -> Bool {
    code == ENOENT || code == ENOTDIR
}
