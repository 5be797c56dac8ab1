import BusTestSupport
import DBus
import Library
import MPRIS
import Music
import Playback
import TestSupport
import Testing

private let unsigned = UInt32.max

extension Desktop {
    /// Has the library know these playlists, with ids from 1 on.
    fileprivate func know(_ names: String...) throws {
        library.status.playlists = try names.enumerated().map { index, name in
            PlaylistSummary(
                id: PlaylistID(UInt64(index + 1)),
                name: name,
                path: try #require(FilePath("/lists/\(name).m3u8")),
                modified: Int64(100 - index)
            )
        }
        _ = try takeSignals()
    }

    fileprivate func playlists(
        _ member: String,
        _ arguments: BusValue...
    ) throws -> Result<[BusValue], CallError> {
        try call(member, arguments, on: InterfaceName.playlists)
    }

    fileprivate func names(
        _ index: UInt32,
        _ count: UInt32,
        _ order: String,
        _ isReversed: Bool
    ) throws -> [String] {
        let answer = try playlists(
            "GetPlaylists",
            .uint32(index),
            .uint32(count),
            .string(order),
            .boolean(isReversed)
        )
        return try answer.get().first?.elements?.compactMap { $0.elements?[1].text } ?? []
    }
}

@Suite(.timeLimit(.minutes(5)))
struct PlaylistsOnTheBusTests {
    @Test("what there is, in what orders it can be had, and that none is active")
    func reading() throws {
        let desktop = try Desktop()
        let none = BusValue.structure([
            .boolean(false), .structure([.objectPath("/"), .string(""), .string("")]),
        ])
        #expect(
            try desktop.getAll(InterfaceName.playlists)
                == .variants([
                    ("PlaylistCount", .uint32(0)), ("ActivePlaylist", none),
                    ("Orderings", .strings(["Alphabetical", "Modified", "Played"])),
                ])
        )
        try desktop.know("b", "a")
        desktop.player.status.playlist = PlaylistID(2)
        let all = try desktop.getAll(InterfaceName.playlists)
        #expect(all["PlaylistCount"] == .uint32(2))
        let second = BusValue.structure([
            .objectPath("/org/tianlai/playlist/2"), .string("a"), .string(""),
        ])
        #expect(all["ActivePlaylist"] == .structure([.boolean(true), second]))
        let one = try desktop.playlists(
            "GetPlaylists",
            .uint32(0),
            .uint32(1),
            .string("Alphabetical"),
            .boolean(false)
        )
        #expect(one == .success([.array(of: "(oss)", [second])]))
    }

    @Test("pages are cut from the order asked for")
    func pages() throws {
        let desktop = try Desktop()
        #expect(try desktop.names(0, 10, "Alphabetical", false) == [])
        try desktop.know("b", "c", "a")
        let cases: [(UInt32, UInt32, String, Bool, [String])] = [
            (0, 1000, "Alphabetical", false, ["a", "b", "c"]),
            (0, 1000, "Alphabetical", true, ["c", "b", "a"]),
            (0, 2, "Modified", false, ["a", "c"]), (1, 1, "Alphabetical", true, ["b"]),
            (0, 0, "Alphabetical", false, []), (0, unsigned, "Alphabetical", false, ["a", "b", "c"]),
            (1, unsigned, "Alphabetical", false, ["b", "c"]), (unsigned, unsigned, "Played", true, []),
            (3, 1, "Alphabetical", false, []),
        ]
        for (index, count, order, isReversed, names) in cases {
            #expect(try desktop.names(index, count, order, isReversed) == names, "\(index) \(count) \(order)")
        }
        for order in ["Created", "User", "Sideways", "", "alphabetical"] {
            let refusal = try desktop.playlists(
                "GetPlaylists",
                .uint32(0),
                .uint32(9),
                .string(order),
                .boolean(false)
            )
            #expect(refusal.failure?.name == "org.freedesktop.DBus.Error.InvalidArgs")
        }
    }

    @Test("a playlist that is activated is played, and noted; an unknown one is ignored")
    func activating() throws {
        let desktop = try Desktop()
        try desktop.know("b", "a")
        for path in ["/no/such/playlist", "/", "/org/tianlai/playlist/3", "/org/tianlai/playlist/02"] {
            #expect(try desktop.playlists("ActivatePlaylist", .objectPath(path)) == .success([]))
        }
        #expect(desktop.player.opened == [] && desktop.library.played == [])
        let path = ObjectPath.playlist(PlaylistID(2))
        #expect(try desktop.playlists("ActivatePlaylist", .objectPath(path)) == .success([]))
        #expect(desktop.player.status.playlist == PlaylistID(2))
        #expect(desktop.player.opened == ["file:///lists/a.m3u8"])
        #expect(desktop.library.played == [PlaylistID(2)])
        let signals = try desktop.takeSignals()
        #expect(signals.map(\.member) == ["PropertiesChanged"])
        #expect(signals.first?.arguments.first == .string(InterfaceName.playlists))
        #expect(signals.first?.arguments[1]["ActivePlaylist"]?.elements?.first == .boolean(true))
    }

    @Test("a new name is told with the playlist that has it, a new number with its value")
    func signals() throws {
        let desktop = try Desktop()
        try desktop.know("b", "a")
        desktop.library.status.playlists[1].name = "z"
        desktop.library.status.playlists.removeFirst()
        let signals = try desktop.takeSignals()
        let renamed = BusValue.structure([
            .objectPath("/org/tianlai/playlist/2"), .string("z"), .string(""),
        ])
        #expect(signals.map(\.member) == ["PlaylistChanged", "PropertiesChanged"])
        #expect(signals.allSatisfy { $0.path == ObjectPath.player })
        #expect(signals.first?.interface == InterfaceName.playlists)
        #expect(
            signals.map(\.arguments) == [
                [renamed],
                [
                    .string(InterfaceName.playlists), .variants([("PlaylistCount", .uint32(1))]),
                    .strings([]),
                ],
            ]
        )
    }
}
