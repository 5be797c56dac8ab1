import Glibc
package import Music
import Synchronization

/// What the index says of files, for any thread, in microseconds.
///
/// It has a connection of its own, opened when it is first asked. Where there is no index, or one that cannot be read, it
/// says nothing, and whoever asks reads the file itself.
package final class IndexReader: Sendable {
    private let file: IndexFile
    private let wishes: LibraryWishes
    private let connection: Mutex<ReadConnection?>

    /// A reader for those who have no library at work; what they note is not kept.
    package convenience init(cacheFolder: FilePath) {
        self.init(IndexFile(in: cacheFolder), LibraryWishes())
    }

    init(_ file: IndexFile, _ wishes: LibraryWishes) {
        self.file = file
        self.wishes = wishes
        connection = Mutex(nil)
    }

    /// What the index knows of the file at `path`, if that is the very file that was read for it.
    ///
    /// Waits for one `stat`, and for whoever else is asking.
    package func lookup(_ path: FilePath) -> IndexedTrack? {
        guard let stamp = FileStamp(at: path), let folder = path.folder else { return nil }
        let found = read { connection throws(DatabaseError) in
            try connection.lookup(folder, Array(path.name))
        }
        guard let found = found ?? nil, found.stamp.hasContent(of: stamp) else { return nil }
        return found.track
    }

    /// The places in the file at `path`, as ``MeasuredFile/seekIndex`` told them of the file with this stamp.
    package func seekIndex(of path: FilePath, _ stamp: FileStamp) -> [UInt8]? {
        guard let folder = path.folder else { return nil }
        let found = read { connection throws(DatabaseError) in
            try connection.seekIndex(folder, Array(path.name))
        }
        guard let found = found ?? nil, found.stamp.hasContent(of: stamp) else { return nil }
        return found.bytes
    }

    /// Notes what reading through a file has told, where the index knows the file; never waits.
    package func note(_ path: FilePath, _ measured: MeasuredFile) {
        wishes.want { $0.measured[path] = measured }
    }

    /// The tracks that have each word of `words`; see ``LibraryControl/search(_:limit:answer:)``.
    func search(_ words: String, limit: Int) -> Result<[Track], LibraryError> {
        let found = read { connection throws(DatabaseError) in try connection.search(words, limit: limit) }
        return found.map { .success($0) } ?? .failure(LibraryError("there is no library index to search in"))
    }

    /// What the index says of each of `locations`, whether the file is still so or not.
    func describe(_ locations: [TrackLocation]) -> [Track] {
        let described = read { connection throws(DatabaseError) in
            try locations.map { (location) throws(DatabaseError) in
                guard let folder = location.path.folder else { return Track(location) }
                let found = try connection.lookup(folder, Array(location.path.name))
                return Track(location, found?.track ?? IndexedTrack())
            }
        }
        return described ?? locations.map { Track($0, IndexedTrack()) }
    }

    /// Gives back what memory can be given back.
    func rest() {
        connection.withLock { $0?.database.releaseMemory() }
    }

    /// Asks through the connection; `nil` where there is none.
    func read<Result: Sendable>(
        _ body: @Sendable (ReadConnection) throws(DatabaseError) -> Result
    ) -> Result? {
        connection.withLock { connection in
            do throws(DatabaseError) {
                if connection?.generation != file.generation {
                    connection = nil
                    let generation = file.generation
                    guard let database = try file.openForReading() else { return nil }
                    connection = try ReadConnection(database, generation)
                }
                return try connection.map(body)
            } catch {
                // The worker finds out as well, and makes the index anew.
                connection = nil
                return nil
            }
        }
    }
}

/// A connection that reads, with the statements that ask for tracks.
final class ReadConnection {
    let database: Database
    let generation: Int
    private let byName: Statement

    init(_ database: consuming Database, _ generation: Int) throws(DatabaseError) {
        self.generation = generation
        byName = try database.prepare(
            """
            SELECT \(StampColumns.qualified("file")), \(TrackColumns.names), \(LoudnessColumns.names)
            FROM folder JOIN file ON file.folder = folder.id \(LoudnessColumns.join)
            WHERE path = ? AND name = ?
            """
        )
        self.database = database
    }

    func lookup(
        _ folder: FilePath,
        _ name: [UInt8]
    ) throws(DatabaseError) -> (stamp: FileStamp, track: IndexedTrack)? {
        try byName.first(.bytes(folder.bytes), .bytes(name)) { row in
            var track = TrackColumns.read(row, from: StampColumns.count)
            track.measured = LoudnessColumns.read(row, from: StampColumns.count + TrackColumns.count)
            return (StampColumns.read(row, from: 0), track)
        }
    }

    /// Asked so seldom that the statement is not kept.
    func seekIndex(
        _ folder: FilePath,
        _ name: [UInt8]
    ) throws(DatabaseError) -> (stamp: FileStamp, bytes: [UInt8])? {
        let query = try database.prepare(SeekIndexRows.query)
        return try query.first(.bytes(folder.bytes), .bytes(name)) {
            (StampColumns.read($0, from: 0), $0.bytes(StampColumns.count))
        }
    }

    func search(_ words: String, limit: Int) throws(DatabaseError) -> [Track] {
        let select = "SELECT path, name, \(TrackColumns.names) FROM"
        let number = SQLValue.integer(Int64(max(0, limit)))
        guard let expression = SearchText.expression(for: words) else {
            return try database.prepare(
                "\(select) file JOIN folder ON folder.id = folder ORDER BY place LIMIT ?"
            ).all(number, read: Self.track)
        }
        // The rows of `search` come by their number, which is the place of the file.
        return try database.prepare(
            """
            \(select) (SELECT rowid AS found FROM search WHERE search MATCH ? ORDER BY rowid LIMIT ?)
            CROSS JOIN file ON place = found JOIN folder ON folder.id = folder ORDER BY found
            """
        ).all(.text(expression), number, read: Self.track)
    }

    private static func track(_ row: borrowing Statement) -> Track? {
        FilePath(bytes: row.bytes(0)).map {
            Track(TrackLocation($0.appending(row.bytes(1))), TrackColumns.read(row, from: 2))
        }
    }
}

extension Track {
    /// A track as the index knows it, for a list: its length may be off by a moment.
    fileprivate init(_ location: TrackLocation, _ indexed: IndexedTrack) {
        let whole = indexed.length.time
        let length = location.excerpt.map { $0.length(in: whole) } ?? whole
        self.init(location, tags: indexed.tags, length: length)
    }
}
