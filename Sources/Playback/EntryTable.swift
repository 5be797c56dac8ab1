import Glibc
import Music

/// The entries of a queue in the order of the list, packed: twelve bytes each, and the names of their files.
///
/// No entry has memory of its own, since a queue of 100,000 is normal: a folder is written down once, a name in one
/// stretch of bytes with all others. What is taken out stays there until it is more than half of that.
struct EntryTable: Sendable {
    /// One entry.
    struct Row: BitwiseCopyable, Sendable {
        /// The entry's id.
        let number: UInt32
        /// Which folder, and in the highest bit whether an excerpt follows the name.
        var folder: UInt32
        /// Where in the bytes the name begins; it ends at a zero.
        var name: UInt32

        static let isExcerpt: UInt32 = 1 << 31

        var hasExcerpt: Bool { folder & Self.isExcerpt != 0 }
        var folderIndex: Int { Int(folder & ~Self.isExcerpt) }
    }

    private(set) var rows: [Row] = []
    /// Where in the bytes each folder begins: all of a path up to the name, so with a slash at its end.
    private var folders: [UInt32] = []
    /// Folders and names, each with a zero behind it, which no path holds.
    private var bytes: [UInt8] = []
    /// How many of the bytes belong to nothing any more.
    private var garbage = 0
    /// Where a folder is found: open addressing, 0 or one more than the folder; made when it is first needed.
    private var slots: [UInt32] = []

    /// How many folders there are, those that nothing lies in any more included.
    var folderCount: Int { folders.count }

    // MARK: Reading

    func location(at index: Int) -> TrackLocation {
        let row = rows[index]
        return bytes.withUnsafeBytes { raw in
            let folder = text(at: folders[row.folderIndex], raw)
            let name = text(at: row.name, raw)
            let path = [UInt8](unsafeUninitializedCapacity: folder.count + name.count) { buffer, count in
                let target = UnsafeMutableRawBufferPointer(buffer)
                target.copyMemory(from: folder)
                UnsafeMutableRawBufferPointer(rebasing: target[folder.count...]).copyMemory(from: name)
                count = target.count
            }
            guard let path = FilePath(bytes: path) else { preconditionFailure("an entry has a path") }
            guard row.hasExcerpt else { return TrackLocation(path) }
            var reader = ByteReader(
                UnsafeRawBufferPointer(rebasing: raw[(Int(row.name) + name.count + 1)...])
            )
            return TrackLocation(path, Excerpt(from: &reader))
        }
    }

    /// Where the entry with this number is; `near` is where it is looked for first.
    func index(of number: UInt32, near: Int? = nil) -> Int? {
        guard let first = rows.first else { return nil }
        // Numbers are handed out in the order of the list, so most are where they would be in an untouched one.
        let likely = Int(number) - Int(first.number)
        for guess in [near.map { $0 + 1 }, near, near.map { $0 - 1 }, likely] {
            if let guess, rows.indices.contains(guess), rows[guess].number == number { return guess }
        }
        return rows.withUnsafeBufferPointer { rows in rows.firstIndex { $0.number == number } }
    }

    /// Whether two entries are of one album: in one folder or, where they are parts of files, in one file.
    func areOfOneAlbum(_ left: Int, _ right: Int) -> Bool {
        let (left, right) = (rows[left], rows[right])
        guard left.folder == right.folder else { return false }
        guard left.hasExcerpt else { return true }
        return bytes.withUnsafeBytes { text(at: left.name, $0).elementsEqual(text(at: right.name, $0)) }
    }

    /// The name of an entry's file.
    func name(at index: Int) -> [UInt8] {
        bytes.withUnsafeBytes { Array(text(at: rows[index].name, $0)) }
    }

    /// The text that begins there, without its zero.
    private func text(at offset: UInt32, _ raw: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var end = Int(offset)
        while raw[end] != 0 { end += 1 }
        return UnsafeRawBufferPointer(rebasing: raw[Int(offset)..<end])
    }

    /// Where all that belongs to an entry alone is.
    private func extent(of row: Row, _ raw: UnsafeRawBufferPointer) -> Range<Int> {
        let end = Int(row.name) + text(at: row.name, raw).count + 1
        guard row.hasExcerpt else { return Int(row.name)..<end }
        var reader = ByteReader(UnsafeRawBufferPointer(rebasing: raw[end...]))
        _ = Excerpt(from: &reader)
        // One zero more ends the excerpt.
        return Int(row.name)..<min(raw.count, raw.count - reader.rest.count + 1)
    }

    // MARK: Changing

