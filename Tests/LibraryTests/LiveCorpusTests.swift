import Foundation
import Library
import Music
import TestSupport
import Testing

/// The folder of the big corpus; without `TIANLAI_CORPUS` this test is skipped.
private let corpus = ProcessInfo.processInfo.environment["TIANLAI_CORPUS"]

@Suite(.enabled(if: corpus != nil, "TIANLAI_CORPUS names no corpus"), .waiting, .timeLimit(.minutes(5)))
struct LiveCorpusTests {
    private struct Listing: Decodable {
        struct Entry: Decodable {
            var name_b64: String?
            var shown: String
            var optional: Bool?
        }
        var songs: [Entry]
    }

    @Test("a folder of odd names and odd kinds of files is found exactly as its maker lists it")
    func findsAll() throws {
        let folder = try TemporaryFolder()
        let music = folder.path("live")
        let maker = try ChildProcess.run(
            ["python3", "\(try #require(corpus))/make_crafted.py", "--live", music],
            environment: ProcessInfo.processInfo.environment
        )
        #expect(maker.exit == .code(0), "\(maker.errorText)")
        let json = try Data(contentsOf: URL(fileURLWithPath: "\(music).json"))
        let listing = try JSONDecoder().decode(Listing.self, from: json)
        func name(_ entry: Listing.Entry) throws -> [UInt8] {
            try entry.name_b64.map { Array(try #require(Data(base64Encoded: $0))) } ?? Array(entry.shown.utf8)
        }
        let songs = Set(try listing.songs.filter { $0.optional != true }.map(name))
        let optional = Set(try listing.songs.filter { $0.optional == true }.map(name))

        let running = try RunningLibrary([music], cache: folder.path("cache"))
        try running.scan()
        let start = music.utf8.count + 1
        let found = try running.search("").map { Array($0.location.path.bytes[start...]) }
        #expect(Set(found).count == found.count)
        #expect(Set(found).subtracting(optional) == songs)
        let apostrophes = try ["O'ayaw", "O ’ayaw", "oʻayaw", "ayaw", "oayaw"].map {
            try running.search($0).count
        }
        #expect(apostrophes == [3, 3, 3, 3, 3])
        #expect(try running.search("amis").count >= 2)
        #expect(try running.search("功蓋").count == 0)
        #expect(try running.search("歌").count == 1)
    }
}
