import Music

/// How measured loudness lies in the columns of the index.
enum LoudnessColumns {
    static let names = "own_gain, own_peak, shared_gain, shared_peak"

    /// A table of its own, since it is written at other times than what is read of a file.
    ///
    /// It holds for what was measured only. A row without values is of a file in which there is nothing to measure.
    static let table = """
        CREATE TABLE IF NOT EXISTS loudness (
            file INTEGER PRIMARY KEY, measured_size INTEGER NOT NULL, measured_modified INTEGER NOT NULL, \(names)
        );
        CREATE TRIGGER IF NOT EXISTS loudness_gone AFTER DELETE ON file
            BEGIN DELETE FROM loudness WHERE file = old.id; END
        """

    /// Joins the values of files that are still what was measured.
    static let join = """
        LEFT JOIN loudness ON loudness.file = file.id AND measured_size = file.size
            AND measured_modified = file.modified
        """

    static func values(_ gain: ReplayGain) -> [SQLValue] {
        [gain.trackGain, gain.trackPeak, gain.albumGain, gain.albumPeak].map { SQLValue($0) }
    }

    /// Reads the columns from `first` on.
    static func read(_ row: borrowing Statement, from first: CInt) -> ReplayGain {
        ReplayGain(
            trackGain: row.double(first),
            trackPeak: row.double(first + 1),
            albumGain: row.double(first + 2),
            albumPeak: row.double(first + 3)
        )
    }
}

/// What was measured of a file.
struct MeasuredLoudness: Sendable {
    var file: LoudnessCandidate
    var gain: ReplayGain
}

/// Writes what was measured; on the library's worker.
struct LoudnessRows: ~Copyable {
    private let insert: Statement

    init(_ connection: IndexConnection) throws(DatabaseError) {
        insert = try connection.database.prepare(
            """
            INSERT OR REPLACE INTO loudness
                SELECT id, size, modified, ?, ?, ?, ? FROM file WHERE id = ? AND size = ? AND modified = ?
            """
        )
    }

    /// Notes what was measured of a file, unless it is another by now.
    func note(_ measured: MeasuredLoudness) throws(DatabaseError) {
        let file = measured.file
        try insert.run(
            with: LoudnessColumns.values(measured.gain)
                + [.integer(file.id), .integer(file.size), .integer(file.modified)]
        )
    }
}