    /// Puts in entries, which get the numbers from `number` on.
    mutating func insert(_ locations: [TrackLocation], at index: Int, numberedFrom number: UInt32) {
        if index == rows.count {
            for (offset, location) in locations.enumerated() {
                rows.append(makeRow(location, number: number + UInt32(offset)))
            }
        } else {
            var new: [Row] = []
            new.reserveCapacity(locations.count)
            for (offset, location) in locations.enumerated() {
                new.append(makeRow(location, number: number + UInt32(offset)))
            }
            rows.insert(contentsOf: new, at: index)
        }
    }

    mutating func remove(_ gone: EntrySet) {
        garbage += bytes.withUnsafeBytes { raw in
            rows.reduce(0) { gone.contains($1.number) ? $0 + extent(of: $1, raw).count : $0 }
        }
        rows.removeAll { gone.contains($0.number) }
        tidy()
    }

    /// Brings entries, in the order of the list, behind the one with the number `after`, which is none of them.
    mutating func move(_ moved: EntrySet, after: UInt32?) {
        var kept: [Row] = []
        var brought: [Row] = []
        kept.reserveCapacity(rows.count)
        for row in rows {
            if moved.contains(row.number) { brought.append(row) } else { kept.append(row) }
        }
        let place = after.flatMap { number in kept.firstIndex { $0.number == number } }.map { $0 + 1 } ?? 0
        kept.insert(contentsOf: brought, at: place)
        rows = kept
    }

    /// Writes down that a file, or a folder with all that is in it, has another path.
    mutating func relocate(from old: FilePath, to new: FilePath) {
        relocateFile(from: old.bytes, to: new.bytes)
        let from = old.bytes.withoutSlashesAtEnd + [slash]
        let to = new.bytes.withoutSlashesAtEnd + [slash]
        var replacements: [UInt32: UInt32] = [:]
        for index in folders.indices {
            let folder = bytes.withUnsafeBytes { Array(text(at: folders[index], $0)) }
            guard folder.starts(with: from) else { continue }
            garbage += folder.count + 1
            let moved = to + folder[from.count...]
            replacements[UInt32(index)] = moved.withUnsafeBytes { intern($0) }
        }
        guard !replacements.isEmpty else { return }
        for index in rows.indices {
            let (folder, mark) = (rows[index].folder & ~Row.isExcerpt, rows[index].folder & Row.isExcerpt)
            if let replacement = replacements[folder] { rows[index].folder = replacement | mark }
        }
        tidy()
    }

    private mutating func relocateFile(from old: [UInt8], to new: [UInt8]) {
        let (oldFolder, oldName) = old.splitBehindLastSlash
        let (newFolder, newName) = new.splitBehindLastSlash
        let place = oldFolder.withUnsafeBytes { folder in folders.firstIndex { isText(folder, at: $0) } }
        guard let place, !newName.isEmpty else { return }
        for index in rows.indices where rows[index].folderIndex == place && name(at: index) == oldName {
            let row = rows[index]
            let old = bytes.withUnsafeBytes { extent(of: row, $0) }
            garbage += old.count
            rows[index].folder = newFolder.withUnsafeBytes { intern($0) } | row.folder & Row.isExcerpt
            rows[index].name = UInt32(bytes.count)
            bytes.append(contentsOf: newName)
            bytes.append(contentsOf: Array(bytes[old].dropFirst(oldName.count)))
        }
        tidy()
    }

