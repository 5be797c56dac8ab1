import BusTestSupport
import DBus
import MPRIS
import Music
import Playback
import TestSupport
import Testing

extension Desktop {
    /// Makes tracks with these numbers the queue, with ids from 1 on, the first `shown` of them listed.
    func fillQueue(_ numbers: ClosedRange<Int>, shown: Int = .max) throws {
        let locations = try numbers.map { TrackLocation(try #require(FilePath("/m/\($0).mp3"))) }
        player.queue.apply(.replace(locations))
        try showQueue(shown)
    }

    /// Shows what the queue has.
    func showQueue(_ count: Int = .max) throws {
        let queue = player.queue
        player.status.listed = (0..<min(count, queue.count)).map { index in
            let entry = queue[index]
            return ListedTrack(id: entry.id, track: Track(entry.location, length: .seconds(9)))
        }
        player.status.current = queue.current.map { entry in
            CurrentTrack(id: entry.id, track: Track(entry.location, length: .seconds(9)))
        }
        player.status.queueCount = queue.count
        _ = try takeSignals()
    }

    func trackList(_ member: String, _ arguments: BusValue...) throws -> Result<[BusValue], CallError> {
        try call(member, arguments, on: InterfaceName.trackList)
    }

    /// The titles that `GetTracksMetadata` answers with.
    func titles(_ ids: [String]) throws -> [String] {
        let maps = try trackList("GetTracksMetadata", .objectPaths(ids)).get().first?.elements ?? []
        return maps.map { $0["xesam:title"]?.text ?? "" }
    }
}

private func path(_ number: UInt64) -> String { ObjectPath.track(TrackID(number)) }

@Suite(.timeLimit(.minutes(5)))
struct TrackListOnTheBusTests {
    @Test("the list is what the player shows, and can be edited")
    func reading() throws {
        let desktop = try Desktop()
        try desktop.fillQueue(1...5, shown: 3)
        #expect(
            try desktop.getAll(InterfaceName.trackList)
                == .variants([
                    ("Tracks", .objectPaths([path(1), path(2), path(3)])), ("CanEditTracks", .boolean(true)),
                ])
        )
    }

    @Test("metadata comes in the order asked, also of tracks that are not shown, and without unknown ones")
    func metadata() throws {
        let desktop = try Desktop()
        try desktop.fillQueue(1...150, shown: 100)
        desktop.player.status.listed[1].track.tags.title = "Known"
        desktop.player.status.current?.track.tags.title = "Current"
        let asked = [path(2), path(150), "/no/such/track", path(2), path(1), ObjectPath.noTrack, path(151)]
        #expect(try desktop.titles(asked) == ["Known", "150", "Known", "Current"])
        let maps = try desktop.trackList("GetTracksMetadata", .objectPaths([path(150), path(1)])).get()
        let current = try #require(desktop.player.status.current)
        #expect(
            maps == [
                .array(
                    of: "a{sv}",
                    [
                        .variants([
                            ("mpris:trackid", .objectPath(path(150))),
                            ("xesam:url", .string("file:///m/150.mp3")), ("xesam:title", .string("150")),
                        ]),
                        Metadata.value(of: current),
                    ]
                )
            ]
        )
        #expect(
            try desktop.trackList("GetTracksMetadata", .objectPaths([]))
                == .success([.array(of: "a{sv}", [])])
        )
    }

    @Test("a thousand tracks are told of, more are refused")
    func tooMany() throws {
        let desktop = try Desktop()
        try desktop.fillQueue(1...2, shown: 1)
        #expect(try desktop.titles(Array(repeating: path(2), count: 1000)).count == 1000)
        let refusal = try desktop.trackList(
            "GetTracksMetadata",
            .objectPaths(Array(repeating: path(2), count: 1001))
        )
        #expect(refusal.failure?.name == "org.freedesktop.DBus.Error.InvalidArgs")
    }

    @Test("a track is added where it was to be, and becomes current when it is there")
    func adding() throws {
        let cases: [(after: String, place: QueuePlace, index: Int)] = [
            (ObjectPath.noTrack, .start, 0), (path(1), .after(TrackID(1)), 1),
            (path(3), .after(TrackID(3)), 3),
            (path(77), .after(TrackID(77)), 3), ("/no/such/track", .end, 3),
        ]
        for (after, place, index) in cases {
            let desktop = try Desktop()
            try desktop.fillQueue(1...3)
            desktop.player.isSlow = true
            let arguments: [BusValue] = [
                .string("file:///m/new.mp3"), .objectPath(after), .boolean(true),
            ]
            #expect(try desktop.call("AddTrack", arguments, on: InterfaceName.trackList) == .success([]))
            #expect(desktop.player.added == [place])
            #expect(desktop.player.queue[index].id == TrackID(4))
            #expect(desktop.player.takeCommands() == [])
            desktop.player.finishAdditions()
            #expect(desktop.player.takeCommands() == [.goTo(TrackID(4))], "\(after)")
        }
    }

    @Test("what is only added stays in the list, what cannot be added is refused")
    func addingQuietly() throws {
        let desktop = try Desktop()
        try desktop.fillQueue(1...3)
        let after = BusValue.objectPath(path(1))
        let added = try desktop.trackList("AddTrack", .string("file:///m/x.mp3"), after, .boolean(false))
        #expect(added == .success([]))
        #expect(desktop.player.queue.count == 4)
        let refused = try desktop.trackList("AddTrack", .string("gopher://x"), after, .boolean(true))
        #expect(refused == .failure(.failed("'gopher://x' is no file")))
        #expect(desktop.player.queue.count == 4)
        #expect(desktop.player.takeCommands() == [])
    }

    @Test("tracks are removed and gone to, and what never was a track is ignored")
    func commands() throws {
        let desktop = try Desktop()
        let cases: [(String, String, [PlayerCommand])] = [
            ("RemoveTrack", path(2), [.remove([TrackID(2)])]), ("RemoveTrack", ObjectPath.noTrack, []),
            ("RemoveTrack", "/no/such/track", []), ("GoTo", path(7), [.goTo(TrackID(7))]),
            ("GoTo", ObjectPath.noTrack, []), ("GoTo", "/", []),
        ]
        for (member, id, commands) in cases {
            #expect(try desktop.trackList(member, .objectPath(id)) == .success([]))
            #expect(desktop.player.takeCommands() == commands, "\(member) \(id)")
        }
    }

    @Test("each change is told by its signal, and that Tracks is another without its value")
    func signals() throws {
        let desktop = try Desktop()
        try desktop.fillQueue(1...3)
        #expect(try desktop.takeSignals().map(\.member) == [])

        desktop.player.queue.apply(.insert([TrackLocation(try #require(FilePath("/m/n.mp3")))], at: 0))
        desktop.player.queue.apply(.remove([TrackID(3)]))
        let queue = desktop.player.queue
        desktop.player.status.listed = (0..<queue.count).map {
            ListedTrack(id: queue[$0].id, track: Track(queue[$0].location, length: .seconds(9)))
        }
        desktop.player.status.listed[2].track.tags.title = "Known"
        let listed = desktop.player.status.listed
        let signals = try desktop.takeSignals()
        #expect(
            signals.map(\.member)
                == ["TrackAdded", "TrackMetadataChanged", "TrackRemoved", "PropertiesChanged"]
        )
        #expect(signals.allSatisfy { $0.path == ObjectPath.player })
        #expect(signals.prefix(3).allSatisfy { $0.interface == InterfaceName.trackList })
        #expect(
            signals.map(\.arguments) == [
                [Metadata.value(of: listed[0]), .objectPath(ObjectPath.noTrack)],
                [.objectPath(path(2)), Metadata.value(of: listed[2])], [.objectPath(path(3))],
                [.string(InterfaceName.trackList), .variants([]), .strings(["Tracks"])],
            ]
        )

        desktop.player.status.listed = []
        desktop.player.status.current = nil
        let replaced = try desktop.takeSignals()
        #expect(replaced.map(\.member) == ["TrackListReplaced", "PropertiesChanged", "PropertiesChanged"])
        #expect(replaced.first?.arguments == [.objectPaths([]), .objectPath(ObjectPath.noTrack)])
    }
}
