import DBus

/// What the player that only remembers says of queue, library and playlists.
struct StandInLibrary {
    /// The titles in the queue; each song has the id `/track/NUMBER`, from 1.
    var queue: [String] = []
    /// How long it says that the queue is, where that is not true any more.
    var staleLength: Int?
    /// From 0; -1 is none.
    var index: Int32 = -1
    var shuffleKind = "tracks"
    var stopsAfterCurrent = false
    /// In microseconds of the monotonic clock; 0 is never.
    var sleepAt: Int64 = 0
    /// How many songs an Add finds.
    var added: UInt32 = 1
    /// The titles that a search finds.
    var found: [String] = []
    var tracks: UInt32 = 0
    var folders: [String] = []
    var problem = ""
    /// Seen, read, total, for each time that somebody asks; none where no scan goes on.
    var scan: [(UInt32, UInt32, UInt32)] = []
    var playlists: [String] = []
    /// What it says of the words of the song: the kind, the lines, and the place of the one that is sung.
    var lyrics: (kind: String, lines: [(Int64, String)], index: Int32) = ("none", [], -1)
    var activePlaylist: Int?
}

extension StandInPlayer {
    private func song(_ title: String, _ number: Int) -> BusValue {
        .variants([
            ("mpris:trackid", .objectPath("/track/\(number)")), ("mpris:length", .int64(100_000_000)),
            ("xesam:title", .string(title)), ("xesam:url", .string("file:///\(title).mp3")),
        ])
    }

    private func songs(_ titles: some Sequence<String>, from number: Int) -> BusValue {
        .array(of: "a{sv}", titles.enumerated().map { song($1, number + $0) })
    }

    private func playlist(_ index: Int) -> BusValue {
        .structure([.objectPath("/list/\(index)"), .string(library.playlists[index]), .string("")])
    }

    static let control = Interface<StandInPlayer>(
        "org.tianlai.Control1",
        methods: [
            method("Play", Argument("Locations", "as")),
            Method(
                "Add",
                in: [Argument("Locations", "as"), Argument("Place", "s")],
                out: [Argument("Added", "u")]
            ) { (player, arguments) throws(CallError) in
                try player.answer("Add", arguments)
                return [.uint32(player.library.added)]
            },
            method("Remove", Argument("Tracks", "ao")),
            method("Move", Argument("Tracks", "ao"), Argument("After", "o")),
            method("Clear"),
            method("Sleep", Argument("Time", "x")),
            method("GoTo", Argument("Track", "o")),
            Method(
                "Queue",
                in: [Argument("Index", "u"), Argument("Count", "u")],
                out: [Argument("Tracks", "aa{sv}")]
            ) { (player, arguments) throws(CallError) in
                guard let index = arguments[0].integer, let count = arguments[1].integer, count <= 1000 else {
                    throw .invalidArguments("1000 at most")
                }
                let page = player.library.queue.dropFirst(Int(index)).prefix(Int(count))
                return [player.songs(page, from: Int(index) + 1)]
            },
            Method(
                "Search",
                in: [Argument("Words", "s"), Argument("Limit", "u")],
                out: [Argument("Tracks", "aa{sv}")]
            ) { (player, arguments) throws(CallError) in
                try player.answer("Search", arguments)
                let limit = Int(arguments[1].integer ?? 0)
                return [player.songs(player.library.found.prefix(limit), from: 1)]
            },
            Method(
                "Lyrics",
                out: [Argument("Track", "o"), Argument("Kind", "s"), Argument("Lines", "a(xs)")]
            ) { (player, _) throws(CallError) in
                if let error = player.error { throw error }
                let lyrics = player.library.lyrics
                let lines = lyrics.lines.map { BusValue.structure([.int64($0.0), .string($0.1)]) }
                return [.objectPath("/track/1"), .string(lyrics.kind), .array(of: "(xs)", lines)]
            },
            method("Scan"),
            method("MeasureLoudness"),
            Method("SavePlaylist", in: [Argument("NameOrPath", "s")], out: [Argument("Path", "s")]) {
                (player, arguments) throws(CallError) in
                try player.answer("SavePlaylist", arguments)
                return [.string("/saved/\(arguments[0].text ?? "")")]
            },
        ],
        properties: [
            Property("Problem", "s", get: { .string($0.problem) }),
            Property(
                "ShuffleKind",
                "s",
                get: { .string($0.library.shuffleKind) },
                set: { (player, value) throws(CallError) in
                    player.asked.append("ShuffleKind = \(value.text ?? "")")
                }
            ),
            Property(
                "StopAfterCurrent",
                "b",
                get: { .boolean($0.library.stopsAfterCurrent) },
                set: { (player, value) throws(CallError) in
                    player.asked.append("StopAfterCurrent = \(value.boolean ?? false)")
                }
            ),
            Property("SleepAt", "x", get: { .int64($0.library.sleepAt) }),
            Property(
                "QueueLength",
                "u",
                get: { .uint32(UInt32($0.library.staleLength ?? $0.library.queue.count)) }
            ),
            Property("QueueIndex", "i", get: { .int32($0.library.index) }),
            Property("LyricsIndex", "i", get: { .int32($0.library.lyrics.index) }),
            Property(
                "LyricsLine",
                "s",
                get: { player in
                    let lyrics = player.library.lyrics
                    return .string(lyrics.index < 0 ? "" : lyrics.lines[Int(lyrics.index)].1)
                }
            ),
            Property("LibraryTracks", "u", get: { .uint32($0.library.tracks) }),
            Property("LibraryFolders", "as", get: { .strings($0.library.folders) }),
            Property("LibraryProblem", "s", get: { .string($0.library.problem) }),
            Property("Scanning", "b", get: { .boolean(!$0.library.scan.isEmpty) }),
            Property("ScanSeen", "u", get: { .uint32($0.library.scan.first?.0 ?? 0) }),
            Property("ScanRead", "u", get: { .uint32($0.library.scan.first?.1 ?? 0) }),
            Property(
                "ScanTotal",
                "u",
                get: { player in
                    // The last of the properties: whoever asks next finds the scan further on.
                    defer { if !player.library.scan.isEmpty { player.library.scan.removeFirst() } }
                    return .uint32(player.library.scan.first?.2 ?? 0)
                }
            ),
        ]
    )

    static let playlistsTable = Interface<StandInPlayer>(
        "org.mpris.MediaPlayer2.Playlists",
        methods: [
            method("ActivatePlaylist", Argument("PlaylistId", "o")),
            Method(
                "GetPlaylists",
                in: [
                    Argument("Index", "u"), Argument("MaxCount", "u"), Argument("Order", "s"),
                    Argument("ReverseOrder", "b"),
                ],
                out: [Argument("Playlists", "a(oss)")]
            ) { (player, arguments) throws(CallError) in
                let indices = player.library.playlists.indices.dropFirst(Int(arguments[0].integer ?? 0))
                    .prefix(Int(arguments[1].integer ?? 0))
                return [.array(of: "(oss)", indices.map(player.playlist))]
            },
        ],
        properties: [
            Property(
                "ActivePlaylist",
                "(b(oss))",
                get: { player in
                    guard let active = player.library.activePlaylist else {
                        let none = BusValue.structure([.objectPath("/"), .string(""), .string("")])
                        return .structure([.boolean(false), none])
                    }
                    return .structure([.boolean(true), player.playlist(active)])
                }
            )
        ]
    )
}
