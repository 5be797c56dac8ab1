import Foundation
import Music
import Playback
import State
import TestSupport

/// A journal in folders of a test's own, and what it told people.
final class Keeping {
    let folder: TemporaryFolder
    private(set) var journal: Journal
    private let lines = Lines()

    private final class Lines { var all: [String] = [] }

    var reports: [String] { lines.all }
    var queueFile: String { folder.path("state/tianlai/queue") }
    var positionFile: String { folder.path("run/tianlai/position") }

    init() throws {
        folder = try TemporaryFolder()
        journal = try Self.makeJournal(folder, lines)
    }

    private static func makeJournal(_ folder: TemporaryFolder, _ lines: Lines) throws -> Journal {
        guard let state = FilePath(folder.path("state/tianlai")),
            let run = FilePath(folder.path("run/tianlai"))
        else {
            throw TestFailure("no paths")
        }
        return Journal(stateFolder: state, runtimeFolder: run) { lines.all.append($0) }
    }

    /// Lets the process go, as `kill -9` does as far as files can tell, and begins anew.
    func comeBack() throws -> RestoredPlayback? {
        try begin()
        return journal.restore()
    }

    /// A journal that has not looked at the files yet.
    func begin() throws {
        // Not at the same time: the folder belongs to one.
        journal = Journal(stateFolder: try place("nowhere"), runtimeFolder: nil) { _ in }
        journal = try Self.makeJournal(folder, lines)
    }

    func place(_ name: String) throws -> FilePath {
        guard let path = FilePath(folder.path(name)) else { throw TestFailure("no path") }
        return path
    }

    func bytes() throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: queueFile)))
    }

    func write(_ bytes: some Sequence<UInt8>, to path: String? = nil) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path ?? queueFile))
    }

    func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.path(name))
    }
}

/// A player's part: a queue whose every change is recorded.
struct KeptQueue {
    var queue = PlayQueue(seed: 4)
    private let keeping: Keeping
    private var journal: Journal { keeping.journal }

    init(_ keeping: Keeping) {
        self.keeping = keeping
    }

    mutating func apply(_ edits: QueueEdit...) {
        for edit in edits { queue.apply(edit) }
        journal.record(edits, leadingTo: queue)
    }

    mutating func goForward() {
        guard let next = queue.following(wrapping: true) else { return }
        apply(.goForward(to: next.id))
    }

    func play(at seconds: Double, volume: Double = 1) {
        var modes = PlaybackModes()
        modes.place = .seconds(seconds)
        modes.volume = volume
        journal.record(modes)
    }

    func hear(_ seconds: Double) {
        guard let id = queue.currentID else { return }
        journal.record(.seconds(seconds), of: id)
    }
}

/// Locations that are not looked at.
func locations(_ range: Range<Int>) -> [TrackLocation] {
    range.compactMap { FilePath("/music/album \($0 / 10)/\($0) a song.mp3").map { TrackLocation($0) } }
}
