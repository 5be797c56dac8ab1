import Glibc
import Music

/// A playlist open for reading.
///
/// It exists, so it is a regular file of a sensible size: a pipe or a device could make us wait for ever.
struct ListFile: ~Copyable {
    /// What a list of a million entries stays below.
    static let largest: Int = 64 << 20

    private let descriptor: CInt
    let size: Int
    /// What the file is the same by, under whatever path.
    let identity: FileIdentity

    init(_ path: FilePath) throws(PlaylistError) {
        let descriptor = path.withCString { open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY) }
        guard descriptor >= 0 else { throw PlaylistError(FileKind.reason(errno)) }
        var status = stat()
        let failure = fstat(descriptor, &status) == 0 ? Self.refusal(status) : FileKind.reason(errno)
        if let failure {
            close(descriptor)
            throw PlaylistError(failure)
        }
        self.descriptor = descriptor
        size = Int(status.st_size)
        identity = FileIdentity(status)
    }

    deinit { close(descriptor) }

    private static func refusal(_ status: stat) -> String? {
        let kind = FileKind(status.st_mode)
        guard kind == .regular else { return kind.refusal }
        return status.st_size > largest ? "it is too large for a playlist (more than 64 MiB)" : nil
    }

    /// Reads on into `room` and returns how much came; 0 at the end.
    borrowing func read(into room: UnsafeMutableRawBufferPointer) throws(PlaylistError) -> Int {
        while true {
            let count = Glibc.read(descriptor, room.baseAddress, room.count)
            if count >= 0 { return count }
            guard errno == EINTR else { throw PlaylistError(FileKind.reason(errno)) }
        }
    }

    /// The rest of the file; one that grows meanwhile is not followed for ever.
    borrowing func readAll() throws(PlaylistError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size + 1)
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 1)
        defer { room.deallocate() }
        while bytes.count <= Self.largest {
            let count = try read(into: room)
            if count == 0 { return bytes }
            bytes.append(contentsOf: room[..<count])
        }
        throw PlaylistError("it is too large for a playlist (more than 64 MiB)")
    }
}

/// What a file is the same by, under whatever path.
struct FileIdentity: Hashable, Sendable {
    private let device: dev_t
    private let inode: ino_t

    init(_ status: stat) {
        device = status.st_dev
        inode = status.st_ino
    }
}
