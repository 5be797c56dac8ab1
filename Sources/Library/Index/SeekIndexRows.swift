/// The places in long files, found while their length was counted; only the decoders know what the bytes say.
///
/// A table of its own: few files have them, and they are asked for only when somebody seeks. What is known of a file
/// that has changed or gone goes by itself.
struct SeekIndexRows: ~Copyable {
    private let insert: Statement

    static let tables = """
        CREATE TABLE IF NOT EXISTS seek_index (file INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
        CREATE TRIGGER IF NOT EXISTS seek_index_gone AFTER DELETE ON file BEGIN
            DELETE FROM seek_index WHERE file = old.id;
        END;
        CREATE TRIGGER IF NOT EXISTS seek_index_outdated AFTER UPDATE OF size, modified ON file
        WHEN old.size <> new.size OR old.modified <> new.modified BEGIN
            DELETE FROM seek_index WHERE file = old.id;
        END
        """

    /// What a reader asks with the path of a folder and a name in it.
    static let query = """
        SELECT \(StampColumns.qualified("file")), bytes FROM folder
        JOIN file ON file.folder = folder.id JOIN seek_index ON seek_index.file = file.id
        WHERE path = ? AND name = ?
        """

    init(_ connection: IndexConnection) throws(DatabaseError) {
        insert = try connection.database.prepare("INSERT OR REPLACE INTO seek_index VALUES (?, ?)")
    }

    func put(_ bytes: [UInt8], of file: Int64) throws(DatabaseError) {
        try insert.run(.integer(file), .bytes(bytes))
    }
}
