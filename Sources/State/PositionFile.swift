import Glibc
import Music
import Playback

/// Where the current track has come to, in a file that lives in memory: written once a second without a disk.
///
/// It outlives the process but not the session, whose end is no accident.
struct PositionFile {
    /// What is kept: later than the modes with a lower counter, earlier than those with a higher one.
    struct Position: Equatable {
        var counter: UInt64
        var track: TrackID
        var place: TrackTime
    }

    private static let name = "position"
    private static let seed: UInt64 = 0x7469_616E_6C61_6902
    private let file: StateFile
    /// What was there at the beginning.
    let former: Position?

    /// Opens it in the first of these folders where it can be had; `nil` where in none.
    init?(in folders: [FilePath]) {
        for folder in folders {
            guard let file = try? StateFile.folder(folder).file(Self.name, O_RDWR | O_CREAT) else { continue }
            self.file = file
            former = (try? file.read(Self.read)) ?? nil
            return
        }
        return nil
    }

    /// Keeps a position; one that cannot be kept is one second of music.
    func write(_ position: Position) {
        var writer = ByteWriter(reserving: 32)
        writer.put(position.counter)
        writer.put(position.track.number)
        writer.put(position.place.microseconds)
        writer.put(writer.bytes.withUnsafeBytes { checksum($0, seed: Self.seed) })
        try? file.write(writer.bytes, at: 0)
    }

    private static func read(_ bytes: UnsafeRawBufferPointer) -> Position? {
        var reader = ByteReader(bytes)
        guard let content = reader.take(24), reader.take() == checksum(content, seed: seed) else {
            return nil
        }
        var fields = ByteReader(content)
        guard let counter = fields.take(UInt64.self), let track = fields.take(UInt64.self),
            let place = fields.take(Int64.self)
        else { return nil }
        let time = TrackTime(microseconds: max(0, place))
        return Position(counter: counter, track: TrackID(track), place: time)
    }
}
