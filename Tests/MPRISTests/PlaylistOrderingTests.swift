import Library
import MPRIS
import Music
import Testing

@Suite
struct PlaylistOrderingTests {
    private static func list(
        _ number: UInt64,
        _ name: String,
        modified: Int64 = 0,
        played: Int64? = nil
    ) throws -> PlaylistSummary {
        let path = try #require(FilePath("/lists/\(number).m3u8"))
        return PlaylistSummary(
            id: PlaylistID(number),
            name: name,
            path: path,
            modified: modified,
            played: played
        )
    }

    @Test("alphabetical is by name without regard to case, whatever the order of the library")
    func alphabetical() throws {
        let names = [
            "2 b", "Zebra", "10 a", "apple", "Straßen", "strata", "strasse 7", "天", "Émile", "émigré",
        ]
        let lists = try names.enumerated().map { try Self.list(UInt64($0), $1) }
        let sorted = [
            "10 a", "2 b", "apple", "strasse 7", "Straßen", "strata", "Zebra", "émigré", "Émile", "天",
        ]
        let ordering = PlaylistOrdering.alphabetical
        #expect(ordering.sorted(lists, isReversed: false).map(\.name) == sorted)
        #expect(ordering.sorted(lists, isReversed: true).map(\.name) == sorted.reversed())
        #expect(ordering.sorted([], isReversed: true) == [])
    }

    @Test("the order of names that are equal is settled too, and the reverse is its reverse")
    func ties() throws {
        let lists = try [3, 1, 2].map { try Self.list($0, $0 == 2 ? "SAME" : "same") }
        for ordering in PlaylistOrdering.allCases {
            #expect(ordering.sorted(lists, isReversed: false).map(\.id.number) == [1, 2, 3])
            #expect(ordering.sorted(lists, isReversed: true).map(\.id.number) == [3, 2, 1])
        }
    }

    @Test("dates go from long ago to lately; what was never played is behind what was, in both directions")
    func dates() throws {
        let lists = [
            try Self.list(1, "c", modified: 30, played: nil),
            try Self.list(2, "a", modified: 10, played: 500),
            try Self.list(3, "b", modified: -5, played: -1), try Self.list(4, "d", modified: 20, played: nil),
        ]
        func ids(_ ordering: PlaylistOrdering, _ isReversed: Bool) -> [UInt64] {
            ordering.sorted(lists, isReversed: isReversed).map(\.id.number)
        }
        #expect(ids(.modified, false) == [3, 2, 4, 1])
        #expect(ids(.modified, true) == [1, 4, 2, 3])
        #expect(ids(.played, false) == [3, 2, 1, 4])
        #expect(ids(.played, true) == [2, 3, 4, 1])
    }
}
