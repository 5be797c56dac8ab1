import Foundation
import TestSupport

/// One line of what a command prints with `--json` about a song.
struct ListedSong: Decodable, Equatable {
    var title: String?
    var artist: [String]
    var album: String?
    var url: String?
    /// Only in the queue.
    var number: Int?
    var current: Bool?
    var id: String?

    /// The name of its file.
    var file: String { url.flatMap(URL.init(string:))?.lastPathComponent ?? "" }
}

/// What `library status --json` prints.
struct LibraryAnswer: Decodable, Equatable {
    var tracks: Int
    var folders: [String]
    var scanning: Bool
    var problem: String?
}

/// What `playlist list --json` prints for each list.
struct ListedPlaylist: Decodable, Equatable {
    var name: String
    var id: String
    var active: Bool
}

/// What `playlist show --json` prints.
struct ShownPlaylist: Decodable, Equatable {
    var entries: [Entry]

    struct Entry: Decodable, Equatable {
        var path: String?
        var found: Bool
        var title: String?
    }
}

extension RunningService {
    /// Runs a command that must succeed, and reads each line of what it prints.
    func answers<Answer: Decodable>(_ words: String..., as type: Answer.Type = Answer.self) throws -> [Answer]
    {
        let report = try tianlai(words)
        guard report.exit == .code(0), report.errors.isEmpty else {
            throw TestFailure("tianlai \(words.joined(separator: " ")): \(report.errorText)")
        }
        return try report.outputText.split(separator: "\n").map {
            try JSONDecoder().decode(type, from: Data($0.utf8))
        }
    }

    /// Runs a command that must succeed, and returns what it prints.
    @discardableResult
    func run(_ words: String...) throws -> String {
        let report = try tianlai(words)
        guard report.exit == .code(0), report.errors.isEmpty else {
            throw TestFailure("tianlai \(words.joined(separator: " ")): \(report.errorText)")
        }
        return report.outputText
    }

    /// The queue, as `tianlai queue list` shows it.
    func queue() throws -> [ListedSong] { try answers("queue", "list", "--json") }

    /// The ids that the TrackList interface lists.
    func tracks() throws -> [String] {
        guard case .list(let ids) = try get("Tracks", of: Bus.trackList) else { return [] }
        return ids.compactMap(\.text)
    }

    /// Waits until the library has been looked through and holds so many songs.
    func waitForLibrary(_ count: Int) throws {
        try wait(for: "\(count) songs in the library") {
            guard try get("Scanning", of: Bus.control) == .flag(false) else { return false }
            return try get("LibraryTracks", of: Bus.control)?.integer == Int64(count)
        }
    }
}
