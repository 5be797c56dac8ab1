import DBus
import Library
import Music
import Playback

/// `org.tianlai.Control1`: what Tianlai does and tells beyond MPRIS, on a path of its own (C-6).
enum ControlInterface {
    static let table = Interface<Controls>(
        InterfaceName.control,
        methods: queueMethods + libraryMethods + lyricsMethods + [sleep],
        properties: told.map(\.row) + [
            // These are for who asks: some change with every track, some many times a second.
            Property("QueueIndex", "i", emits: .nothing) { controls in
                .int32(controls.player.queue.currentIndex.map { Int32(clamping: $0) } ?? -1)
            },
            Property("ScanSeen", "u", emits: .nothing) { .number($0.library.status.scan?.seen) },
            Property("ScanRead", "u", emits: .nothing) { .number($0.library.status.scan?.read) },
            Property("ScanTotal", "u", emits: .nothing) { .number($0.library.status.scan?.total) },
            Property("ScanMeasuresLoudness", "b", emits: .nothing) { controls in
                .boolean(controls.library.status.scan?.measuresLoudness ?? false)
            },
        ],
        signals: lyricsSignals
    )

    static let told: [ToldProperty] =
        [
            ToldProperty("Problem", "s") { .string($0.player.problem ?? "") },
            ToldProperty(
                "ShuffleKind",
                "s",
                { .string($0.player.shuffleKind.rawValue) },
                set: { (controls, value) throws(CallError) in
                    guard let kind = value.text.flatMap(ShuffleKind.init(rawValue:)) else {
                        throw .invalidArguments("ShuffleKind is tracks or albums")
                    }
                    controls.player.perform(.setShuffleKind(kind))
                }
            ),
            ToldProperty(
                "StopAfterCurrent",
                "b",
                { .boolean($0.player.stopsAfterCurrent) },
                set: { (controls, value) throws(CallError) in
                    guard let stops = value.boolean else {
                        throw .invalidArguments("StopAfterCurrent is true or false")
                    }
                    controls.player.perform(.setStopsAfterCurrent(stops))
                }
            ),
            ToldProperty("SleepAt", "x") { snapshot in
                .int64(snapshot.player.sleepsAt.map { $0.nanoseconds / 1000 } ?? 0)
            },
            ToldProperty("QueueLength", "u") { .number($0.player.queueCount) },
            ToldProperty("LibraryTracks", "u") { .number($0.library.trackCount) },
            ToldProperty("LibraryFolders", "as") { .strings($0.library.folders.map(\.description)) },
            ToldProperty("LibraryProblem", "s") { .string($0.library.problem ?? "") },
            ToldProperty("Scanning", "b") { .boolean($0.library.scan != nil) },
        ] + lyricsProperties

    private static let sleep = Method<Controls>("Sleep", in: [Argument("Time", "x")]) { controls, arguments in
        controls.player.perform(.sleep(after: TrackTime(microseconds: arguments.first?.integer ?? 0)))
        return []
    }

    // MARK: The queue

