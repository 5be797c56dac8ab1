import Library
import Music

/// A library that shows what the test wants, and keeps what it is asked.
final class ScriptedLibrary: LibraryControl {
    var status = LibraryStatus()
    private(set) var scans = 0
    private(set) var played: [PlaylistID] = []
    private(set) var searches:
        [(words: String, limit: Int, answer: (Result<[Track], LibraryError>) -> Void)] = []
    private(set) var descriptions: [(locations: [TrackLocation], answer: ([Track]) -> Void)] = []

    func scan() { scans += 1 }

    private(set) var measurements = 0

    func measureLoudness() { measurements += 1 }

    func search(_ words: String, limit: Int, answer: @escaping (Result<[Track], LibraryError>) -> Void) {
        searches.append((words, limit, answer))
    }

    func describe(_ locations: [TrackLocation], answer: @escaping ([Track]) -> Void) {
        descriptions.append((locations, answer))
    }

    func notePlayed(_ playlist: PlaylistID) { played.append(playlist) }
}
