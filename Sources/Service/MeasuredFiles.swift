import Library
import Music
import Synchronization

/// What this process found out by reading through files lately, for those that the library does not know or has not
/// noted yet.
///
/// The last few only: they are read when their turn comes near, and what is sought in is what plays.
final class MeasuredFiles: Sendable {
    private let latest = Mutex<[(path: FilePath, file: MeasuredFile)]>([])
    private static let count = 4

    func note(_ path: FilePath, _ measured: MeasuredFile) {
        latest.withLock { latest in
            latest.removeAll { $0.path == path }
            latest.append((path, measured))
            if latest.count > Self.count { latest.removeFirst() }
        }
    }

    /// What is known of the file at `path` when it had this stamp.
    func find(_ path: FilePath, _ stamp: FileStamp) -> MeasuredFile? {
        latest.withLock { latest in
            latest.last { $0.path == path && $0.file.stamp.hasContent(of: stamp) }?.file
        }
    }
}
