import Glibc

/// An open file in which tags are looked for, read in pieces that no claim makes larger than what is there.
///
/// Whoever opened it closes it.
struct TagBytes {
    let descriptor: CInt
    let size: Int64

    /// More of a tag is not read.
    static let largestTag = 64 << 20

    init(_ descriptor: CInt, size: Int64) {
        self.descriptor = descriptor
        self.size = size
    }

    /// Up to `count` bytes from `offset` on: fewer at the end of the file, and where it cannot be read.
    func bytes(at offset: Int64, count: Int) -> [UInt8] {
        let rest = offset >= 0 && offset < size ? size - offset : 0
        let wanted = min(max(0, count), Int(clamping: rest), Self.largestTag)
        return [UInt8](unsafeUninitializedCapacity: wanted) { bytes, filled in
            while filled < wanted {
                let target = bytes.baseAddress.map { $0 + filled }
                let got = pread(descriptor, target, wanted - filled, off_t(offset) + off_t(filled))
                if got < 0, errno == EINTR { continue }
                guard got > 0 else { return }
                filled += got
            }
        }
    }
}

extension Collection<UInt8> {
    /// The number that the first `count` bytes are, the highest first; fewer where there are fewer.
    func bigEndian(_ count: Int) -> Int { prefix(count).reduce(0) { $0 << 8 | Int($1) } }

    /// The number that the first `count` bytes are, the lowest first.
    func littleEndian(_ count: Int) -> Int { prefix(count).reversed().reduce(0) { $0 << 8 | Int($1) } }
}
