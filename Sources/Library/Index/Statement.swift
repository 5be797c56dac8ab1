import CSQLite

/// What goes into a statement.
enum SQLValue {
    case integer(Int64)
    case double(Double)
    case text(String)
    case bytes([UInt8])
    case null

    init(_ number: (some BinaryInteger)?) {
        self = number.map { .integer(Int64(truncatingIfNeeded: $0)) } ?? .null
    }

    init(_ number: Double?) {
        self = number.map { .double($0) } ?? .null
    }

    init(_ text: String?) {
        self = text.map { .text($0) } ?? .null
    }
}

/// A prepared statement, run again and again on the thread of its connection.
struct Statement: ~Copyable {
    private let raw: OpaquePointer

    init(_ raw: OpaquePointer) { self.raw = raw }

    deinit { sqlite3_finalize(raw) }

    /// Runs it to its end.
    func run(_ values: SQLValue...) throws(DatabaseError) {
        try start(values)
        defer { stop() }
        while try next() {}
    }

    /// Runs it to its end with more values than are written out.
    func run(with values: [SQLValue]) throws(DatabaseError) {
        try start(values)
        defer { stop() }
        while try next() {}
    }

    /// What `read` makes of the first row; `nil` where there is none.
    func first<Result>(
        _ values: SQLValue...,
        read: (borrowing Statement) -> Result?
    ) throws(DatabaseError) -> Result? {
        try start(values)
        defer { stop() }
        return try next() ? read(self) : nil
    }

    /// What `read` makes of each row.
    func all<Result>(
        _ values: SQLValue...,
        read: (borrowing Statement) -> Result?
    ) throws(DatabaseError) -> [Result] {
        try start(values)
        defer { stop() }
        var results: [Result] = []
        while try next() {
            if let result = read(self) { results.append(result) }
        }
        return results
    }

    private func start(_ values: [SQLValue]) throws(DatabaseError) {
        for (index, value) in values.enumerated() {
            let status = bind(value, at: CInt(index + 1))
            guard status == SQLITE_OK else { throw DatabaseError(status) }
        }
    }

    /// A statement that is not reset keeps other connections from tidying up.
    private func stop() {
        sqlite3_reset(raw)
        sqlite3_clear_bindings(raw)
    }

    private func next() throws(DatabaseError) -> Bool {
        switch sqlite3_step(raw) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw DatabaseError(code)
        }
    }

    private func bind(_ value: SQLValue, at place: CInt) -> CInt {
        switch value {
        case .integer(let number): return sqlite3_bind_int64(raw, place, number)
        case .double(let number): return sqlite3_bind_double(raw, place, number)
        case .null: return sqlite3_bind_null(raw, place)
        case .bytes(let bytes):
            return bytes.withUnsafeBytes { tianlai_bind_blob(raw, place, $0.baseAddress, CInt($0.count)) }
        case .text(var text):
            return text.withUTF8 { utf8 in
                utf8.withMemoryRebound(to: CChar.self) {
                    tianlai_bind_text(raw, place, $0.baseAddress, CInt($0.count))
                }
            }
        }
    }

    // The columns of the present row, counted from 0; only inside `read`.

    func isNull(_ column: CInt) -> Bool { sqlite3_column_type(raw, column) == SQLITE_NULL }

    func integer(_ column: CInt) -> Int64 { sqlite3_column_int64(raw, column) }

    func number(_ column: CInt) -> Int64? { isNull(column) ? nil : integer(column) }

    func double(_ column: CInt) -> Double? { isNull(column) ? nil : sqlite3_column_double(raw, column) }

    func bytes(_ column: CInt) -> [UInt8] {
        guard let start = sqlite3_column_blob(raw, column) else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(raw, column))))
    }

    func text(_ column: CInt) -> String? {
        guard let start = sqlite3_column_text(raw, column) else { return nil }
        let count = Int(sqlite3_column_bytes(raw, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }
}
