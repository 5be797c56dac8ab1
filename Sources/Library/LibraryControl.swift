package import Music

/// The library as its views know it; on the loop only, and nothing here waits for a file or the index.
package protocol LibraryControl: AnyObject {
    /// What is known now, whole and consistent.
    var status: LibraryStatus { get }

    /// Looks through all folders of the library; while that is done already, once more behind it.
    func scan()

    /// Looks through all folders, then measures the loudness of what does not say it, while nothing else is to be done.
    func measureLoudness()

    /// Finds the tracks that have each of `words` (or a word that begins so) in title, artist, album or path.
    ///
    /// Album by album, at most `limit`; no words find everything. `answer` is called on the loop.
    func search(_ words: String, limit: Int, answer: @escaping (Result<[Track], LibraryError>) -> Void)

    /// What the index says of `locations`, one track for each; where it says nothing, the bare location.
    func describe(_ locations: [TrackLocation], answer: @escaping ([Track]) -> Void)

    /// Notes that a playlist is played now, for the order by last play.
    func notePlayed(_ playlist: PlaylistID)
}

/// Why the library cannot answer, in one line for people.
package struct LibraryError: Error, Equatable, Sendable, CustomStringConvertible {
    package var description: String

    package init(_ description: String) {
        self.description = description
    }
}

/// All that a view shows of the library.
package struct LibraryStatus: Equatable, Sendable {
    /// How many tracks the index knows.
    package var trackCount = 0
    /// The folders that are looked through.
    package var folders: [FilePath] = []
    /// How far a scan is; `nil` where none is going on.
    package var scan: ScanProgress?
    /// Ordered by name, as people order names.
    package var playlists: [PlaylistSummary] = []
    /// Why the library is of no use or out of date, and what to do about it, in one line.
    package var problem: String?

    package init() {}
}

/// How far a scan is.
package struct ScanProgress: Equatable, Sendable {
    /// Files of music seen so far.
    package var seen = 0
    /// Of these, files that were new or had changed and have been read.
    package var read = 0
    /// How many files there are to see; `nil` until all folders have been listed.
    package var total: Int?
    /// Whether it is about loudness: files are counted when they have been measured.
    package var measuresLoudness = false

    package init() {}
}

/// A playlist file that the library knows of.
package struct PlaylistSummary: Equatable, Sendable {
    package var id: PlaylistID
    /// What it is called: its file name without suffix.
    package var name: String
    package var path: FilePath
    /// When it was last written, in seconds since 1970.
    package var modified: Int64
    /// When it was last played, likewise; `nil` where it never was.
    package var played: Int64?

    package init(id: PlaylistID, name: String, path: FilePath, modified: Int64, played: Int64? = nil) {
        self.id = id
        self.name = name
        self.path = path
        self.modified = modified
        self.played = played
    }
}
