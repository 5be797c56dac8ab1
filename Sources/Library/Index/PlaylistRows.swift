import Music

/// The playlist files that the index knows; an id stays with a file under whatever name.
final class PlaylistRows {
    private let names: NamedRows
    private let insert, update, inFolder, withIdentity, every, setPlayed: Statement

    init(_ connection: IndexConnection) throws(DatabaseError) {
        names = try NamedRows("playlist", connection)
        let columns = "folder, name, \(StampColumns.names)"
        func prepare(_ statement: String) throws(DatabaseError) -> Statement {
            try connection.database.prepare(statement)
        }
        insert = try prepare("INSERT INTO playlist (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?)")
        update = try prepare("UPDATE playlist SET (\(columns)) = (?, ?, ?, ?, ?, ?, ?) WHERE id = ?")
        inFolder = try prepare(
            "SELECT id, name, \(StampColumns.names) FROM playlist WHERE folder = ? ORDER BY name"
        )
        let joined = "FROM playlist JOIN folder ON folder.id = folder"
        withIdentity = try prepare(
            "SELECT playlist.id, path, name \(joined) WHERE playlist.inode = ? AND playlist.device = ?"
        )
        every = try prepare("SELECT playlist.id, path, name, modified, played \(joined)")
        setPlayed = try prepare("UPDATE playlist SET played = ? WHERE id = ?")
    }

    /// The playlists in a folder, by the bytes of their names.
    func known(in folder: Int64) throws(DatabaseError) -> [KnownFile] {
        try inFolder.all(.integer(folder)) {
            KnownFile(id: $0.integer(0), name: $0.bytes(1), stamp: StampColumns.read($0, from: 2))
        }
    }

    /// Playlists that were this very file, and where they were.
    func playlists(_ identity: FileIdentity) throws(DatabaseError) -> [(id: Int64, path: FilePath)] {
        try withIdentity.all(.integer(identity.inode), .integer(identity.device)) { row in
            FilePath(bytes: row.bytes(1)).map { (row.integer(0), $0.appending(row.bytes(2))) }
        }
    }

    /// Adds a playlist, or notes what lies under a known name now.
    func put(_ name: [UInt8], in folder: KnownFolder, _ stamp: FileStamp) throws(DatabaseError) {
        let id = try names.id(of: name, in: folder.id)
        let values = [.integer(folder.id), .bytes(name)] + StampColumns.values(stamp)
        if let id {
            try update.run(with: values + [.integer(id)])
        } else {
            try insert.run(with: values)
        }
    }

    /// Frees the name of a playlist that is about to be moved, so that another can take it.
    func park(_ id: Int64) throws(DatabaseError) {
        try names.park(id)
    }

    /// Notes where a playlist was moved to.
    func move(
        _ id: Int64,
        to folder: KnownFolder,
        name: [UInt8],
        stamp: FileStamp
    ) throws(DatabaseError) {
        let replaced = try names.id(of: name, in: folder.id)
        if let replaced, replaced != id { try remove(replaced) }
        let values = [.integer(folder.id), .bytes(name)] + StampColumns.values(stamp)
        try update.run(with: values + [.integer(id)])
    }

    /// Notes the numbers that a playlist file has now.
    func note(_ stamp: FileStamp, of id: Int64) throws(DatabaseError) {
        try names.note(stamp, of: id)
    }

    func remove(_ id: Int64) throws(DatabaseError) {
        try names.remove(id)
    }

    /// Notes when a playlist was played, in seconds since 1970.
    func notePlayed(_ id: PlaylistID, at time: Int64) throws(DatabaseError) {
        try setPlayed.run(.integer(time), .integer(Int64(bitPattern: id.number)))
    }

    /// All playlists, ordered by name.
    func summaries() throws(DatabaseError) -> [PlaylistSummary] {
        let summaries = try every.all { row in
            FilePath(bytes: row.bytes(1)).map { folder in
                let path = folder.appending(row.bytes(2))
                return PlaylistSummary(
                    id: PlaylistID(UInt64(bitPattern: row.integer(0))),
                    name: path.stem,
                    path: path,
                    modified: row.integer(3) / 1_000_000_000,
                    played: row.number(4)
                )
            }
        }
        return summaries.sorted { left, right in
            let (a, b) = (SortKey.name(left.name), SortKey.name(right.name))
            return a == b ? left.path < right.path : a.lexicographicallyPrecedes(b)
        }
    }
}
