import DBus
import Library
import Music
import Playback

/// `org.mpris.MediaPlayer2.Playlists`: the playlist files that the library knows, for a client to choose from.
enum PlaylistsInterface {
    static let table = Interface<Controls>(
        InterfaceName.playlists,
        methods: [
            Method("ActivatePlaylist", in: [Argument("PlaylistId", "o")]) { controls, arguments in
                // An unknown one is ignored (C156).
                guard let id = arguments.first?.text.flatMap(ObjectPath.playlist),
                    let playlist = controls.library.status.playlist(id)
                else { return [] }
                controls.player.play(id, in: playlist.path)
                controls.library.notePlayed(id)
                return []
            },
            Method(
                "GetPlaylists",
                in: [
                    Argument("Index", "u"), Argument("MaxCount", "u"), Argument("Order", "s"),
                    Argument("ReverseOrder", "b"),
                ],
                out: [Argument("Playlists", "a(oss)")]
            ) { (controls, arguments) throws(CallError) in
                guard arguments.count == 4, let index = arguments[0].integer,
                    let count = arguments[1].integer,
                    let ordering = arguments[2].text.flatMap(PlaylistOrdering.init(rawValue:)),
                    let isReversed = arguments[3].boolean
                else { throw .invalidArguments("Order is one of Orderings") }
                let playlists = ordering.sorted(controls.library.status.playlists, isReversed: isReversed)
                let asked = playlists.dropFirst(Int(index)).prefix(Int(count))
                return [.array(of: "(oss)", asked.map(value))]
            },
        ],
        properties: told.map(\.row) + [
            Property(
                "Orderings",
                "as",
                get: { _ in .strings(PlaylistOrdering.allCases.map(\.rawValue)) }
            )
        ],
        signals: [Signal("PlaylistChanged", [Argument("Playlist", "(oss)")])]
    )

    static let told = [
        ToldProperty("PlaylistCount", "u") { .uint32(UInt32(clamping: $0.library.playlists.count)) },
        ToldProperty("ActivePlaylist", "(b(oss))") { snapshot in
            guard let playlist = snapshot.player.playlist.flatMap(snapshot.library.playlist) else {
                let none: [BusValue] = [.objectPath(ObjectPath.noPlaylist), .string(""), .string("")]
                return .structure([.boolean(false), .structure(none)])
            }
            return .structure([.boolean(true), value(of: playlist)])
        },
    ]

    /// Identity, name and icon; playlists have none (C156).
    static func value(of playlist: PlaylistSummary) -> BusValue {
        .structure([.objectPath(ObjectPath.playlist(playlist.id)), .string(playlist.name), .string("")])
    }

    /// The playlists that are called something else in `new` than in `old` (L-9).
    static func renamed(_ old: [PlaylistSummary], _ new: [PlaylistSummary]) -> [PlaylistSummary] {
        guard old != new else { return [] }
        let former = Dictionary(old.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
        return new.filter { playlist in former[playlist.id].map { $0 != playlist.name } ?? false }
    }
}

extension LibraryStatus {
    fileprivate func playlist(_ id: PlaylistID) -> PlaylistSummary? { playlists.first { $0.id == id } }
}
