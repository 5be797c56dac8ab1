import Charset
import Music

/// What a PLS list says, or an ASX list in its INI form.
///
/// Numbered keys count in the order of their numbers, whatever their order, letter case and number (C240, C241).
struct PLSList {
    private(set) var entries: [PlaylistEntry] = []

    init(_ lines: LineReader, _ encoding: TextEncoding) throws(PlaylistError) {
        var rows: [UInt32: Row] = [:]
        while let field = try lines.next({ Field(trimmed($0)) }) {
            guard let field else { continue }
            guard rows.count < PlaylistFile.mostEntries || rows[field.number] != nil else { continue }
            switch field.key {
            case .file: rows[field.number, default: Row()].file = field.value
            case .title: rows[field.number, default: Row()].title = field.value
            case .length: rows[field.number, default: Row()].length = field.value
            }
        }
        let text = ListText(encoding)
        for (_, row) in rows.sorted(by: { $0.key < $1.key }) where !row.file.isEmpty && !row.file.contains(0)
        {
            var entry = PlaylistEntry(WrittenLocation(path: row.file, encoding), text)
            entry.title = text.field(row.title)
            entry.duration = seconds(row.length)
            entries.append(entry)
        }
    }

    private struct Row {
        var (file, title, length) = ([UInt8](), [UInt8](), [UInt8]())
    }

    /// `File7=somewhere`.
    private struct Field {
        enum Key { case file, title, length }

        var key: Key
        var number: UInt32
        var value: [UInt8]

        init?(_ line: UnsafeRawBufferPointer) {
            let known: [(StaticString, Key)] = [
                ("File", .file), ("Title", .title), ("Length", .length), ("Ref", .file),
            ]
            guard let (name, key) = known.first(where: { hasPrefix(line, $0.0) }),
                let sign = line.firstIndex(of: UInt8(ascii: "="))
            else { return nil }
            let digits = line[min(name.utf8CodeUnitCount, sign)..<sign].filter { $0 != 0x20 }
            guard let number = UInt32(String(decoding: digits, as: UTF8.self)) else { return nil }
            self.key = key
            self.number = number
            value = Array(trimmed(UnsafeRawBufferPointer(rebasing: line[(sign + 1)...])))
        }
    }
}
