import Glibc
import Music

/// A file that a person writes with an editor, read whole.
enum SmallFile {
    /// No such file is longer than this.
    static let longest = 65_536

    /// All of it; `nil` where there is no such file.
    ///
    /// Opens nothing but a regular file (a FIFO in its place would never end), and takes no more than ``longest``.
    static func read(_ path: FilePath) throws(SmallFileError) -> [UInt8]? {
        let descriptor = path.withCString { open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw .system(errno)
        }
        defer { close(descriptor) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw .system(errno) }
        let kind = FileKind(facts.st_mode)
        guard kind == .regular else { throw .irregular(kind) }
        var bytes = [UInt8](repeating: 0, count: longest + 1)
        var length = 0
        while length < bytes.count {
            let count = bytes[length...].withUnsafeMutableBytes { buffer in
                Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .system(errno) }
            if count == 0 { return Array(bytes[..<length]) }
            length += count
        }
        throw .tooLong
    }
}

/// Why a small file cannot be read, in one line for people.
enum SmallFileError: Error, Equatable, CustomStringConvertible {
    /// The `errno` that the system gave.
    case system(CInt)
    case irregular(FileKind)
    case tooLong

    var description: String {
        switch self {
        case .system(let code): FileKind.reason(code)
        case .irregular(let kind): kind.refusal
        case .tooLong: "it is longer than \(SmallFile.longest / 1024) KiB"
        }
    }
}
