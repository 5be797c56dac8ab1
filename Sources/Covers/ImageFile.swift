import Glibc
import Music
import TagReading

/// An image file that lies beside music, open for reading.
///
/// A pipe or a device of that name is not touched, and what is large is not read: people keep scans of whole booklets.
struct ImageFile: ~Copyable {
    /// Larger ones are no covers.
    private static let largest = 32 << 20

    let path: FilePath
    let kind: ImageKind
    let stamp: ImageStamp
    private let descriptor: CInt

    /// Opens `path`; `nil` where there is no image that can be shown, by its content and whatever it is called.
    init?(_ path: FilePath) {
        // Looked at first, since opening alone may do something to a device.
        guard let found = ImageStamp(at: path), found.kind == .regular else { return nil }
        let descriptor = path.withCString { open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY) }
        guard descriptor >= 0 else { return nil }
        var head = [UInt8](repeating: 0, count: 32)
        let count = pread(descriptor, &head, head.count, 0)
        guard let stamp = ImageStamp(of: descriptor), stamp.kind == .regular, stamp.size <= Self.largest,
            let kind = ImageKind(head.prefix(max(0, count)))
        else {
            close(descriptor)
            return nil
        }
        self.path = path
        self.kind = kind
        self.stamp = stamp
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Hands on its bytes in pieces until `take` has enough; returns whether it was all of it, from one and the same state.
    func read(_ take: (UnsafeRawBufferPointer) -> Bool) -> Bool {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { buffer.deallocate() }
        var offset = 0
        while offset < stamp.size {
            let wanted = min(buffer.count, stamp.size - offset)
            let count = pread(descriptor, buffer.baseAddress, wanted, off_t(offset))
            if count < 0, errno == EINTR { continue }
            guard count > 0, take(UnsafeRawBufferPointer(rebasing: buffer[..<count])) else { return false }
            offset += count
        }
        return ImageStamp(of: descriptor) == stamp
    }

    /// What it is called in the cache; `nil` where it cannot be read to its end.
    func name() -> CoverName? {
        var hash = ContentHash()
        let isWhole = read { piece in
            hash.take(piece)
            return true
        }
        return isWhole ? CoverName(hash, kind) : nil
    }
}

/// What a file or a folder is like at a moment: with the same stamp, it has not changed.
struct ImageStamp: Equatable {
    let kind: FileKind
    let size: Int
    private let device: dev_t
    private let inode: ino_t
    /// When its content changed last, in nanoseconds since 1970.
    let modified: Int64
    private let changed: Int64

    /// Follows links; `nil` where there is nothing.
    init?(at path: FilePath) {
        var status = stat()
        guard path.withCString({ stat($0, &status) }) == 0 else { return nil }
        self.init(status)
    }

    init?(of descriptor: CInt) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        func nanoseconds(_ time: timespec) -> Int64 {
            Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
        }
        kind = FileKind(status.st_mode)
        size = Int(status.st_size)
        device = status.st_dev
        inode = status.st_ino
        modified = nanoseconds(status.st_mtim)
        changed = nanoseconds(status.st_ctim)
    }
}
