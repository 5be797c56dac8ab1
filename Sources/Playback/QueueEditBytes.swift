import Music

/// An edit as bytes, so that it can be carried out again by another process.
extension QueueEdit {
    private enum Code {
        static let replace: UInt8 = 1
        static let insert: UInt8 = 2
        static let remove: UInt8 = 3
        static let move: UInt8 = 4
        static let goForward: UInt8 = 5
        static let goBack: UInt8 = 6
        static let jump: UInt8 = 7
        static let rewind: UInt8 = 8
        static let shuffle: UInt8 = 9
        static let relocate: UInt8 = 10
        static let append: UInt8 = 11
    }

    /// Appends the edit as ``init(from:)`` reads it.
    package func put(into writer: inout ByteWriter) {
        switch self {
        case .replace(let locations):
            writer.put(Code.replace)
            writer.put(locations)
        case .insert(let locations, let index):
            writer.put(Code.insert)
            writer.put(Int64(index))
            writer.put(locations)
        case .append(let locations):
            writer.put(Code.append)
            writer.put(locations)
        case .remove(let ids):
            writer.put(Code.remove)
            writer.put(ids)
        case .move(let ids, let after):
            writer.put(Code.move)
            writer.put(ids)
            // The first id is 1.
            writer.put(after?.number ?? 0)
        case .goForward(let id):
            writer.put(Code.goForward)
            writer.put(id.number)
        case .goBack(let id):
            writer.put(Code.goBack)
            writer.put(id.number)
        case .jump(let id):
            writer.put(Code.jump)
            writer.put(id.number)
        case .rewind: writer.put(Code.rewind)
        case .shuffle(let kind):
            writer.put(Code.shuffle)
            writer.put(kind?.code ?? 0)
        case .relocate(let old, let new):
            writer.put(Code.relocate)
            writer.put(counted: old.bytes)
            writer.put(counted: new.bytes)
        }
    }

    /// The edit that ``put(into:)`` has written there, or `nil` where the bytes, whatever they are, hold none.
    package init?(from reader: inout ByteReader) {
        guard let code = reader.take(UInt8.self) else { return nil }
        switch code {
        case Code.replace:
            guard let locations = reader.takeLocations() else { return nil }
            self = .replace(locations)
        case Code.insert:
            guard let index = reader.take(Int64.self), let locations = reader.takeLocations() else {
                return nil
            }
            self = .insert(locations, at: Int(index))
        case Code.append:
            guard let locations = reader.takeLocations() else { return nil }
            self = .append(locations)
        case Code.remove:
            guard let ids = reader.takeIDs() else { return nil }
            self = .remove(ids)
        case Code.move:
            guard let ids = reader.takeIDs(), let after = reader.take(UInt64.self) else { return nil }
            self = .move(ids, after: after == 0 ? nil : TrackID(after))
        case Code.goForward, Code.goBack, Code.jump:
            guard let id = reader.take(UInt64.self).map(TrackID.init) else { return nil }
            self =
                code == Code.jump ? .jump(to: id) : code == Code.goBack ? .goBack(to: id) : .goForward(to: id)
        case Code.rewind: self = .rewind
        case Code.shuffle:
            guard let kind = reader.take(UInt8.self), kind <= 2 else { return nil }
            self = .shuffle(ShuffleKind(code: kind))
        case Code.relocate:
            guard let old = reader.takeCounted().flatMap({ FilePath(bytes: $0) }),
                let new = reader.takeCounted().flatMap({ FilePath(bytes: $0) })
            else { return nil }
            self = .relocate(from: old, to: new)
        default: return nil
        }
    }
}

extension ByteWriter {
    fileprivate mutating func put(_ ids: [TrackID]) {
        put(UInt32(ids.count))
        for id in ids { put(id.number) }
    }

    /// As the table of a queue, which writes each folder once.
    fileprivate mutating func put(_ locations: [TrackLocation]) {
        var table = EntryTable()
        table.insert(locations, at: 0, numberedFrom: 1)
        table.put(into: &self)
    }
}

extension ByteReader {
    fileprivate mutating func takeIDs() -> [TrackID]? {
        guard let count = take(UInt32.self), let raw = take(Int(count) * 8) else { return nil }
        var reader = ByteReader(raw)
        return (0..<count).compactMap { _ in reader.take(UInt64.self).map(TrackID.init) }
    }

    fileprivate mutating func takeLocations() -> [TrackLocation]? {
        EntryTable(from: &self).map { table in table.rows.indices.map(table.location) }
    }
}