    private mutating func makeRow(_ location: TrackLocation, number: UInt32) -> Row {
        location.path.bytes.withUnsafeBytes { path in
            var cut = path.count
            while cut > 0, path[cut - 1] != slash { cut -= 1 }
            var folder = intern(UnsafeRawBufferPointer(rebasing: path[..<cut]))
            let name = UInt32(bytes.count)
            bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: path[cut...]))
            bytes.append(0)
            if let excerpt = location.excerpt {
                var writer = ByteWriter()
                excerpt.put(into: &writer)
                bytes.append(contentsOf: writer.bytes)
                bytes.append(0)
                folder |= Row.isExcerpt
            }
            return Row(number: number, folder: folder, name: name)
        }
    }

    /// Writes everything down anew where more than half of it is garbage.
    private mutating func tidy() {
        guard garbage * 2 > bytes.count || rows.isEmpty else { return }
        var new = EntryTable()
        new.rows.reserveCapacity(rows.count)
        new.bytes.reserveCapacity(max(0, bytes.count - garbage))
        var kept = [UInt32?](repeating: nil, count: folders.count)
        bytes.withUnsafeBytes { raw in
            for row in rows {
                let folder = kept[row.folderIndex] ?? new.intern(text(at: folders[row.folderIndex], raw))
                kept[row.folderIndex] = folder
                let mark = row.folder & Row.isExcerpt
                let name = UInt32(new.bytes.count)
                new.rows.append(Row(number: row.number, folder: folder | mark, name: name))
                new.bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: raw[extent(of: row, raw)]))
            }
        }
        self = new
    }

    // MARK: Folders

    /// The folder with this text, which is written down where it is new.
    private mutating func intern(_ folder: UnsafeRawBufferPointer) -> UInt32 {
        // Mostly it is that of the track before.
        if let last = folders.last, isText(folder, at: last) { return UInt32(folders.count - 1) }
        if folders.count * 2 >= slots.count { makeSlots() }
        var slot = Int(truncatingIfNeeded: checksum(folder)) & (slots.count - 1)
        while slots[slot] != 0 {
            let index = slots[slot] - 1
            if isText(folder, at: folders[Int(index)]) { return index }
            slot = (slot + 1) & (slots.count - 1)
        }
        folders.append(UInt32(bytes.count))
        bytes.append(contentsOf: folder)
        bytes.append(0)
        slots[slot] = UInt32(folders.count)
        return UInt32(folders.count - 1)
    }

    private mutating func makeSlots() {
        var count = 16
        while count < folders.count * 4 { count *= 2 }
        slots = Array(repeating: 0, count: count)
        bytes.withUnsafeBytes { raw in
            for (index, offset) in folders.enumerated() {
                var slot = Int(truncatingIfNeeded: checksum(text(at: offset, raw))) & (count - 1)
                while slots[slot] != 0 { slot = (slot + 1) & (count - 1) }
                slots[slot] = UInt32(index + 1)
            }
        }
    }

    private func isText(_ text: UnsafeRawBufferPointer, at offset: UInt32) -> Bool {
        bytes.withUnsafeBytes { raw in
            let end = Int(offset) + text.count
            guard end < raw.count, raw[end] == 0 else { return false }
            return UnsafeRawBufferPointer(rebasing: raw[Int(offset)..<end]).elementsEqual(text)
        }
    }
}

extension EntryTable: Equatable {
    /// Whether the same entries are at the same places, however they are written down.
    static func == (left: EntryTable, right: EntryTable) -> Bool {
        left.rows.count == right.rows.count
            && left.rows.indices.allSatisfy {
                left.rows[$0].number == right.rows[$0].number
                    && left.location(at: $0) == right.location(at: $0)
            }
    }
}

extension EntryTable {
    func put(into writer: inout ByteWriter) {
        for count in [rows.count, folders.count, bytes.count, garbage] { writer.put(UInt32(count)) }
        writer.put(words: rows)
        writer.put(words: folders)
        bytes.withUnsafeBytes { writer.put($0) }
    }

    /// Reads a table and makes sure that nothing in it points outside; `nil` where the bytes hold none.
    init?(from reader: inout ByteReader) {
        guard let count = reader.take(UInt32.self), let folderCount = reader.take(UInt32.self),
            let byteCount = reader.take(UInt32.self), let garbage = reader.take(UInt32.self),
            let rows = reader.take(words: count, of: Row.self),
            let folders = reader.take(words: folderCount, of: UInt32.self),
            let text = reader.take(Int(byteCount)), garbage <= byteCount
        else { return nil }
        (self.rows, self.folders, self.garbage) = (rows, folders, Int(garbage))
        bytes = Array(text)
        guard isSound else { return nil }
    }

    /// The size of what ``put(into:)`` writes.
    var byteCount: Int { 16 + rows.count * MemoryLayout<Row>.stride + folders.count * 4 + bytes.count }

    private var isSound: Bool {
        guard rows.isEmpty || bytes.last == 0, folders.allSatisfy({ $0 < bytes.count }) else { return false }
        var unseen = EntrySet(rows.lazy.map(\.number))
        return bytes.withUnsafeBytes { raw in
            rows.allSatisfy { row in
                guard row.folderIndex < folders.count, row.name < raw.count, unseen.remove(row.number),
                    raw[Int(folders[row.folderIndex])] != 0 || raw[Int(row.name)] != 0
                else { return false }
                guard row.hasExcerpt else { return true }
                let end = Int(row.name) + text(at: row.name, raw).count + 1
                var reader = ByteReader(UnsafeRawBufferPointer(rebasing: raw[end...]))
                return Excerpt(from: &reader) != nil
            }
        }
    }
}

private let slash = UInt8(ascii: "/")

extension [UInt8] {
    fileprivate var withoutSlashesAtEnd: [UInt8] {
        Array(prefix((lastIndex { $0 != slash } ?? -1) + 1))
    }

    /// What a table keeps as the folder, and the name.
    fileprivate var splitBehindLastSlash: (folder: [UInt8], name: [UInt8]) {
        let cut = (lastIndex(of: slash) ?? -1) + 1
        return (Array(self[..<cut]), Array(self[cut...]))
    }
}
