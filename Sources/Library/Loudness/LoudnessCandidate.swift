import Music

/// A file whose tags say nothing of its loudness.
struct LoudnessCandidate: Equatable, Sendable {
    /// Its row in the index, and the stamp under which it stands there.
    var id: Int64
    var size: Int64
    var modified: Int64
    var path: FilePath
    var album: String?
    /// Whether it has been measured, and been left as it was.
    var isMeasured: Bool

    /// What of a folder is to be measured, and what of that together.
    ///
    /// An album is what has the same album name in one folder. One that has got another track is measured as a whole
    /// again, since what was measured of its tracks cannot be put together any more.
    static func groups(_ files: [LoudnessCandidate]) -> [[LoudnessCandidate]] {
        var groups: [[LoudnessCandidate]] = []
        var places: [String: Int] = [:]
        for file in files {
            if let album = file.album, let place = places[album] {
                groups[place].append(file)
            } else {
                if let album = file.album { places[album] = groups.count }
                groups.append([file])
            }
        }
        return groups.filter { !$0.allSatisfy(\.isMeasured) }
    }
}

extension IndexReader {
    /// The folders in which something is to be measured, and how much there is; `nil` where there is no index.
    func foldersToMeasure() -> (folders: [Int64], files: Int)? {
        read { connection throws(DatabaseError) in
            let rows = try connection.database.prepare(
                """
                SELECT folder, count(*) FROM file \(LoudnessColumns.join)
                WHERE \(Self.isCandidate) AND loudness.file IS NULL GROUP BY folder ORDER BY min(place)
                """
            ).all { (folder: $0.integer(0), files: Int($0.integer(1))) }
            return (rows.map(\.folder), rows.reduce(0) { $0 + $1.files })
        }
    }

    /// All files of a folder that have no loudness in their tags, in the order of the library.
    func loudnessCandidates(in folder: Int64) -> [LoudnessCandidate] {
        read { connection throws(DatabaseError) in
            try connection.database.prepare(
                """
                SELECT file.id, file.size, file.modified, path, name, album, loudness.file IS NOT NULL
                FROM file JOIN folder ON folder.id = file.folder \(LoudnessColumns.join)
                WHERE file.folder = ? AND \(Self.isCandidate) ORDER BY place
                """
            ).all(.integer(folder), read: Self.candidate)
        } ?? []
    }

    private static let isCandidate = "track_gain IS NULL AND album_gain IS NULL AND problem IS NULL"

    private static func candidate(_ row: borrowing Statement) -> LoudnessCandidate? {
        guard let folder = FilePath(bytes: row.bytes(3)) else { return nil }
        return LoudnessCandidate(
            id: row.integer(0),
            size: row.integer(1),
            modified: row.integer(2),
            path: folder.appending(row.bytes(4)),
            album: row.text(5),
            isMeasured: row.integer(6) != 0
        )
    }
}
