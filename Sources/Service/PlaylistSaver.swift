import EventLoop
import Glibc
import Library
import Music
import Playback
import Playlists

/// Writes the queue to a playlist file, on a thread of its own.
///
/// Used on the loop only.
final class PlaylistSaver {
    typealias Answer = (Result<FilePath, LibraryError>) -> Void

    private let loop: EventLoop
    private let player: any PlayerControl
    private let library: any LibraryControl
    /// Where lists go that have a name but no path; `nil` for a user without a home.
    private let folder: FilePath?
    private var answers: [UInt64: Answer] = [:]
    private var latest: UInt64 = 0
    /// Made for the first list.
    private var written: Mailbox<Written>?

    private struct Written: Sendable {
        var number: UInt64
        var result: Result<FilePath, LibraryError>
        /// What the file cannot say.
        var remark: String?
    }

    init(loop: EventLoop, player: any PlayerControl, library: any LibraryControl, folder: FilePath?) {
        self.loop = loop
        self.player = player
        self.library = library
        self.folder = folder
    }

    /// Saves the queue under a bare name among our own lists, or at an absolute path that ends in `.m3u8` or `.xspf`.
    func save(_ name: String, _ answer: @escaping Answer) {
        let queue = player.queue
        let locations = (0..<queue.count).map { queue[$0].location }
        guard !locations.isEmpty else {
            return answer(.failure(LibraryError("the queue is empty: there is nothing to save")))
        }
        let hasParts = locations.contains { $0.excerpt != nil }
        do throws(LibraryError) {
            let path = try path(of: name, hasParts: hasParts)
            library.describe(locations) { [self] tracks in
                do throws(EventLoopError) {
                    try write(tracks, to: path, answer)
                } catch {
                    answer(.failure(LibraryError(error.description)))
                }
            }
        } catch {
            answer(.failure(error))
        }
    }

    private func path(of name: String, hasParts: Bool) throws(LibraryError) -> FilePath {
        if name.hasPrefix("/"), let path = FilePath(name) { return path }
        let isOdd = name.isEmpty || name.hasPrefix(".") || name.contains("/") || Text.cleanLine(name) != name
        guard !isOdd, name.utf8.count <= 200 else {
            throw LibraryError(
                "'\(Text.cleanLine(name))' is no name for a playlist; use letters, digits and blanks"
            )
        }
        guard let folder else { throw LibraryError("there is no home folder for playlists; give a path") }
        // M3U has no words for parts of files.
        return folder.appending("\(name).\(hasParts ? "xspf" : "m3u8")".utf8)
    }

    private func write(
        _ tracks: [Track],
        to path: FilePath,
        _ answer: @escaping Answer
    ) throws(EventLoopError) {
        let written = try mailbox()
        latest += 1
        let (number, folder) = (latest, folder)
        answers[number] = answer
        _ = try WorkerThread(name: "playlist") {
            if let folder, path.folder == folder { folder.makeFolder() }
            do throws(PlaylistError) {
                let remark = try PlaylistWriter.write(tracks, title: path.stem, to: path)
                written.post(Written(number: number, result: .success(path), remark: remark))
            } catch {
                let failure = LibraryError("\(path): \(error)")
                written.post(Written(number: number, result: .failure(failure)))
            }
        }
    }

    private func mailbox() throws(EventLoopError) -> Mailbox<Written> {
        if let written { return written }
        let made = try loop.mailbox { [weak self] (written: Written) in self?.end(written) }
        written = made
        return made
    }

    private func end(_ written: Written) {
        if let remark = written.remark { report(remark) }
        answers.removeValue(forKey: written.number)?(written.result)
        if case .success = written.result { library.scan() }
    }
}
