import Audio
import Glibc
import Music

/// Pieces of a file that libsndfile reads as if they were a file of their own.
///
/// What only one thread uses at a time.
final class SoundBytes {
    private let file: MusicFile
    private let pieces: [Range<Int64>]
    /// How many bytes are before each piece.
    private let starts: [Int64]
    /// All pieces together.
    let count: Int64
    private(set) var position: Int64 = 0
    /// The piece that was read last.
    private var piece = 0
    /// A byte that is told otherwise than it is in the file, and where.
    private var amended: (place: Int64, byte: UInt8)?

    /// Shares the file with its owner, who may read elsewhere in it meanwhile.
    init(_ file: MusicFile, _ pieces: [Range<Int64>]) throws(DecoderError) {
        self.file = try MusicFile(sharing: file)
        self.file.start = 0
        self.pieces = pieces
        var (starts, count) = ([Int64](), Int64(0))
        starts.reserveCapacity(pieces.count)
        for piece in pieces {
            starts.append(count)
            count += Int64(piece.count)
        }
        self.starts = starts
        self.count = count
        if pieces.count > 1 { endMetadata() }
    }

    /// The error of the first read that the system refused.
    var failure: DecoderError? {
        file.failure.map { .unreadable(FileKind.reason($0)) }
    }

    /// Reads on at the position; how many bytes, fewer only at the end or where the system refuses.
    func read(into target: UnsafeMutableRawBufferPointer) -> Int {
        var filled = 0
        while filled < target.count, position < count {
            findPiece()
            let offset = position - starts[piece]
            let left = min(Int64(target.count - filled), Int64(pieces[piece].count) - offset)
            _ = file.seek(by: pieces[piece].lowerBound + offset, from: SEEK_SET)
            let room = UnsafeMutableRawBufferPointer(rebasing: target[filled..<filled + Int(left)])
            let got = file.read(into: room)
            guard got > 0 else { break }
            if let amended, position..<position + Int64(got) ~= amended.place {
                room[Int(amended.place - position)] = amended.byte
            }
            filled += got
            position += Int64(got)
        }
        return filled
    }

    /// Moves the position as lseek(2) does, and returns it; -1 where there is no such place.
    func seek(by offset: Int64, from whence: CInt) -> Int64 {
        let base: Int64
        switch whence {
        case SEEK_SET: base = 0
        case SEEK_CUR: base = position
        case SEEK_END: base = count
        default: return -1
        }
        let (place, overflow) = base.addingReportingOverflow(offset)
        guard !overflow, place >= 0 else { return -1 }
        position = place
        return place
    }

    /// Says of the last block of metadata of FLAC out of Ogg that it is the last: not every program that wrote such files
    /// did, since Ogg counts the blocks.
    private func endMetadata() {
        var (block, last, kind) = (Int64(4), Int64?.none, UInt8(0))
        var head = [UInt8](repeating: 0, count: 4)
        guard head.withUnsafeMutableBytes({ read(into: $0) }) == 4, head.elementsEqual("fLaC".utf8) else {
            position = 0
            return
        }
        while block + 4 < count {
            position = block
            guard head.withUnsafeMutableBytes({ read(into: $0) }) == 4, head[0] & 0x80 == 0 || head[0] == 0xFF
            else { break }
            if head[0] == 0xFF {
                // No block, but the first frame.
                amended = last.map { ($0, kind | 0x80) }
                break
            }
            (last, kind) = (block, head[0])
            block += 4 + head[1...].reduce(0) { $0 << 8 | Int64($1) }
        }
        position = 0
    }

    /// Finds the piece at the position, which is before the end: mostly the one read last or the one behind it.
    private func findPiece() {
        func holds(_ piece: Int) -> Bool {
            starts[piece] <= position && position < starts[piece] + Int64(pieces[piece].count)
        }
        if holds(piece) { return }
        var (low, high) = (0, pieces.count - 1)
        while low < high {
            let middle = (low + high + 1) / 2
            if starts[middle] <= position { low = middle } else { high = middle - 1 }
        }
        piece = low
    }
}
