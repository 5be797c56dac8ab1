import CSQLite
import Music

/// What SQLite refused, by what can be done about it.
enum DatabaseError: Error, Equatable, CustomStringConvertible {
    /// The file is no database, or a broken one: it has to be made anew.
    case corrupt
    /// The disk is full: what is there can still be read.
    case full
    /// The file cannot be opened or written, with the words of SQLite.
    case unusable(String)

    init(_ code: CInt) {
        switch code & 0xFF {
        case SQLITE_CORRUPT, SQLITE_NOTADB: self = .corrupt
        case SQLITE_FULL: self = .full
        default: self = .unusable(Text.cleanLine(String(cString: sqlite3_errstr(code))))
        }
    }

    var description: String {
        switch self {
        case .corrupt: "it is damaged"
        case .full: "the disk is full"
        case .unusable(let reason): reason
        }
    }
}

/// One connection to an SQLite file, for the thread that opened it.
struct Database: ~Copyable {
    private let raw: OpaquePointer

    enum Access {
        /// Makes the file where there is none.
        case write
        /// There must be a file.
        case read
    }

    /// Opens the file at `path`, which SQLite looks into only when the first statement runs.
    init(_ path: FilePath, for access: Access) throws(DatabaseError) {
        // Also a reader needs to write the shared index of the log beside the file.
        let create = access == .write ? SQLITE_OPEN_CREATE : 0
        var raw: OpaquePointer?
        let status = path.withCString {
            sqlite3_open_v2($0, &raw, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | create, nil)
        }
        guard let raw else { throw DatabaseError(SQLITE_NOMEM) }
        guard status == SQLITE_OK else {
            sqlite3_close_v2(raw)
            throw DatabaseError(status)
        }
        _ = tianlai_without_lookaside(raw)
        sqlite3_busy_timeout(raw, 5000)
        self.raw = raw
    }

    // Statements that are still there keep the connection until they go.
    deinit { sqlite3_close_v2(raw) }

    /// Runs statements that give nothing back.
    func run(_ statements: String) throws(DatabaseError) {
        let status = sqlite3_exec(raw, statements, nil, nil, nil)
        guard status == SQLITE_OK else { throw DatabaseError(status) }
    }

    /// Prepares one statement, for as long as it is kept.
    func prepare(_ statement: String) throws(DatabaseError) -> Statement {
        var prepared: OpaquePointer?
        let status = sqlite3_prepare_v3(
            raw,
            statement,
            -1,
            CUnsignedInt(SQLITE_PREPARE_PERSISTENT),
            &prepared,
            nil
        )
        guard status == SQLITE_OK, let prepared else { throw DatabaseError(status) }
        return Statement(prepared)
    }

    /// The number that a statement gives, `nil` where it gives none.
    func number(_ statement: String) throws(DatabaseError) -> Int64? {
        let statement = try prepare(statement)
        return try statement.first { $0.integer(0) }
    }

    /// How many rows the last statement changed.
    var changes: Int { Int(sqlite3_changes(raw)) }

    /// Gives back the memory of pages that can be read again.
    func releaseMemory() { sqlite3_db_release_memory(raw) }
}
