import Glibc
import Music
import Synchronization

/// The file of the index: a cache, so what is broken or of another version is thrown away and made anew.
///
/// Shared by all threads, each with a connection of its own; only the library's worker makes or deletes the file.
final class IndexFile: Sendable {
    let path: FilePath
    private let state = Atomic<Int>(0)

    /// Raised with each structure that an older program does not know.
    private static let version = 2

    init(in folder: FilePath) {
        path = folder.appending("library.db".utf8)
    }

    /// Changes when the file is made anew, whereupon readers have to open it again.
    var generation: Int { state.load(ordering: .acquiring) }

    /// A connection for the thread that writes, with all tables there.
    ///
    /// Says in one line to `told` when what was there is thrown away.
    func openForWriting(_ told: (String) -> Void) throws(DatabaseError) -> Database {
        path.folder?.makeFolder()
        do throws(DatabaseError) {
            return try openOrMake()
        } catch {
            guard error == .corrupt || error == Self.outdated else { throw error }
            told("the library index \(path) is made anew: \(error)")
            delete()
            return try openOrMake()
        }
    }

    /// Throws the file away; who has it open reads on in what was.
    func delete() {
        for suffix in ["", "-wal", "-shm"] {
            guard let file = FilePath(bytes: path.bytes + suffix.utf8) else { continue }
            _ = file.withCString { unlink($0) }
        }
        state.add(1, ordering: .releasing)
    }

    /// A connection that only reads; `nil` where there is no index or not the one that is understood.
    func openForReading() throws(DatabaseError) -> Database? {
        guard path.withCString({ access($0, R_OK) }) == 0 else { return nil }
        let database = try Database(path, for: .read)
        guard try database.number("PRAGMA user_version") == Int64(Self.version) else { return nil }
        try database.run("PRAGMA cache_size = -256; PRAGMA temp_store = MEMORY; PRAGMA query_only = 1")
        return database
    }

    private func openOrMake() throws(DatabaseError) -> Database {
        let database = try Database(path, for: .write)
        let version = try database.number("PRAGMA user_version")
        try database.run(
            """
            PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -2048;
            PRAGMA temp_store = MEMORY; PRAGMA journal_size_limit = 4194304;
            """
        )
        if version == Int64(Self.version) { return database }
        // A file that some other program wrote has tables and no version of ours.
        guard version == 0, try database.number("SELECT count(*) FROM sqlite_schema") == 0 else {
            throw Self.outdated
        }
        try database.run(
            "BEGIN IMMEDIATE; \(Self.tables); \(SeekIndexRows.tables); \(Self.searchTable); PRAGMA user_version = \(Self.version); COMMIT"
        )
        return database
    }

    private static let outdated = DatabaseError.unusable("it is of another version")

    /// `AUTOINCREMENT`: an id is never used again.
    private static let tables = """
        CREATE TABLE IF NOT EXISTS folder (
            id INTEGER PRIMARY KEY AUTOINCREMENT, path BLOB NOT NULL UNIQUE,
            device INTEGER NOT NULL, inode INTEGER NOT NULL
        );
        CREATE INDEX IF NOT EXISTS folder_inode ON folder (inode);
        CREATE TABLE IF NOT EXISTS file (
            id INTEGER PRIMARY KEY AUTOINCREMENT, folder INTEGER NOT NULL, name BLOB NOT NULL,
            device INTEGER NOT NULL, inode INTEGER NOT NULL, size INTEGER NOT NULL,
            modified INTEGER NOT NULL, changed INTEGER NOT NULL,
            place INTEGER NOT NULL, sort BLOB NOT NULL, \(TrackColumns.declaration)
        );
        CREATE UNIQUE INDEX IF NOT EXISTS file_name ON file (folder, name);
        CREATE INDEX IF NOT EXISTS file_inode ON file (inode);
        CREATE INDEX IF NOT EXISTS file_sort ON file (sort, place);
        CREATE INDEX IF NOT EXISTS file_place ON file (place);
        CREATE TABLE IF NOT EXISTS playlist (
            id INTEGER PRIMARY KEY AUTOINCREMENT, folder INTEGER NOT NULL, name BLOB NOT NULL,
            device INTEGER NOT NULL, inode INTEGER NOT NULL, size INTEGER NOT NULL,
            modified INTEGER NOT NULL, changed INTEGER NOT NULL, played INTEGER
        );
        CREATE UNIQUE INDEX IF NOT EXISTS playlist_name ON playlist (folder, name);
        \(LoudnessColumns.table)
        """

    /// Its rows are numbered by `file.place`, so that what is found comes in the order of the library.
    ///
    /// The indexes of the beginnings of words make one letter as quick to search as a word.
    static let searchTable = """
        CREATE VIRTUAL TABLE IF NOT EXISTS search USING fts5 (
            title, artist, album, path, columnsize = 0, prefix = '1 2',
            tokenize = "unicode61 remove_diacritics 0 categories 'L* N* Co So'"
        )
        """
}
