/// Where files stand in the order of the library, and room for those to come.
final class FilePlaces {
    private let connection: IndexConnection
    private let lastUpTo, firstBehind: Statement

    /// The rows between which a key belongs.
    struct Gap {
        var before: Int64?
        var after: Int64?
        /// The key of the row behind it.
        var end: [UInt8]?
    }

    init(_ connection: IndexConnection) throws(DatabaseError) {
        self.connection = connection
        lastUpTo = try connection.database.prepare(
            "SELECT place FROM file WHERE sort <= ? ORDER BY sort DESC, place DESC LIMIT 1"
        )
        firstBehind = try connection.database.prepare(
            "SELECT place, sort FROM file WHERE sort > ? ORDER BY sort, place LIMIT 1"
        )
    }

    /// The rows between which `key` belongs.
    func gap(at key: [UInt8]) throws(DatabaseError) -> Gap {
        let before = try lastUpTo.first(.bytes(key)) { $0.integer(0) }
        let behind = try firstBehind.first(.bytes(key)) { (place: $0.integer(0), key: $0.bytes(1)) }
        return Gap(before: before, after: behind?.place, end: behind?.key)
    }

    /// Places for `count` rows in order, the first with `key` and all before the next row that is there.
    func places(for count: Int, at key: [UInt8]) throws(DatabaseError) -> [Int64] {
        for isLast in [false, true] {
            let gap = try gap(at: key)
            if let places = Places.places(for: count, between: gap.before, and: gap.after) { return places }
            if !isLast { try placeAnew() }
        }
        throw .corrupt
    }

    /// Makes room everywhere.
    private func placeAnew() throws(DatabaseError) {
        let room = Places.room(for: Int(try connection.database.number("SELECT count(*) FROM file") ?? 0))
        try connection.database.run(
            """
            ALTER TABLE search RENAME TO searched;
            \(IndexFile.searchTable);
            INSERT INTO search (rowid, title, artist, album, path)
                SELECT number * \(room), title, artist, album, path
                FROM (SELECT place, row_number() OVER (ORDER BY sort, place) AS number FROM file)
                CROSS JOIN searched ON searched.rowid = place;
            DROP TABLE searched;
            UPDATE file SET place = number * \(room)
                FROM (SELECT id AS placed, row_number() OVER (ORDER BY sort, place) AS number FROM file)
                WHERE id = placed
            """
        )
    }
}
