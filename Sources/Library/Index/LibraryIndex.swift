import Music

/// The index as the library's worker changes it: one connection, and what is in the tables.
final class LibraryIndex {
    let folders: FolderRows
    let files: FileRows
    let playlists: PlaylistRows
    let loudness: LoudnessRows
    private let connection: IndexConnection

    /// `roots` are the library's folders: paths count from there for order and search.
    init(_ database: consuming Database, roots: [FilePath]) throws(DatabaseError) {
        connection = IndexConnection(database)
        folders = try FolderRows(connection)
        files = try FileRows(connection, roots: roots)
        playlists = try PlaylistRows(connection)
        loudness = try LoudnessRows(connection)
    }

    /// Makes all changes within `body` one: seen by others together, or not at all.
    func change(_ body: () throws(DatabaseError) -> Void) throws(DatabaseError) {
        try connection.database.run("BEGIN IMMEDIATE")
        do throws(DatabaseError) {
            try body()
            try connection.database.run("COMMIT")
        } catch {
            // A full disk may have rolled it back already.
            try? connection.database.run("ROLLBACK")
            throw error
        }
    }

    /// Whether nothing is known of the folder at `path` and below.
    func isEmpty(below path: FilePath) throws(DatabaseError) -> Bool {
        for folder in try folders.tree(path) {
            if try !files.known(in: folder.id).isEmpty { return false }
            if try !playlists.known(in: folder.id).isEmpty { return false }
        }
        return true
    }

    /// Forgets a folder and what is in it, but not what is below.
    func removeFolder(_ id: Int64) throws(DatabaseError) {
        for file in try files.known(in: id) { try files.remove(file.id) }
        for playlist in try playlists.known(in: id) { try playlists.remove(playlist.id) }
        try folders.remove(id)
    }

    /// Takes the path of a folder that was moved with all that is in it.
    func moveFolder(_ old: FilePath, to new: FilePath) throws(DatabaseError) {
        for folder in try folders.tree(old) {
            guard let path = folder.path.moved(from: old, to: new) else { continue }
            let moved = KnownFolder(id: folder.id, path: path, identity: folder.identity)
            try folders.move(moved.id, to: moved.path)
            for file in try files.known(in: folder.id) {
                try files.move(file.id, to: moved, name: file.name, stamp: file.stamp)
            }
        }
    }
}

/// A connection that several sets of rows share.
final class IndexConnection {
    let database: Database

    init(_ database: consuming Database) {
        self.database = database
    }
}
