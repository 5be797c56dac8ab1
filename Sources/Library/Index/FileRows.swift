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
    private let roots: [FilePath]
    private let insert, update, delete, byID, byName, inFolder, withContent, setLength, setStamp,
        rename: Statement
    private let lastUpTo, firstBehind, insertWords, deleteWords: Statement

    init(_ connection: IndexConnection, roots: [FilePath]) throws(DatabaseError) {
        self.connection = connection
        self.roots = roots
        let columns = "folder, name, \(StampColumns.names), place, sort, \(TrackColumns.names)"
        let marks = columns.split(separator: ",").map { _ in "?" }.joined(separator: ", ")
        func prepare(_ statement: String) throws(DatabaseError) -> Statement {
            try connection.database.prepare(statement)
        }
        insert = try prepare("INSERT INTO file (\(columns)) VALUES (\(marks))")
        update = try prepare("UPDATE file SET (\(columns)) = (\(marks)) WHERE id = ?")
        delete = try prepare("DELETE FROM file WHERE id = ?")
        byID = try prepare("SELECT place, sort, \(TrackColumns.names) FROM file WHERE id = ?")
        byName = try prepare("SELECT id FROM file WHERE folder = ? AND name = ?")
        inFolder = try prepare(
            "SELECT id, name, \(StampColumns.names), problem IS NOT NULL FROM file WHERE folder = ? ORDER BY name"
        )
        withContent = try prepare(
            """
            SELECT file.id, folder.path, name FROM file JOIN folder ON folder.id = folder
            WHERE file.inode = ? AND file.device = ? AND size = ? AND modified = ? ORDER BY file.id
            """
        )
        setLength = try prepare("UPDATE file SET length = ?, is_exact = 1 WHERE id = ?")
        setStamp = try prepare("UPDATE file SET (\(StampColumns.names)) = (?, ?, ?, ?, ?) WHERE id = ?")
        rename = try prepare("UPDATE file SET name = ? WHERE id = ?")
        lastUpTo = try prepare(
            "SELECT place FROM file WHERE sort <= ? ORDER BY sort DESC, place DESC LIMIT 1"
        )
        firstBehind = try prepare("SELECT place, sort FROM file WHERE sort > ? ORDER BY sort, place LIMIT 1")
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
            let id = try byName.first(.integer(record.folder.id), .bytes(record.name)) { $0.integer(0) }
            if let id {
                known.append(record.path)
                try rewrite(id) { _ in record }
            } else {
                new.append(Sorted(record: record, key: sortKey(record)))
            }
        }
        var rest = new.sorted { $0.key.lexicographicallyPrecedes($1.key) }[...]
        while let first = rest.first {
            let gap = try gap(at: first.key)
            // All that come before the next row that is there share the room.
            let run = rest.prefix { gap.end.map($0.key.lexicographicallyPrecedes) ?? true }
            guard let places = Places.places(for: run.count, between: gap.before, and: gap.after) else {
                try placeAnew()
                continue
            }
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
        let replaced = try byName.first(.integer(folder.id), .bytes(name)) { $0.integer(0) }
        if let replaced, replaced != id { try remove(replaced) }
        try rewrite(id) { FileRecord(folder: folder, name: name, stamp: stamp, track: $0) }
    }

    /// Frees the name of a file that is about to be moved, so that another can take it.
    func park(_ id: Int64) throws(DatabaseError) {
        // No file has an empty component in its name.
        try rename.run(.bytes(Array("/\(id)".utf8)), .integer(id))
    }

    /// Notes the numbers that a file has now.
    func note(_ stamp: FileStamp, of id: Int64) throws(DatabaseError) {
        try setStamp.run(with: StampColumns.values(stamp) + [.integer(id)])
    }

    /// Notes the exact length of a file, where its name is known.
    func note(_ length: TrackTime, ofName name: [UInt8], in folder: Int64) throws(DatabaseError) {
        let id = try byName.first(.integer(folder), .bytes(name)) { $0.integer(0) }
        if let id { try setLength.run(.integer(length.microseconds), .integer(id)) }
    }

    func remove(_ id: Int64) throws(DatabaseError) {
        guard let place = try byID.first(.integer(id), read: { $0.integer(0) }) else { return }
        try deleteWords.run(.integer(place))
        try delete.run(.integer(id))
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

    /// The rows between which a key belongs.
    private struct Gap {
        var before: Int64?
        var after: Int64?
        /// The key of the row behind it.
        var end: [UInt8]?
    }

    private func rewrite(_ id: Int64, _ change: (IndexedTrack) -> FileRecord) throws(DatabaseError) {
        let old = try byID.first(.integer(id)) { row in
            (Placed(id: id, place: row.integer(0), key: row.bytes(1)), TrackColumns.read(row, from: 2))
        }
        guard let (placed, track) = old else { return }
        try deleteWords.run(.integer(placed.place))
        let record = change(track)
        let sorted = Sorted(record: record, key: sortKey(record))
        let place = placed.key == sorted.key ? placed.place : try place(for: sorted.key)
        try write(sorted, at: place, instead: placed)
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

    private func gap(at key: [UInt8]) throws(DatabaseError) -> Gap {
        let before = try lastUpTo.first(.bytes(key)) { $0.integer(0) }
        let behind = try firstBehind.first(.bytes(key)) { (place: $0.integer(0), key: $0.bytes(1)) }
        return Gap(before: before, after: behind?.place, end: behind?.key)
    }

    private func place(for key: [UInt8]) throws(DatabaseError) -> Int64 {
        for _ in 0..<2 {
            let gap = try gap(at: key)
            if let place = Places.places(for: 1, between: gap.before, and: gap.after)?.first { return place }
            try placeAnew()
        }
        throw .corrupt
    }

    /// Makes room everywhere.
    private func placeAnew() throws(DatabaseError) {
        let room = Places.room(for: try count())
        try connection.database.run(
            """
            ALTER TABLE search RENAME TO searched;
            \(IndexFile.searchTable);
            INSERT INTO search (rowid, title, artist, album, path)
                SELECT number * \(room), title, artist, album, path
                FROM (SELECT place, row_number() OVER (ORDER BY place) AS number FROM file)
                CROSS JOIN searched ON searched.rowid = place;
            DROP TABLE searched;
            UPDATE file SET place = number * \(room)
                FROM (SELECT id AS placed, row_number() OVER (ORDER BY place) AS number FROM file)
                WHERE id = placed
            """
        )
    }

    /// The path without the library's folder that it is in: what is the same in all of them tells nothing apart.
    private func relative(_ path: FilePath) -> ArraySlice<UInt8> {
        let root = roots.filter { path.isBelow($0) }.max { $0.bytes.count < $1.bytes.count }
        return path.bytes.dropFirst(root?.bytes.count ?? 0).drop { $0 == UInt8(ascii: "/") }
    }
}

/// The words that find a track.
private struct SearchWords {
    let title, artist, album, path: String

    init(_ tags: Tags, path: ArraySlice<UInt8>) {
        title = SearchText.indexed(tags.title ?? "")
        let artists = tags.artists + tags.albumArtists.filter { !tags.artists.contains($0) }
        artist = SearchText.indexed(artists.joined(separator: "; "))
        album = SearchText.indexed(tags.album ?? "")
        let name = path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? path.startIndex
        // The suffix is that of thousands of others.
        let end = path[name...].lastIndex(of: UInt8(ascii: ".")) ?? path.endIndex
        self.path = SearchText.indexed(String(decoding: path[..<end], as: UTF8.self))
    }
}
