/// How a file's stamp lies in the columns of the index.
enum StampColumns {
    static let names = "device, inode, size, modified, changed"

    static let count: CInt = 5

    /// The names where another table has such columns too.
    static func qualified(_ table: String) -> String {
        names.split(separator: " ").map { "\(table).\($0)" }.joined(separator: " ")
    }

    static func values(_ stamp: FileStamp) -> [SQLValue] {
        [stamp.identity.device, stamp.identity.inode, stamp.size, stamp.modified, stamp.changed].map {
            .integer($0)
        }
    }

    /// Reads the columns from `first` on.
    static func read(_ row: borrowing Statement, from first: CInt) -> FileStamp {
        FileStamp(
            identity: FileIdentity(device: row.integer(first), inode: row.integer(first + 1)),
            size: row.integer(first + 2),
            modified: row.integer(first + 3),
            changed: row.integer(first + 4)
        )
    }
}
