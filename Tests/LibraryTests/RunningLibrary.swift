import EventLoop
import Foundation
import Library
import Music
import TestSupport
import Testing

/// A library of a temporary folder on a loop of its own, and what it has told.
final class RunningLibrary {
    let loop: EventLoop
    let library: Library
    private(set) var said: [String] = []
    private(set) var moves: [MovedPath] = []
    private(set) var retagged: [FilePath] = []
    private(set) var changes = 0
    private var isStarted = false

    init(
        _ folders: [String],
        cache: String,
        length: @escaping @Sendable (FilePath) -> FileLength = { _ in .unknown },
        measure: MeasureLoudness? = nil
    )
        throws
    {
        loop = try EventLoop()
        var said: (String) -> Void = { _ in }
        let settings = LibrarySettings(
            folders: folders.compactMap { FilePath($0) },
            cacheFolder: try #require(FilePath(cache)),
            musicSuffixes: ["mp3"],
            playlistSuffixes: ["m3u", "m3u8"],
            length: length,
            measure: measure
        )
        library = Library(loop, settings) { said($0) }
        said = { [unowned self] in self.said.append($0) }
        library.onMoved = { [unowned self] in moves += $0 }
        library.onTracksChanged = { [unowned self] in retagged += $0 }
        library.onChange = { [unowned self] in changes += 1 }
    }

    /// Starts it, and waits until everything has been looked through.
    func scan(within seconds: Double = 60) throws {
        if isStarted { library.scan() } else { library.start() }
        isStarted = true
        try wait("the end of the scan", within: seconds) { library.status.scan == nil }
    }

    /// What did not happen in time.
    struct Late: Error {
        var what: String
    }

    /// Runs the loop until `condition` holds, for at most a minute.
    func wait(_ what: String, within seconds: Double = 60, until condition: () throws -> Bool) throws {
        var isLate = false
        let timer = loop.timer { isLate = true }
        timer.start(after: .seconds(seconds))
        // What happens on other threads does not wake the loop.
        var restart: () -> Void = {}
        let look = loop.timer { restart() }
        restart = { [unowned look] in look.start(after: .seconds(0.01)) }
        restart()
        while try !condition() {
            if isLate { throw Late(what: what) }
            loop.turn()
        }
    }

    /// Runs the loop for a while in which nothing is to happen.
    func pass(_ seconds: Double) {
        var isOver = false
        let timer = loop.timer { isOver = true }
        timer.start(after: .seconds(seconds))
        while !isOver { loop.turn() }
    }

    func search(_ words: String, limit: Int = 1000) throws -> [Track] {
        var answer: Result<[Track], LibraryError>?
        library.search(words, limit: limit) { answer = $0 }
        try wait("an answer to \(words)") { answer != nil }
        return try #require(answer).get()
    }

    /// The names of all files, in the order of the library.
    func names(_ words: String = "") throws -> [String] {
        try search(words).map { String(decoding: $0.location.path.name, as: UTF8.self) }
    }

    func describe(_ locations: [TrackLocation]) throws -> [Track] {
        var answer: [Track]?
        library.describe(locations) { answer = $0 }
        try wait("a description") { answer != nil }
        return answer ?? []
    }

    deinit { library.stop() }
}

/// A folder of music and one for the index.
struct MusicFolders {
    let folder: TemporaryFolder
    let music: String
    let cache: String

    init() throws {
        folder = try TemporaryFolder()
        music = try folder.makeFolder("music")
        cache = folder.path("cache/tianlai")
    }

    /// Writes a file of music with these tags, and returns its path.
    @discardableResult
    func write(
        _ name: String,
        title: String? = nil,
        artist: String? = nil,
        album: String? = nil,
        track: Int? = nil,
        disc: Int? = nil
    ) throws -> FilePath {
        let texts = [
            ("TIT2", title), ("TPE1", artist), ("TALB", album), ("TRCK", track.map(String.init)),
            ("TPOS", disc.map(String.init)),
        ]
        let frames = texts.compactMap { id, text in text.map { ID3Bytes.text(id, $0) } }
        let path = "music/\(name)"
        if let slash = path.lastIndex(of: "/") { try folder.makeFolder(String(path[..<slash])) }
        let bytes = ID3Bytes.tag(frames.flatMap { $0 }) + ID3Bytes.silence(frames: 1)
        return try #require(FilePath(try folder.write(path, bytes)))
    }

    func path(_ name: String) throws -> FilePath { try #require(FilePath(folder.path("music/\(name)"))) }

    func move(_ old: String, _ new: String) {
        #expect(rename(folder.path("music/\(old)"), folder.path("music/\(new)")) == 0)
    }

    func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: folder.path("music/\(name)"))
    }

    func library(
        length: @escaping @Sendable (FilePath) -> FileLength = { _ in .unknown },
        measure: MeasureLoudness? = nil
    ) throws
        -> RunningLibrary
    {
        try RunningLibrary([music], cache: cache, length: length, measure: measure)
    }
}
