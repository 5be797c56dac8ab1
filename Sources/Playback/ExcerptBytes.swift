import Music

/// A stretch of a file as bytes: what is there, one bit each, then that.
extension Excerpt {
    private enum Has {
        static let end: UInt8 = 1
        static let title: UInt8 = 2
        static let artist: UInt8 = 4
        static let album: UInt8 = 8
        static let number: UInt8 = 16
    }

    func put(into writer: inout ByteWriter) {
        var has: UInt8 = 0
        if end != nil { has |= Has.end }
        if title != nil { has |= Has.title }
        if artist != nil { has |= Has.artist }
        if album != nil { has |= Has.album }
        if number != nil { has |= Has.number }
        writer.put(has)
        writer.put(start.microseconds)
        if let end { writer.put(end.microseconds) }
        for text in [title, artist, album] {
            if let text { writer.put(counted: Array(text.utf8)) }
        }
        if let number { writer.put(number) }
    }

    init?(from reader: inout ByteReader) {
        guard let has = reader.take(UInt8.self), let start = reader.take(Int64.self) else { return nil }
        self.init(start: TrackTime(microseconds: start))
        if has & Has.end != 0 {
            guard let end = reader.take(Int64.self) else { return nil }
            self.end = TrackTime(microseconds: end)
        }
        for (bit, field) in [(Has.title, \Excerpt.title), (Has.artist, \.artist), (Has.album, \.album)]
        where has & bit != 0 {
            guard let text = reader.takeCounted() else { return nil }
            self[keyPath: field] = String(decoding: text, as: UTF8.self)
        }
        if has & Has.number != 0 {
            guard let number = reader.take(Int32.self) else { return nil }
            self.number = number
        }
    }
}
