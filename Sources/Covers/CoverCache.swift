import Glibc
package import Music
import Synchronization
import TagReading

/// Keeps covers as files, for those who show them: one file for each picture, whatever number of tracks has it.
///
/// The name is made from the content, so that another picture never has the same URL (C158); a cover that was deleted is
/// written anew when it is asked for (C159). A file's time of change is when it was asked for last: by it the folder is
/// kept within its limit (see ``tidy(now:)``). From any thread; any number of processes may have the same folder.
package final class CoverCache: Sendable {
    /// So many bytes are kept where nobody has said otherwise.
    package static let usualLimit: Int64 = 200_000_000

    let covers: FilePath
    let limit: Int64
    let state = Mutex(State())

    struct State: Sendable {
        /// So many bytes may still be written before the folder is looked through; `nil` where it never was.
        var room: Int64?
        /// What the tracks around the current one show, the latest last; not removed.
        var near: [CoverName] = []
    }

    /// The current track, those beside it, and a margin for a queue that is edited while they stay.
    private static let mostNear = 16

    /// Keeps covers in the folder `covers` below `folder`, of `limit` bytes altogether; both folders are made when the
    /// first cover is written.
    package init(folder: FilePath, limit: Int64 = usualLimit) {
        covers = folder.appending("covers".utf8)
        self.limit = limit
    }

    /// The file that holds `image`, complete; `nil` where it is no image or cannot be written.
    ///
    /// Blocks while it is written. One that `isNear` belongs to a track that plays or is next, and stays although others
    /// come.
    package func keep(_ image: [UInt8], isNear: Bool = true) -> FilePath? {
        guard let kind = ImageKind(image) else { return nil }
        let name = CoverName(ContentHash(of: image), kind)
        return keep(name, size: image.count, isNear: isNear) { write in
            image.withUnsafeBytes { write($0) }
        }
    }

    /// The file that holds what is in `image`, which is called `name`, likewise.
    func keep(_ image: borrowing ImageFile, as name: CoverName, isNear: Bool) -> FilePath? {
        let size = image.stamp.size
        return keep(name, size: size, isNear: isNear) { write in
            var hash = ContentHash()
            let isWhole = image.read { piece in
                hash.take(piece)
                return write(piece)
            }
            // It may have been written over since it got its name.
            return isWhole && hash == name.hash
        }
    }

    /// Hands on the bytes of a cover in pieces, and returns whether that was all of it.
    private typealias Content = (_ write: (UnsafeRawBufferPointer) -> Bool) -> Bool

    private func keep(_ name: CoverName, size: Int, isNear: Bool, _ content: Content) -> FilePath? {
        if isNear { remember(name) }
        let path = covers.appending(name.bytes)
        if isUsable(path, size: size) { return path }
        guard covers.makeFolder(), write(content, to: path, by: covers.appending(name.template)) else {
            return nil
        }
        state.withLock { state in
            if let room = state.room { state.room = room - Int64(size) }
        }
        return path
    }

    private func remember(_ name: CoverName) {
        state.withLock { state in
            state.near.removeAll { $0 == name }
            state.near.append(name)
            if state.near.count > Self.mostNear { state.near.removeFirst() }
        }
    }

    /// Whether it is there, used from now on: nobody removes it between the look and that.
    private func isUsable(_ path: FilePath, size: Int) -> Bool {
        let folder = covers.withCString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard folder >= 0 else { return false }
        defer { close(folder) }
        _ = flock(folder, LOCK_SH)
        var status = stat()
        guard path.withCString({ lstat($0, &status) }) == 0, FileKind(status.st_mode) == .regular,
            Int(status.st_size) == size
        else { return false }
        path.withCString { name in
            withPresentTime { _ = utimensat(AT_FDCWD, name, $0, AT_SYMLINK_NOFOLLOW) }
        }
        return true
    }

    /// Calls `body` with the time as both of the times of a file: the kernel's own would be some milliseconds coarse.
    private func withPresentTime(_ body: (UnsafePointer<timespec>?) -> Void) {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        [now, now].withUnsafeBufferPointer { body($0.baseAddress) }
    }

    /// Whoever looks sees the whole file or none.
    private func write(_ content: Content, to path: FilePath, by template: FilePath) -> Bool {
        var name = (template.bytes + [0]).map { CChar(bitPattern: $0) }
        let descriptor = mkstemp(&name)
        guard descriptor >= 0 else { return false }
        let isWritten = content { writeAll($0, to: descriptor) }
        withPresentTime { _ = futimens(descriptor, $0) }
        guard close(descriptor) == 0, isWritten, path.withCString({ rename(name, $0) }) == 0 else {
            unlink(name)
            return false
        }
        return true
    }

    private func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let count = Glibc.write(descriptor, part.baseAddress, part.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
