import Glibc
import Music

/// Why the system refused, as it says so itself.
enum StateError: Error, Equatable {
    case system(CInt)

    /// What the last call that failed has left behind.
    static var last: StateError { .system(errno) }
}

extension StateError: CustomStringConvertible {
    var description: String {
        switch self {
        case .system(let code): String(cString: strerror(code))
        }
    }
}

/// An open file or folder of ours; closed when nobody holds it any more.
final class StateFile {
    private let descriptor: CInt

    private init(descriptor: CInt) {
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Opens a folder, which is made, for its owner alone, where it does not exist.
    static func folder(_ path: FilePath) throws(StateError) -> StateFile {
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
        var descriptor = path.withCString { open($0, flags) }
        if descriptor < 0, errno == ENOENT {
            path.makeFolder()
            descriptor = path.withCString { open($0, flags) }
        }
        guard descriptor >= 0 else { throw .last }
        return StateFile(descriptor: descriptor)
    }

    /// Opens a regular file of our own in this folder; nothing else is opened, nor waited for, nor followed.
    func file(_ name: String, _ flags: CInt) throws(StateError) -> StateFile {
        let descriptor = openat(descriptor, name, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { throw .last }
        let file = StateFile(descriptor: descriptor)
        let status = try file.status()
        guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else { throw .system(EINVAL) }
        return file
    }

    /// Takes the folder for this process, until it is closed.
    ///
    /// One that is just ending is waited for, half a second: it may have given up its name on the bus before this, and
    /// whoever is started in its place would otherwise keep nothing.
    ///
    /// - Returns: Whether another process has it. Where locks cannot be had there is no other.
    func isTakenByAnother() -> Bool {
        for _ in 0..<50 {
            guard flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK else { return false }
            usleep(10_000)
        }
        return true
    }

    func rename(_ name: String, to new: String) throws(StateError) {
        guard renameat(descriptor, name, descriptor, new) == 0 else { throw .last }
    }

    func remove(_ name: String) {
        unlinkat(descriptor, name, 0)
    }

    private func status() throws(StateError) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .last }
        return status
    }

    /// Calls `body` with all that is in the file.
    ///
    /// The memory is got in one piece and given back: page by page it would take longer than the reading. The file
    /// itself is not mapped, since whoever shortened it then would end this process.
    func read<Result>(_ body: (UnsafeRawBufferPointer) -> Result) throws(StateError) -> Result {
        let size = Int(try status().st_size)
        guard size > 0 else { return body(UnsafeRawBufferPointer(start: nil, count: 0)) }
        let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE
        guard let memory = mmap(nil, size, PROT_READ | PROT_WRITE, flags, -1, 0), memory != MAP_FAILED else {
            throw .last
        }
        defer { munmap(memory, size) }
        var count = 0
        while count < size {
            let result = pread(descriptor, memory + count, size - count, off_t(count))
            if result < 0, errno == EINTR { continue }
            guard result >= 0 else { throw .last }
            guard result > 0 else { break }
            count += result
        }
        return body(UnsafeRawBufferPointer(start: memory, count: count))
    }

    /// Writes all of `bytes` at this place.
    func write(_ bytes: [UInt8], at offset: Int) throws(StateError) {
        var written = 0
        while written < bytes.count {
            let result = bytes.withUnsafeBytes { raw in
                pwrite(
                    descriptor,
                    raw.baseAddress.map { $0 + written },
                    raw.count - written,
                    off_t(offset + written)
                )
            }
            if result < 0, errno == EINTR { continue }
            guard result > 0 else { throw result < 0 ? .last : .system(ENOSPC) }
            written += result
        }
    }

    func truncate(to length: Int) throws(StateError) {
        guard ftruncate(descriptor, off_t(length)) == 0 else { throw .last }
    }

    /// Waits until what was written is on the disk.
    func flush() {
        fdatasync(descriptor)
    }
}
