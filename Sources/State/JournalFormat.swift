import Music
import Playback

/// The journal as bytes: a head, twice how the queue is played, the queue as it was once, and what was done to it since.
///
/// A record is its length, a sum of that, a sum of what is in it, and that. The two sums tell a record whose end was
/// never written, which nobody was promised, from one that was damaged later.
enum JournalFormat {
    /// `TIANLAIQ`.
    private static let mark: UInt64 = 0x5149_414C_4E41_4954
    private static let version: UInt32 = 1
    static let headLength = 16
    /// Where the first record begins.
    static let recordsStart = headLength + 2 * KeptModes.byteCount
    static let recordHeadLength = 16

    /// Where how the queue is played is kept; the two are written in turn, so that one of them is always whole.
    static func placeOfModes(_ slot: Int) -> Int { headLength + slot * KeptModes.byteCount }

    /// The beginning of a file whose queue takes these bytes, up to those.
    static func beginning(_ modes: KeptModes, queue: [UInt8]) -> [UInt8] {
        var writer = ByteWriter(reserving: recordsStart + recordHeadLength)
        writer.put(mark)
        writer.put(version)
        writer.put(UInt32(0))
        for _ in 0..<2 { modes.bytes.withUnsafeBytes { writer.put($0) } }
        putRecordHead(of: queue, at: recordsStart, into: &writer)
        return writer.bytes
    }

    /// A record of edits that is to stand at this place of the file.
    static func record(_ edits: [QueueEdit], counter: UInt64, at offset: Int) -> [UInt8] {
        var content = ByteWriter()
        content.put(counter)
        for edit in edits { edit.put(into: &content) }
        var writer = ByteWriter(reserving: recordHeadLength + content.bytes.count)
        putRecordHead(of: content.bytes, at: offset, into: &writer)
        content.bytes.withUnsafeBytes { writer.put($0) }
        return writer.bytes
    }

    private static func putRecordHead(of content: [UInt8], at offset: Int, into writer: inout ByteWriter) {
        writer.put(UInt32(content.count))
        writer.put(sumOfLength(UInt32(content.count), at: offset))
        writer.put(content.withUnsafeBytes { checksum($0, seed: UInt64(offset)) })
    }

    private static func sumOfLength(_ length: UInt32, at offset: Int) -> UInt32 {
        withUnsafeBytes(of: length.littleEndian) {
            UInt32(truncatingIfNeeded: checksum($0, seed: ~UInt64(offset)))
        }
    }

    // MARK: Reading

    /// What a journal holds.
    struct Contents: Equatable {
        var queue: PlayQueue
        var modes: KeptModes
        /// Which of the two places has them.
        var slot: Int
        /// Since when a place in the current track that was kept before counts no more.
        var placeIsVoidSince: UInt64
        /// The last that was given to anything.
        var counter: UInt64
        /// How many bytes the queue took as it was once, and how many are good in all.
        var snapshotLength: Int
        var length: Int
    }

    /// What the bytes of a file hold, up to the last record that is whole; `nil` where they are damaged.
    static func read(_ bytes: UnsafeRawBufferPointer) -> Contents? {
        var reader = ByteReader(bytes)
        guard reader.take() == mark, reader.take() == version, reader.take(UInt32.self) != nil,
            let both = reader.take(2 * KeptModes.byteCount)
        else { return nil }
        var slots = ByteReader(both)
        let kept = [KeptModes(from: &slots), KeptModes(from: &slots)]
        let slot = (kept[0]?.counter ?? 0) >= (kept[1]?.counter ?? 0) && kept[0] != nil ? 0 : 1
        guard let modes = kept[slot], case .whole(let content) = takeRecord(&reader, of: bytes),
            let queue = PlayQueue(encoded: content)
        else { return nil }
        var contents = Contents(
            queue: queue,
            modes: modes,
            slot: slot,
            placeIsVoidSince: 0,
            counter: modes.counter,
            snapshotLength: content.count,
            length: bytes.count - reader.rest.count
        )
        while !reader.isAtEnd {
            switch takeRecord(&reader, of: bytes) {
            case .whole(let content):
                guard contents.apply(content) else { return nil }
                contents.length = bytes.count - reader.rest.count
            case .unfinished: return contents
            case .damaged: return nil
            }
        }
        return contents
    }

    private enum Record {
        case whole(UnsafeRawBufferPointer)
        /// The end of the file, which was being written.
        case unfinished
        case damaged
    }

    private static func takeRecord(_ reader: inout ByteReader, of bytes: UnsafeRawBufferPointer) -> Record {
        let offset = bytes.count - reader.rest.count
        // What was promised room but never got its bytes reads as zeros.
        if reader.rest.allSatisfy({ $0 == 0 }) { return .unfinished }
        guard let length = reader.take(UInt32.self), let sumOfLength = reader.take(UInt32.self),
            let sum = reader.take(UInt64.self)
        else { return .unfinished }
        guard sumOfLength == self.sumOfLength(length, at: offset) else { return .damaged }
        guard let content = reader.take(Int(length)) else { return .unfinished }
        guard checksum(content, seed: UInt64(offset)) == sum else {
            return reader.isAtEnd ? .unfinished : .damaged
        }
        return .whole(content)
    }
}

extension JournalFormat.Contents {
    /// Carries out the edits of a record; `false` where there are none in it.
    fileprivate mutating func apply(_ content: UnsafeRawBufferPointer) -> Bool {
        var reader = ByteReader(content)
        guard let counter = reader.take(UInt64.self) else { return false }
        let former = queue.currentID
        var isMoved = false
        while !reader.isAtEnd {
            guard let edit = QueueEdit(from: &reader) else { return false }
            isMoved = isMoved || edit.beginsTrack
            queue.apply(edit)
        }
        if isMoved || queue.currentID != former { placeIsVoidSince = counter }
        self.counter = max(self.counter, counter)
        return true
    }
}

extension QueueEdit {
    /// Whether the current track begins at its start after this, even if it is the one that was current before.
    var beginsTrack: Bool {
        switch self {
        case .goForward, .goBack, .jump, .rewind, .replace: true
        case .insert, .append, .remove, .move, .shuffle, .relocate: false
        }
    }
}
