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

    @Test("places are found between any neighbours for long, and none where there is no room")
    func places() {
        #expect(Places.between(nil, nil, last: nil) == 0)
        #expect(Places.between(5, 6, last: nil) == nil)
        #expect(Places.between(5, 7, last: 5) == 6)
        #expect(Places.between(.max / 4, nil, last: nil) == nil)
        // One row after the other, forward and backward, into one gap and behind the end.
        for isForward in [true, false] {
            var (low, high, last) = (Int64(0), Places.stride, Int64?.none)
            for _ in 0..<10_000 {
                guard let place = Places.between(low, high, last: last) else {
                    Issue.record("no room left")
                    return
                }
                #expect(place > low && place < high)
                if isForward { low = place } else { high = place }
                last = place
            }
            var end = Int64(0)
            for _ in 0..<100_000 {
                guard let next = Places.between(end, nil, last: end) else {
                    Issue.record("no room left at the end")
                    return
                }
                end = next
            }
        }
    }
}