    private static let queueMethods: [Method<Controls>] = [
        Method("Play", in: [Argument("Locations", "as")]) { (controls, arguments) throws(CallError) in
            do throws(OpenError) {
                try controls.player.play(arguments.first?.strings ?? [])
            } catch {
                throw .failed(error.description)
            }
            return []
        },
        .deferred(
            "Add",
            in: [Argument("Locations", "as"), Argument("Place", "s")],
            out: [Argument("Added", "u")]
        ) { (controls, arguments, answer) throws(CallError) in
            guard let place = arguments.last?.text.flatMap({ places[$0] }) else {
                throw .invalidArguments("Place is start, next or end")
            }
            do throws(OpenError) {
                try controls.player.add(arguments.first?.strings ?? [], at: place) { count in
                    answer(.success([.number(count)]))
                }
            } catch {
                throw .failed(error.description)
            }
        },
        Method("Remove", in: [Argument("Tracks", "ao")]) { controls, arguments in
            let tracks = ids(arguments)
            if !tracks.isEmpty { controls.player.perform(.remove(tracks)) }
            return []
        },
        Method(
            "Move",
            in: [Argument("Tracks", "ao"), Argument("After", "o")]
        ) { (controls, arguments) throws(CallError) in
            let (tracks, path) = (ids(arguments), arguments.last?.text ?? "")
            let after = ObjectPath.track(path)
            guard after != nil || path == ObjectPath.noTrack else {
                throw .invalidArguments("After is a track, or NoTrack for the front")
            }
            if !tracks.isEmpty { controls.player.perform(.move(tracks, after: after)) }
            return []
        },
        .plain("Clear") { $0.player.perform(.clear) },
        Method("GoTo", in: [Argument("Track", "o")]) { controls, arguments in
            if let id = arguments.first?.text.flatMap(ObjectPath.track) { controls.player.perform(.goTo(id)) }
            return []
        },
        .deferred(
            "Queue",
            in: [Argument("Index", "u"), Argument("Count", "u")],
            out: [Argument("Entries", "aa{sv}")]
        ) { controls, arguments, answer in
            let (index, count) = (arguments.first?.integer ?? 0, arguments.last?.integer ?? 0)
            controls.describeQueue(from: Int(index), count: Int(count)) { tracks in
                answer(.success([.array(of: "a{sv}", tracks.map(Metadata.value))]))
            }
        },
    ]

    private static let places: [String: QueuePlace] = ["start": .start, "next": .next, "end": .end]

    /// The tracks that the first argument names; what is none of ours is left out.
    private static func ids(_ arguments: [BusValue]) -> [TrackID] {
        (arguments.first?.strings ?? []).compactMap { ObjectPath.track($0) }
    }

    // MARK: The library

    private static let libraryMethods: [Method<Controls>] = [
        .deferred(
            "Search",
            in: [Argument("Words", "s"), Argument("Limit", "u")],
            out: [Argument("Tracks", "aa{sv}")]
        ) { controls, arguments, answer in
            let (words, limit) = (arguments.first?.text ?? "", arguments.last?.integer ?? 0)
            controls.library.search(words, limit: min(Int(limit), mostFound)) { result in
                answer(
                    result.map { [.array(of: "a{sv}", $0.map { Metadata.value(of: $0, id: nil) })] }
                        .mapError(CallError.init)
                )
            }
        },
        .plain("Scan") { $0.library.scan() },
        .plain("MeasureLoudness") { $0.library.measureLoudness() },
        .deferred(
            "SavePlaylist",
            in: [Argument("Name", "s")],
            out: [Argument("Path", "s")]
        ) { controls, arguments, answer in
            controls.save(arguments.first?.text ?? "") { result in
                answer(result.map { [.string($0.description)] }.mapError(CallError.init))
            }
        },
    ]

    /// The most tracks that one search brings.
    private static let mostFound = 10_000
}

extension Controls {
    /// What is known of the entries from `index` on, at most `count` and at most ``longestAnswer``: what the player
    /// shows, and of the others what the library says.
    fileprivate func describeQueue(from index: Int, count: Int, answer: @escaping ([ListedTrack]) -> Void) {
        let shown = player.shownTracks
        let entries = queueEntries(index..<index + min(count, longestAnswer))
        let others = entries.filter { shown[$0.id] == nil }
        func entry(_ entry: QueueEntry, _ described: [TrackID: Track]) -> ListedTrack {
            let track = shown[entry.id] ?? described[entry.id] ?? Track(entry.location)
            return ListedTrack(id: entry.id, track: track)
        }
        guard !others.isEmpty else { return answer(entries.map { entry($0, [:]) }) }
        library.describe(others.map(\.location)) { tracks in
            let described = Dictionary(
                zip(others.map(\.id), tracks),
                uniquingKeysWith: { first, _ in first }
            )
            answer(entries.map { entry($0, described) })
        }
    }

    /// The queue is let go with the return: who keeps it makes the next edit slow.
    private func queueEntries(_ range: Range<Int>) -> [QueueEntry] {
        let queue = player.queue
        return range.clamped(to: 0..<queue.count).map { queue[$0] }
    }
}

extension BusValue {
    /// A number of things; 0 where there is none.
    fileprivate static func number(_ count: Int?) -> BusValue { .uint32(UInt32(clamping: count ?? 0)) }
}
