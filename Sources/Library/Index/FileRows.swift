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
    private let insert, update, delete, byID, byName, inFolder, withContent, setLength, rename: Statement
    private let lastUpTo, firstBehind, insertWords, deleteWords: Statement
    /// Where the row placed last is.
    private var lastPlace: Int64?

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
        rename = try prepare("UPDATE file SET name = ? WHERE id = ?")
        lastUpTo = try prepare(
            "SELECT place FROM file WHERE sort <= ? ORDER BY sort DESC, place DESC LIMIT 1"
        )
        firstBehind = try prepare("SELECT place FROM file WHERE sort > ? ORDER BY sort, place LIMIT 1")
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
        let sorted = records.map { (record: $0, sort: sortKey($0)) }
            .sorted { $0.sort.lexicographicallyPrecedes($1.sort) }
        for (record, sort) in sorted {
            let id = try byName.first(.integer(record.folder.id), .bytes(record.name)) { $0.integer(0) }
            if let id {
                known.append(record.path)
                try rewrite(id) { _ in record }
            } else {
                try write(record, sort, instead: nil)
            }
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

    /// What was placed last is not there after all.
    func forgetPlaces() { lastPlace = nil }

    /// Where a row is, and under which key.
    private struct Placed {
        var id: Int64
        var place: Int64
        var sort: [UInt8]
    }

    private func rewrite(_ id: Int64, _ change: (IndexedTrack) -> FileRecord) throws(DatabaseError) {
        let old = try byID.first(.integer(id)) { row in
            (Placed(id: id, place: row.integer(0), sort: row.bytes(1)), TrackColumns.read(row, from: 2))
        }
        guard let (placed, track) = old else { return }
        try deleteWords.run(.integer(placed.place))
        let record = change(track)
        try write(record, sortKey(record), instead: placed)
    }

    private func write(
        _ record: FileRecord,
        _ sort: [UInt8],
        instead old: Placed?
    ) throws(DatabaseError) {
        let place = if let old, old.sort == sort { old.place } else { try place(of: sort) }
        let values =
            [.integer(record.folder.id), .bytes(record.name)] + StampColumns.values(record.stamp)
            + [.integer(place), .bytes(sort)] + TrackColumns.values(record.track)
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
        lastPlace = place
    }

    private func sortKey(_ record: FileRecord) -> [UInt8] {
        SortKey(record.track.tags, path: relative(record.path)).bytes
    }

    private func place(of sort: [UInt8]) throws(DatabaseError) -> Int64 {
        if let place = try placeLeft(for: sort) { return place }
        try placeAnew()
        guard let place = try placeLeft(for: sort) else { throw .corrupt }
        return place
    }

    private func placeLeft(for sort: [UInt8]) throws(DatabaseError) -> Int64? {
        let before = try lastUpTo.first(.bytes(sort)) { $0.integer(0) }
        let after = try firstBehind.first(.bytes(sort)) { $0.integer(0) }
        return Places.between(before, after, last: lastPlace)
    }

    /// Makes room everywhere.
    private func placeAnew() throws(DatabaseError) {
        try connection.database.run(
            """
            CREATE TEMP TABLE placed (number INTEGER PRIMARY KEY, file INTEGER, old INTEGER);
            INSERT INTO placed (file, old) SELECT id, place FROM file ORDER BY place;
            CREATE TEMP TABLE words AS
                SELECT number, title, artist, album, path FROM placed JOIN search ON search.rowid = old ORDER BY number;
            DROP TABLE search;
            \(IndexFile.searchTable);
            INSERT INTO search (rowid, title, artist, album, path)
                SELECT number * \(Places.stride), title, artist, album, path FROM words ORDER BY number;
            UPDATE file SET place = number * \(Places.stride) FROM placed WHERE file = file.id;
            DROP TABLE placed; DROP TABLE words
            """
        )
        lastPlace = nil
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
