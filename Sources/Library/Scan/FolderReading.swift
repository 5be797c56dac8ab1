import Music

/// The second half of a scan: reads what is new or has changed, finds out what was moved, and removes what has gone.
///
/// A file that has gone is removed at the end only, when it has turned up nowhere else.
struct FolderReading {
    private let scope: ScanScope
    private var records: [FileRecord] = []
    private var moves: [Move] = []
    private var playlistChanges: [PlaylistChange] = []
    private var musicStamps: [(id: Int64, stamp: FileStamp)] = []
    private var playlistStamps: [(id: Int64, stamp: FileStamp)] = []
    /// Files that are not where they were.
    private var (goneFiles, gonePlaylists) = (Set<Int64>(), Set<Int64>())
    /// Those of them that have been found elsewhere.
    private var (foundFiles, foundPlaylists) = (Set<Int64>(), Set<Int64>())

    private struct Move {
        var id: Int64
        var old: FilePath
        var folder: KnownFolder
        var name: [UInt8]
        var stamp: FileStamp
    }

    private enum PlaylistChange {
        case put(KnownFolder, FolderListing.File)
        case move(Move)
    }

    /// How many files are written in one transaction, more or less: whole folders.
    private static let batch = 500
    /// How many files of one folder are kept in memory until they are written.
    private static let largestBatch = 2000

    init(_ scope: ScanScope) {
        self.scope = scope
    }

    /// Makes the index say what is in these folders; `false` where it was told to stop.
    mutating func read(_ folders: [AlteredFolder]) throws(DatabaseError) -> Bool {
        for altered in folders {
            guard let folder = try scope.index.folders.folder(altered.id),
                let listing = FolderListing(folder.path, scope.wanted)
            else { continue }
            let changes = try scope.changes(in: folder, listing, isRenumbered: altered.isRenumbered)
            guard try read(changes.music, in: folder) else { return false }
            try note(changes.playlists, in: folder)
            musicStamps += changes.music.renumbered
            playlistStamps += changes.playlists.renumbered
            let waiting = records.count + moves.count + musicStamps.count
            if waiting >= Self.batch || !playlistChanges.isEmpty { try write() }
        }
        try write()
        return true
    }

    /// Removes what was in these folders and has not turned up elsewhere, and the folders.
    mutating func remove(_ folders: [Int64]) throws(DatabaseError) {
        for folder in folders {
            goneFiles.formUnion(try scope.index.files.known(in: folder).map(\.id))
            gonePlaylists.formUnion(try scope.index.playlists.known(in: folder).map(\.id))
        }
        goneFiles.subtract(foundFiles)
        gonePlaylists.subtract(foundPlaylists)
        if !gonePlaylists.isEmpty { scope.tell(.playlistsChanged) }
        try removeAll(goneFiles.sorted()) { (id) throws(DatabaseError) in try scope.index.files.remove(id) }
        try removeAll(gonePlaylists.sorted()) { (id) throws(DatabaseError) in
            try scope.index.playlists.remove(id)
        }
        try removeAll(folders) { (id) throws(DatabaseError) in try scope.index.folders.remove(id) }
        scope.watches?.remove(folders)
    }

    private func removeAll(
        _ ids: [Int64],
        _ remove: (Int64) throws(DatabaseError) -> Void
    ) throws(DatabaseError) {
        for start in stride(from: 0, to: ids.count, by: Self.batch) {
            try scope.index.change { () throws(DatabaseError) in
                for id in ids[start..<min(start + Self.batch, ids.count)] { try remove(id) }
            }
        }
    }

    private mutating func read(
        _ changes: FolderChanges,
        in folder: KnownFolder
    ) throws(DatabaseError) -> Bool {
        goneFiles.formUnion(changes.gone.map(\.id))
        for file in changes.added + changes.changed {
            if scope.shouldStop() { return false }
            let path = folder.path.appending(file.name)
            if let move = try moved(file, to: folder) {
                moves.append(move)
                scope.tell(.handled(wasRead: false))
                continue
            }
            let track = scope.read(path)
            records.append(FileRecord(folder: folder, name: file.name, stamp: file.stamp, track: track))
            scope.tell(.handled(wasRead: true))
            if records.count >= Self.largestBatch { try write() }
        }
        return true
    }

    /// Where the very same file was until now.
    private mutating func moved(
        _ file: FolderListing.File,
        to folder: KnownFolder
    ) throws(DatabaseError) -> Move? {
        let path = folder.path.appending(file.name)
        for known in try scope.index.files.files(withContentOf: file.stamp)
        where known.path != path && !foundFiles.contains(known.id)
            && scope.hasGone(known.path, file.stamp.identity)
        {
            foundFiles.insert(known.id)
            return Move(id: known.id, old: known.path, folder: folder, name: file.name, stamp: file.stamp)
        }
        return nil
    }

    private mutating func note(_ changes: FolderChanges, in folder: KnownFolder) throws(DatabaseError) {
        gonePlaylists.formUnion(changes.gone.map(\.id))
        for file in changes.added + changes.changed {
            let path = folder.path.appending(file.name)
            let known = try scope.index.playlists.playlists(file.stamp.identity).first {
                $0.path != path && !foundPlaylists.contains($0.id)
                    && scope.hasGone($0.path, file.stamp.identity)
            }
            guard let known else {
                playlistChanges.append(.put(folder, file))
                continue
            }
            foundPlaylists.insert(known.id)
            let move = Move(
                id: known.id,
                old: known.path,
                folder: folder,
                name: file.name,
                stamp: file.stamp
            )
            playlistChanges.append(.move(move))
        }
    }

    /// Writes what has been read, and tells of it when it is written.
    private mutating func write() throws(DatabaseError) {
        let stamps = musicStamps.count + playlistStamps.count
        guard !records.isEmpty || !moves.isEmpty || !playlistChanges.isEmpty || stamps > 0 else { return }
        var retagged: [FilePath] = []
        try scope.index.change { () throws(DatabaseError) in
            // Names may go round in a ring, as when tracks get new numbers.
            for move in moves { try scope.index.files.park(move.id) }
            for move in moves {
                try scope.index.files.move(move.id, to: move.folder, name: move.name, stamp: move.stamp)
            }
            retagged = try scope.index.files.put(records)
            for (id, stamp) in musicStamps { try scope.index.files.note(stamp, of: id) }
            for (id, stamp) in playlistStamps { try scope.index.playlists.note(stamp, of: id) }
            try writePlaylists()
        }
        if !moves.isEmpty {
            scope.tell(.moved(moves.map { MovedPath(old: $0.old, new: $0.folder.path.appending($0.name)) }))
        }
        if !retagged.isEmpty { scope.tell(.retagged(retagged)) }
        if !playlistChanges.isEmpty { scope.tell(.playlistsChanged) }
        (records, moves, playlistChanges, musicStamps, playlistStamps) = ([], [], [], [], [])
    }

    private func writePlaylists() throws(DatabaseError) {
        for case .move(let move) in playlistChanges { try scope.index.playlists.park(move.id) }
        for case .move(let move) in playlistChanges {
            try scope.index.playlists.move(move.id, to: move.folder, name: move.name, stamp: move.stamp)
        }
        for case .put(let folder, let file) in playlistChanges {
            try scope.index.playlists.put(file.name, in: folder, file.stamp)
        }
    }
}
