import Language
import Music
import Service
import Testing

@testable import CLI

@Suite("playlist show")
struct PlaylistShowTests {
    private func request(_ words: [String]) throws -> Request { try Request(words.map { Array($0.utf8) }) }

    @Test("names files, and may want JSON")
    func understood() throws {
        let files = try ["a.m3u", "b c.cue"].map { try #require(FilePath($0)) }
        var options = ShowOptions(files: files)
        #expect(try request(["playlist", "show", "a.m3u", "b c.cue"]) == .showPlaylist(options))
        options.json = true
        #expect(try request(["playlist", "show", "a.m3u", "--json", "b c.cue"]) == .showPlaylist(options))
    }

    @Test("wants at least one")
    func missing() {
        #expect(throws: UsageError("playlist show: FILE… is missing; see tianlai playlist show --help")) {
            try request(["playlist", "show"])
        }
    }
}
