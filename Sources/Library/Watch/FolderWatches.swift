import CLinux
import Glibc
import Music
import Synchronization

/// How far a file is that somebody else has begun to write (C232).
enum WritingState: Equatable, Sendable {
    /// It has been made; a link is whole at once, and of all else nothing is there yet.
    case made
    /// It has been written to and not closed since.
    case written

    /// Whether what is at the file's name is not the whole file.
    func isIncomplete(_ stamp: FileStamp) -> Bool {
        self == .written || stamp.size == 0
    }
}

/// The folders under watch, and the files in them that are being written.
///
/// The scan puts folders here before it looks into them, the loop asks what an event is about; a folder is its id in the
/// index, so that no paths are kept and a folder that is moved is still the same.
final class FolderWatches: Sendable {
    /// The inotify instance.
    let descriptor: CInt
    private let state = Mutex(State())

    private struct State {
        /// The folder of each watch, by the number that the kernel gives it: small and rising; 0 where there is none.
        var folders: [UInt32] = []
        var writing: [Int64: [[UInt8]: WritingState]] = [:]
        /// Why not all folders are watched.
        var trouble: CInt?
    }

    /// Throws the `errno` where there can be no watches.
    init() throws(WatchError) {
        descriptor = inotify_init1(CInt(IN_NONBLOCK | IN_CLOEXEC))
        guard descriptor >= 0 else { throw WatchError(code: errno) }
    }

    deinit { close(descriptor) }

    /// Why folders are not watched, so that they must be looked through from time to time instead.
    var trouble: WatchError? { state.withLock { $0.trouble.map(WatchError.init(code:)) } }

    /// Watches the folder at `path`; once more where it is watched already.
    func add(_ path: FilePath, _ folder: Int64) {
        let watch = path.withCString { inotify_add_watch(descriptor, $0, Self.events) }
        let code = errno
        state.withLock { state in
            guard watch >= 0 else {
                // What is not there or may not be read is found out by the scan.
                if code == ENOSPC || code == ENOMEM { state.trouble = code }
                return
            }
            let missing = Int(watch) + 1 - state.folders.count
            if missing > 0 { state.folders += repeatElement(0, count: missing) }
            state.folders[Int(watch)] = UInt32(truncatingIfNeeded: folder)
        }
    }

    /// Ends the watches of these folders.
    func remove(_ folders: [Int64]) {
        guard !folders.isEmpty else { return }
        let ended = Set(folders.map { UInt32(truncatingIfNeeded: $0) })
        let watches = state.withLock { state in
            for folder in folders { state.writing[folder] = nil }
            return state.folders.indices.filter { ended.contains(state.folders[$0]) }
        }
        // The kernel says so with an event, which ends the entry.
        for watch in watches { inotify_rm_watch(descriptor, CInt(watch)) }
    }

    /// The folder that a watch is for.
    func folder(of watch: CInt) -> Int64? {
        state.withLock { state in
            guard state.folders.indices.contains(Int(watch)) else { return nil }
            let folder = state.folders[Int(watch)]
            return folder == 0 ? nil : Int64(folder)
        }
    }

    /// The kernel has ended a watch.
    func forget(_ watch: CInt) {
        state.withLock { state in
            if state.folders.indices.contains(Int(watch)) { state.folders[Int(watch)] = 0 }
        }
    }

    func note(_ writing: WritingState?, of name: [UInt8], in folder: Int64) {
        state.withLock { state in
            state.writing[folder, default: [:]][name] = writing
            if state.writing[folder]?.isEmpty == true { state.writing[folder] = nil }
        }
    }

    /// Nothing is known of what is being written, because events were lost.
    func forgetWriting() {
        state.withLock { $0.writing = [:] }
    }

    /// The files in a folder that somebody is writing.
    func namesBeingWritten(in folder: Int64) -> [[UInt8]: WritingState] {
        state.withLock { $0.writing[folder] ?? [:] }
    }

    private static let events = UInt32(
        IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB
            | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR | IN_EXCL_UNLINK
    )
}

/// Why folders cannot be watched.
struct WatchError: Error, Equatable, CustomStringConvertible {
    /// The `errno`.
    var code: CInt

    var description: String {
        switch code {
        case ENOSPC:
            "the library has more folders than may be watched; raise fs.inotify.max_user_watches"
        case EMFILE:
            "no more programs may watch folders; raise fs.inotify.max_user_instances"
        default: "the library's folders cannot be watched: \(String(cString: strerror(code)))"
        }
    }
}
