import Music

/// A file of music or a playlist that the index knows, by its name in its folder.
struct KnownFile: Equatable {
    var id: Int64
    var name: [UInt8]
    var stamp: FileStamp
    /// Whether it could not be read.
    var hasProblem = false
}

/// What is to be written of a file of music.
struct FileRecord {
    var folder: KnownFolder
    var name: [UInt8]
    var stamp: FileStamp
    var track: IndexedTrack

    var path: FilePath { folder.path.appending(name) }
}

/// The files of music that the index knows, in their order and in the words that find them.
final class FileRows {
    private let connection: IndexConnection
    private let places: FilePlaces
    private let roots: [FilePath]
    private let names: NamedRows
    private let seekIndexes: SeekIndexRows
    private let insert, update, byID, inFolder, withContent, setLength: Statement
    private let insertWords, deleteWords: Statement

    init(_ connection: IndexConnection, roots: [FilePath]) throws(DatabaseError) {
        self.connection = connection
        places = try FilePlaces(connection)
        self.roots = roots
        names = try NamedRows("file", connection)
        seekIndexes = try SeekIndexRows(connection)
        let columns = "folder, name, \(StampColumns.names), place, sort, \(TrackColumns.names)"
        let marks = columns.split(separator: ",").map { _ in "?" }.joined(separator: ", ")
        func prepare(_ statement: String) throws(DatabaseError) -> Statement {
            try connection.database.prepare(statement)
        }
        insert = try prepare("INSERT INTO file (\(columns)) VALUES (\(marks))")
        update = try prepare("UPDATE file SET (\(columns)) = (\(marks)) WHERE id = ?")
        byID = try prepare("SELECT place, sort, \(TrackColumns.names) FROM file WHERE id = ?")
        inFolder = try prepare(
            "SELECT id, name, \(StampColumns.names), problem IS NOT NULL FROM file WHERE folder = ? ORDER BY name"
        )
        withContent = try prepare(
            """
            SELECT file.id, folder.path, name FROM file JOIN folder ON folder.id = folder
            WHERE file.inode = ? AND file.device = ? AND size = ? AND modified = ? ORDER BY file.id
            """
        )
        setLength = try prepare(
            "UPDATE file SET length = ?, is_exact = 1 WHERE id = ? AND size = ? AND modified = ?"
        )
        insertWords = try prepare(
            "INSERT INTO search (rowid, title, artist, album, path) VALUES (?, ?, ?, ?, ?)"
        )
        deleteWords = try prepare("DELETE FROM search WHERE rowid = ?")
    }

    /// How many there are.
    func count() throws(DatabaseError) -> Int {
        Int(try connection.database.number("SELECT count(*) FROM file") ?? 0)
    }

    /// The files in a folder, by the bytes of their names.
    func known(in folder: Int64) throws(DatabaseError) -> [KnownFile] {
        try inFolder.all(.integer(folder)) {
            KnownFile(
                id: $0.integer(0),
                name: $0.bytes(1),
                stamp: StampColumns.read($0, from: 2),
                hasProblem: $0.integer(7) != 0
            )
        }
    }

    /// Files with the very content of this one, and where they were.
    func files(withContentOf stamp: FileStamp) throws(DatabaseError) -> [(id: Int64, path: FilePath)] {
        try withContent.all(
            .integer(stamp.identity.inode),
            .integer(stamp.identity.device),
            .integer(stamp.size),
            .integer(stamp.modified)
        ) { row in
            FilePath(bytes: row.bytes(1)).map { (row.integer(0), $0.appending(row.bytes(2))) }
        }
    }

    /// Adds files, or writes anew what is known of those whose name is known; gives the paths of these.
    ///
    /// They are written in their order: what comes in order costs the search index least.
    func put(_ records: [FileRecord]) throws(DatabaseError) -> [FilePath] {
        var known: [FilePath] = []
        var new: [Sorted] = []
        for record in records {
            let id = try names.id(of: record.name, in: record.folder.id)
            if let id {
                known.append(record.path)
                try rewrite(id) { _ in record }
            } else {
                new.append(Sorted(record: record, key: sortKey(record)))
            }
        }
        var rest = new.sorted { $0.key.lexicographicallyPrecedes($1.key) }[...]
        while let first = rest.first {
            // All that come before the next row that is there share the room.
            let end = try places.gap(at: first.key).end
            let run = rest.prefix { end.map($0.key.lexicographicallyPrecedes) ?? true }
            let places = try places.places(for: run.count, at: first.key)
            for (sorted, place) in zip(run, places) { try write(sorted, at: place, instead: nil) }
            rest = rest.dropFirst(run.count)
        }
        return known
    }

