import Music
import Playback

/// How the queue was played at one moment, as it is kept: always in the same few bytes.
struct KeptModes: Equatable {
    /// Tells earlier from later, among all that is kept.
    var counter: UInt64
    /// What was current, and has come as far as `modes.place`.
    var entry: TrackID?
    var modes: PlaybackModes

    static let byteCount = 64
    private static let seed: UInt64 = 0x7469_616E_6C61_6901

    /// The bytes; the last eight are the sum of the others.
    var bytes: [UInt8] {
        var writer = ByteWriter(reserving: Self.byteCount)
        writer.put(counter)
        writer.put(entry?.number ?? 0)
        writer.put(modes.place.microseconds)
        writer.put(modes.volume.bitPattern)
        writer.put(modes.playlist?.number ?? 0)
        writer.put(UInt8(modes.playlist == nil ? 0 : 1))
        writer.put(LoopMode.allCases.code(of: modes.loop))
        writer.put(ShuffleKind.allCases.code(of: modes.shuffleKind))
        writer.put(UInt8(modes.stopsAfterCurrent ? 1 : 0))
        writer.put(UInt8(modes.isStopped ? 1 : 0))
        while writer.bytes.count < Self.byteCount - 8 { writer.put(UInt8(0)) }
        writer.put(writer.bytes.withUnsafeBytes { checksum($0, seed: Self.seed) })
        return writer.bytes
    }

    init(counter: UInt64 = 0, entry: TrackID? = nil, modes: PlaybackModes = PlaybackModes()) {
        (self.counter, self.entry, self.modes) = (counter, entry, modes)
    }

    /// What ``bytes`` has written, or `nil` where it is not that.
    init?(from reader: inout ByteReader) {
        guard let raw = reader.take(Self.byteCount) else { return nil }
        let content = UnsafeRawBufferPointer(rebasing: raw[..<(Self.byteCount - 8)])
        var sum = ByteReader(UnsafeRawBufferPointer(rebasing: raw[(Self.byteCount - 8)...]))
        guard sum.take() == checksum(content, seed: Self.seed) else { return nil }
        var fields = ByteReader(content)
        guard let counter = fields.take(UInt64.self), let entry = fields.take(UInt64.self),
            let place = fields.take(Int64.self), let volume = fields.take(UInt64.self),
            let playlist = fields.take(UInt64.self), let hasPlaylist = fields.take(UInt8.self),
            let loop = LoopMode.allCases.case(fields.take()),
            let shuffleKind = ShuffleKind.allCases.case(fields.take()),
            let stopsAfterCurrent = fields.take(UInt8.self), let isStopped = fields.take(UInt8.self)
        else { return nil }
        self.init(counter: counter, entry: entry == 0 ? nil : TrackID(entry))
        modes.place = TrackTime(microseconds: max(0, place))
        modes.volume = min(1, max(0, Double(bitPattern: volume)))
        modes.playlist = hasPlaylist == 0 ? nil : PlaylistID(playlist)
        modes.loop = loop
        modes.shuffleKind = shuffleKind
        modes.stopsAfterCurrent = stopsAfterCurrent != 0
        modes.isStopped = isStopped != 0
    }
}

extension Array where Element: Equatable {
    fileprivate func code(of element: Element) -> UInt8 {
        UInt8(firstIndex(of: element) ?? 0)
    }

    fileprivate func `case`(_ code: UInt8?) -> Element? {
        code.flatMap { indices.contains(Int($0)) ? self[Int($0)] : nil }
    }
}
