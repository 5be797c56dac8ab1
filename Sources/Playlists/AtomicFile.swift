import Glibc
import Music

/// Puts a file in the place of another so that there is always one of them, whole, whatever happens meanwhile.
enum AtomicFile {
    /// Writes beside the file, on to the disk, then renames.
    ///
    /// A link is followed, so that it stays one; the permissions of what was there are kept.
    static func write(_ bytes: [UInt8], to path: FilePath) throws(PlaylistError) {
        let target = resolved(path)
        var status = stat()
        let exists = target.withCString { stat($0, &status) } == 0
        if exists, FileKind(status.st_mode) != .regular {
            throw PlaylistError(FileKind(status.st_mode).refusal)
        }
        let name = Array(".\(getpid()).\(UInt32.random(in: 0...UInt32.max)).tianlai".utf8)
        let folder = target.folder ?? FilePath(bytes: [UInt8(ascii: ".")]) ?? target
        let draft = folder.appending(name)
        do throws(PlaylistError) {
            try create(draft, bytes, mode: exists ? status.st_mode & 0o777 : nil)
            let isRenamed = draft.withCString { old in target.withCString { new in rename(old, new) } } == 0
            guard isRenamed else { throw failure(errno) }
        } catch {
            _ = draft.withCString { unlink($0) }
            throw error
        }
        // The list is whole with or without this; it makes the new name outlive a power cut too.
        let descriptor = folder.withCString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        if descriptor >= 0 {
            fsync(descriptor)
            close(descriptor)
        }
    }

    private static func create(_ path: FilePath, _ bytes: [UInt8], mode: mode_t?) throws(PlaylistError) {
        let descriptor = path.withCString { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) }
        guard descriptor >= 0 else { throw failure(errno) }
        defer { close(descriptor) }
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress.map { $0 + done }, $0.count - done)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure(count < 0 ? errno : EIO) }
            done += count
        }
        if let mode { fchmod(descriptor, mode) }
        guard fsync(descriptor) == 0 else { throw failure(errno) }
    }

    private static func resolved(_ path: FilePath) -> FilePath {
        guard let real = path.withCString({ realpath($0, nil) }) else { return path }
        defer { free(real) }
        return FilePath(bytes: UnsafeRawBufferPointer(start: real, count: strlen(real))) ?? path
    }

    private static func failure(_ code: CInt) -> PlaylistError {
        switch code {
        case ENOENT, ENOTDIR: PlaylistError("the folder for it is not there")
        case EACCES, EPERM, EROFS: PlaylistError("it may not be written there")
        default: PlaylistError("it cannot be written (\(String(cString: strerror(code))))")
        }
    }
}