    /// Gives a file the place it was moved to; what is known of it stays.
    func move(
        _ id: Int64,
        to folder: KnownFolder,
        name: [UInt8],
        stamp: FileStamp
    ) throws(DatabaseError) {
        // What was at that name until now was written over.
        let replaced = try names.id(of: name, in: folder.id)
        if let replaced, replaced != id { try remove(replaced) }
        try rewrite(id) { FileRecord(folder: folder, name: name, stamp: stamp, track: $0) }
    }

    /// Frees the name of a file that is about to be moved, so that another can take it.
    func park(_ id: Int64) throws(DatabaseError) {
        try names.park(id)
    }

    /// Notes the numbers that a file has now.
    func note(_ stamp: FileStamp, of id: Int64) throws(DatabaseError) {
        try names.note(stamp, of: id)
    }

    /// Notes what was found out by reading through a file, where its name is known and it has not changed since.
    func note(_ measured: MeasuredFile, ofName name: [UInt8], in folder: Int64) throws(DatabaseError) {
        guard let id = try names.id(of: name, in: folder) else { return }
        let stamp = measured.stamp
        try setLength.run(
            .integer(measured.length.microseconds),
            .integer(id),
            .integer(stamp.size),
            .integer(stamp.modified)
        )
        if connection.database.changes > 0, let bytes = measured.seekIndex {
            try seekIndexes.put(bytes, of: id)
        }
    }

    func remove(_ id: Int64) throws(DatabaseError) {
        guard let place = try byID.first(.integer(id), read: { $0.integer(0) }) else { return }
        try deleteWords.run(.integer(place))
        try names.remove(id)
    }

    /// A record, and what orders it.
    private struct Sorted {
        var record: FileRecord
        var key: [UInt8]
    }

    /// Where a row is, and under which key.
    private struct Placed {
        var id: Int64
        var place: Int64
        var key: [UInt8]
    }

    private func rewrite(_ id: Int64, _ change: (IndexedTrack) -> FileRecord) throws(DatabaseError) {
        let old = try byID.first(.integer(id)) { row in
            (Placed(id: id, place: row.integer(0), key: row.bytes(1)), TrackColumns.read(row, from: 2))
        }
        guard let (placed, track) = old else { return }
        try deleteWords.run(.integer(placed.place))
        let record = change(track)
        let sorted = Sorted(record: record, key: sortKey(record))
        let isAtPlace = placed.key == sorted.key
        let place = isAtPlace ? placed.place : try places.places(for: 1, at: sorted.key).first
        try write(sorted, at: place ?? placed.place, instead: placed)
    }

    private func write(
        _ sorted: Sorted,
        at place: Int64,
        instead old: Placed?
    ) throws(DatabaseError) {
        let record = sorted.record
        let values =
            [.integer(record.folder.id), .bytes(record.name)] + StampColumns.values(record.stamp)
            + [.integer(place), .bytes(sorted.key)] + TrackColumns.values(record.track)
        if let old {
            try update.run(with: values + [.integer(old.id)])
        } else {
            try insert.run(with: values)
        }
        let words = SearchWords(record.track.tags, path: relative(record.path))
        try insertWords.run(
            .integer(place),
            .text(words.title),
            .text(words.artist),
            .text(words.album),
            .text(words.path)
        )
    }

    private func sortKey(_ record: FileRecord) -> [UInt8] {
        SortKey(record.track.tags, path: relative(record.path)).bytes
    }

    /// The path without the library's folder that it is in: what is the same in all of them tells nothing apart.
    private func relative(_ path: FilePath) -> ArraySlice<UInt8> {
        let root = roots.filter { path.isBelow($0) }.max { $0.bytes.count < $1.bytes.count }
        return path.bytes.dropFirst(root?.bytes.count ?? 0).drop { $0 == UInt8(ascii: "/") }
    }
}
