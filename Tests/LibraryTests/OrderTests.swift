import Music
import Testing

@testable import Library

struct OrderTests {
    private static func track(
        _ path: String,
        artist: String? = nil,
        album: String? = nil,
        albumArtist: String? = nil,
        disc: Int32? = nil,
        track: Int32? = nil
    ) -> (path: String, key: [UInt8]) {
        var tags = Tags()
        tags.artists = artist.map { [$0] } ?? []
        tags.album = album
        tags.albumArtists = albumArtist.map { [$0] } ?? []
        tags.discNumber = disc
        tags.trackNumber = track
        return (path, SortKey(tags, path: path.utf8).bytes)
    }

    @Test("tracks come artist by artist, album by album, by disc and track, then as paths do")
    func order() {
        let expected = [
            Self.track("1", artist: "ábba", album: "One", disc: 1, track: 2),
            Self.track("2", artist: "Abba", album: "one", track: 10),
            Self.track("3", artist: "ABBA", album: "One", disc: 2, track: 1),
            Self.track("4", artist: "Abba", album: "One", disc: 2),
            Self.track("5", artist: "Someone", album: "Two", albumArtist: "Abba", track: 1),
            Self.track("b/2 x", artist: "Abba"),
            Self.track("b/10 x", artist: "Abba"),
            Self.track("6", artist: "Abba Zero", album: "A"),
            Self.track("7", artist: "Band 2", album: "A"),
            Self.track("8", artist: "Band 10", album: "A"),
            Self.track("9", artist: "山", album: "A"),
            Self.track("10", album: "A", track: 1),
            Self.track("11"),
        ]
        let sorted = expected.reversed().sorted { $0.key.lexicographicallyPrecedes($1.key) }
        #expect(sorted.map(\.path) == expected.map(\.path))
    }

    @Test("tracks without tags come in the order of their paths")
    func paths() throws {
        let names = [
            "a", "a/b", "a b", "A/2", "a/10", "a/02", "a/2x", "b/1", "a/1/c", "a.mp3",
            "a/9999999999999999999999",
            "\u{7F}", "é", "a-1", "a_1", "a1", "a 1", "0", "00", "a/",
        ]
        let paths =
            try names.map { try #require(FilePath($0)) } + [try #require(FilePath(bytes: [0x61, 0xFF]))]
        func key(_ path: FilePath) -> [UInt8] { SortKey(Tags(), path: path.bytes).bytes }
        for left in paths {
            for right in paths where key(left) != key(right) {
                #expect(key(left).lexicographicallyPrecedes(key(right)) == (left < right), "\(left) \(right)")
            }
        }
    }

    @Test(
        "places between neighbours and beyond the ends, while there is room",
        arguments: [
            (1, nil, nil, [Places.stride]),
            (2, 5, nil, [5 + Places.stride, 5 + 2 * Places.stride]),
            (2, nil, 5, [5 - 2 * Places.stride, 5 - Places.stride]),
            (3, 0, 4800, [100, 200, 300]),
            (1, 0, 1600, [100]),
            (2, 5, 8, [6, 7]),
            (1, 5, 7, [6]),
            (2, 5, 7, nil),
            (1, 5, 6, nil),
            (1, .max / 2, nil, nil),
            (1, nil, .min / 2, nil),
        ] as [(Int, Int64?, Int64?, [Int64]?)]
    )
    func places(count: Int, before: Int64?, after: Int64?, places: [Int64]?) {
        #expect(Places.places(for: count, between: before, and: after) == places)
    }
}
