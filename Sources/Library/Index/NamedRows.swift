import Music

/// What is done with the rows of music and of playlists alike, whose files have a name in a folder and a stamp.
final class NamedRows {
    private let byName, rename, setStamp, delete: Statement

    init(_ table: String, _ connection: IndexConnection) throws(DatabaseError) {
        func prepare(_ statement: String) throws(DatabaseError) -> Statement {
            try connection.database.prepare(statement)
        }
        byName = try prepare("SELECT id FROM \(table) WHERE folder = ? AND name = ?")
        rename = try prepare("UPDATE \(table) SET name = ? WHERE id = ?")
        setStamp = try prepare("UPDATE \(table) SET (\(StampColumns.names)) = (?, ?, ?, ?, ?) WHERE id = ?")
        delete = try prepare("DELETE FROM \(table) WHERE id = ?")
    }

    /// The row with this name; `nil` where there is none.
    func id(of name: [UInt8], in folder: Int64) throws(DatabaseError) -> Int64? {
        try byName.first(.integer(folder), .bytes(name)) { $0.integer(0) }
    }

    /// Frees the name of a file that is about to be moved, so that another can take it.
    func park(_ id: Int64) throws(DatabaseError) {
        // No file has a slash in its name.
        try rename.run(.bytes(Array("/\(id)".utf8)), .integer(id))
    }

    /// Notes the numbers that a file has now.
    func note(_ stamp: FileStamp, of id: Int64) throws(DatabaseError) {
        try setStamp.run(with: StampColumns.values(stamp) + [.integer(id)])
    }

    func remove(_ id: Int64) throws(DatabaseError) {
        try delete.run(.integer(id))
    }
}
