import Music

/// A folder that the index knows.
struct KnownFolder: Equatable {
    var id: Int64
    var path: FilePath
    var identity: FileIdentity
}

/// The folders that the index knows, whether there is music in them or not.
final class FolderRows {
    private let insert, delete, update: Statement
    private let byID, byPath, byIdentity, below, rightBelow, every: Statement

    init(_ connection: IndexConnection) throws(DatabaseError) {
        let select = "SELECT id, path, device, inode FROM folder"
        insert = try connection.database.prepare(
            """
            INSERT INTO folder (path, device, inode) VALUES (?, ?, ?)
            ON CONFLICT (path) DO UPDATE SET device = excluded.device, inode = excluded.inode RETURNING id
            """
        )
        delete = try connection.database.prepare("DELETE FROM folder WHERE id = ?")
        update = try connection.database.prepare("UPDATE folder SET path = ? WHERE id = ?")
        byID = try connection.database.prepare("\(select) WHERE id = ?")
        byPath = try connection.database.prepare("\(select) WHERE path = ?")
        byIdentity = try connection.database.prepare("\(select) WHERE inode = ? AND device = ?")
        below = try connection.database.prepare("\(select) WHERE path > ? AND path < ?")
        rightBelow = try connection.database.prepare(
            "\(select) WHERE path > ? AND path < ? AND instr(substr(path, ?), x'2F') = 0"
        )
        every = try connection.database.prepare(select)
    }

    /// Adds a folder, or notes what lies at a known path now; gives its id.
    func add(_ path: FilePath, _ identity: FileIdentity) throws(DatabaseError) -> KnownFolder {
        let id = try insert.first(
            .bytes(path.bytes),
            .integer(identity.device),
            .integer(identity.inode)
        ) { $0.integer(0) }
        guard let id else { throw .corrupt }
        return KnownFolder(id: id, path: path, identity: identity)
    }

    func remove(_ id: Int64) throws(DatabaseError) {
        try delete.run(.integer(id))
    }

    func move(_ id: Int64, to path: FilePath) throws(DatabaseError) {
        try update.run(.bytes(path.bytes), .integer(id))
    }

    func folder(_ id: Int64) throws(DatabaseError) -> KnownFolder? {
        try byID.first(.integer(id), read: Self.folder)
    }

    func folder(at path: FilePath) throws(DatabaseError) -> KnownFolder? {
        try byPath.first(.bytes(path.bytes), read: Self.folder)
    }

    /// The folders that were this one when they were looked at.
    func folders(_ identity: FileIdentity) throws(DatabaseError) -> [KnownFolder] {
        try byIdentity.all(.integer(identity.inode), .integer(identity.device), read: Self.folder)
    }

    /// The folder at `path` and all below it.
    func tree(_ path: FilePath) throws(DatabaseError) -> [KnownFolder] {
        let (first, end) = Self.range(below: path)
        let known = try below.all(.bytes(first), .bytes(end), read: Self.folder)
        return (try folder(at: path).map { [$0] } ?? []) + known
    }

    /// The folders that lie in the folder at `path` itself.
    func children(of path: FilePath) throws(DatabaseError) -> [KnownFolder] {
        let (first, end) = Self.range(below: path)
        return try rightBelow.all(
            .bytes(first),
            .bytes(end),
            .integer(Int64(first.count + 1)),
            read: Self.folder
        )
    }

    /// What is below a path lies between `path/` and `path0`.
    private static func range(below path: FilePath) -> (first: [UInt8], end: [UInt8]) {
        let slash = UInt8(ascii: "/")
        let bytes = path.bytes.last == slash ? Array(path.bytes.dropLast()) : path.bytes
        return (bytes + [slash], bytes + [slash + 1])
    }

    /// The ids of folders that `isWanted`, of all that there are.
    func all(where isWanted: (KnownFolder) -> Bool) throws(DatabaseError) -> [Int64] {
        try every.all { Self.folder($0).flatMap { isWanted($0) ? $0.id : nil } }
    }

    private static func folder(_ row: borrowing Statement) -> KnownFolder? {
        FilePath(bytes: row.bytes(1)).map {
            KnownFolder(
                id: row.integer(0),
                path: $0,
                identity: FileIdentity(device: row.integer(2), inode: row.integer(3))
            )
        }
    }
}
