import BusTestSupport
import DBus
import Library
import MPRIS
import Music
import Playback
import TestSupport
import Testing

extension Desktop {
    fileprivate func control(
        _ member: String,
        _ arguments: BusValue...
    ) throws -> Result<[BusValue], CallError> {
        try call(member, arguments, on: InterfaceName.control, at: ObjectPath.control)
    }

    /// Calls a method of Control1 that answers later; runs the loop until `isAsked`, then `answering` lets it answer.
    fileprivate func controlLater(
        _ member: String,
        _ arguments: [BusValue],
        until isAsked: () -> Bool,
        answering: () throws -> Void
    ) throws -> Result<[BusValue], CallError> {
        var answer: Result<[BusValue], CallError>?
        let call = MethodCall(
            to: BusName.player,
            path: ObjectPath.control,
            interface: InterfaceName.control,
            member,
            arguments
        )
        try client.call(call, timeout: .seconds(4)) { answer = $0 }
        try loop.wait("the question", until: isAsked)
        #expect(try self.call("Play") == .success([]))
        #expect(answer == nil)
        try answering()
        try loop.wait("the answer") { answer != nil }
        return answer ?? .success([])
    }
}

private func path(_ number: UInt64) -> String { ObjectPath.track(TrackID(number)) }

private let invalid = "org.freedesktop.DBus.Error.InvalidArgs"

@Suite(.timeLimit(.minutes(5)))
struct ControlOnTheBusTests {
    @Test("all of it can be read")
    func reading() throws {
        let desktop = try Desktop()
        #expect(
            try desktop.getAll(InterfaceName.control, at: ObjectPath.control)
                == .variants([
                    ("Problem", .string("")), ("ShuffleKind", .string("tracks")),
                    ("StopAfterCurrent", .boolean(false)), ("SleepAt", .int64(0)),
                    ("QueueLength", .uint32(0)),
                    ("LibraryTracks", .uint32(0)), ("LibraryFolders", .strings([])),
                    ("LibraryProblem", .string("")), ("Scanning", .boolean(false)),
                    ("LyricsKind", .string("none")), ("LyricsIndex", .int32(-1)),
                    ("LyricsLine", .string("")), ("QueueIndex", .int32(-1)),
                    ("ScanSeen", .uint32(0)), ("ScanRead", .uint32(0)), ("ScanTotal", .uint32(0)),
                    ("ScanMeasuresLoudness", .boolean(false)),
                ])
        )
        try desktop.fillQueue(1...3)
        desktop.player.queue.apply(.jump(to: TrackID(3)))
        var scan = ScanProgress()
        (scan.seen, scan.read, scan.measuresLoudness) = (7, 5, true)
        desktop.library.status.scan = scan
        desktop.library.status.trackCount = 12
        desktop.library.status.folders = [try #require(FilePath(bytes: [47, 109, 0xFF]))]
        let all = try desktop.getAll(InterfaceName.control, at: ObjectPath.control)
        let wanted: [(String, BusValue)] = [
            ("QueueLength", .uint32(3)), ("QueueIndex", .int32(2)), ("Scanning", .boolean(true)),
            ("ScanSeen", .uint32(7)), ("ScanRead", .uint32(5)), ("ScanTotal", .uint32(0)),
            ("ScanMeasuresLoudness", .boolean(true)), ("LibraryTracks", .uint32(12)),
            ("LibraryFolders", .strings(["/m\u{FFFD}"])),
        ]
        for (name, value) in wanted { #expect(all[name] == value, "\(name)") }
        #expect(try desktop.takeSignals().allSatisfy { $0.path == ObjectPath.control })
    }

    @Test("the sleep timer is set, and told when it is set and when it is over")
    func sleep() throws {
        let desktop = try Desktop()
        for time in [1_800_000_000, 0, -1, Int64.max] {
            #expect(try desktop.control("Sleep", .int64(time)) == .success([]))
            #expect(desktop.player.takeCommands() == [.sleep(after: TrackTime(microseconds: time))])
        }
        #expect(try desktop.takeSignals() == [])
        for (end, told) in [(Instant(nanoseconds: 42_000_999), 42_000), (nil, 0)] as [(Instant?, Int64)] {
            desktop.player.status.sleepsAt = end
            let signals = try desktop.takeSignals()
            #expect(signals.map(\.path) == [ObjectPath.control])
            #expect(signals.first?.arguments[1] == .variants([("SleepAt", .int64(told))]))
        }
        #expect(
            try desktop.set("SleepAt", .int64(1), on: InterfaceName.control, at: ObjectPath.control) != nil
        )
    }

    @Test("each Set becomes its command, or is refused without effect")
    func setting() throws {
        let desktop = try Desktop()
        let readOnly = "org.freedesktop.DBus.Error.PropertyReadOnly"
        let cases: [(String, BusValue, [PlayerCommand], String?)] = [
            ("ShuffleKind", .string("albums"), [.setShuffleKind(.albums)], nil),
            ("ShuffleKind", .string("tracks"), [.setShuffleKind(.tracks)], nil),
            ("ShuffleKind", .string("Albums"), [], invalid), ("ShuffleKind", .boolean(true), [], invalid),
            ("StopAfterCurrent", .boolean(true), [.setStopsAfterCurrent(true)], nil),
            ("StopAfterCurrent", .string("true"), [], invalid), ("QueueLength", .uint32(1), [], readOnly),
            ("Scanning", .boolean(true), [], readOnly),
        ]
        for (name, value, commands, error) in cases {
            let refusal = try desktop.set(name, value, on: InterfaceName.control, at: ObjectPath.control)
            #expect(refusal == error, "\(name) \(value)")
            #expect(desktop.player.takeCommands() == commands, "\(name) \(value)")
        }
    }

    @Test("each method becomes its command")
    func methods() throws {
        let desktop = try Desktop()
        let two = BusValue.objectPaths([path(1), "/no/such/track", path(2)])
        let ids = [TrackID(1), TrackID(2)]
        let none = BusValue.objectPaths([ObjectPath.noTrack])
        let cases: [(String, [BusValue], [PlayerCommand])] = [
            ("Remove", [two], [.remove(ids)]), ("Remove", [none], []), ("Clear", [], [.clear]),
            ("Move", [two, .objectPath(path(9))], [.move(ids, after: TrackID(9))]),
            ("Move", [two, .objectPath(ObjectPath.noTrack)], [.move(ids, after: nil)]),
            ("Move", [none, .objectPath(path(9))], []), ("GoTo", [.objectPath(path(4))], [.goTo(TrackID(4))]),
            ("GoTo", [.objectPath(ObjectPath.noTrack)], []),
        ]
        for (member, arguments, commands) in cases {
            let answer = try desktop.call(
                member,
                arguments,
                on: InterfaceName.control,
                at: ObjectPath.control
            )
            #expect(answer == .success([]))
            #expect(desktop.player.takeCommands() == commands, "\(member) \(arguments)")
        }
        #expect(try desktop.control("Move", two, .objectPath("/elsewhere")).failure?.name == invalid)
        #expect(desktop.player.takeCommands() == [])
        #expect(try desktop.control("Play", .strings(["file:///m/b.mp3"])) == .success([]))
        #expect(desktop.player.opened == ["file:///m/b.mp3"])
        #expect(try desktop.control("Play", .strings(["gopher://x"])).failure != nil)
        #expect(try desktop.control("Scan") == .success([]))
        #expect(desktop.library.scans == 1)
        #expect(try desktop.control("MeasureLoudness") == .success([]))
        #expect(desktop.library.measurements == 1)
    }

    @Test("an addition answers when it is there, with how many there are")
    func adding() throws {
        let desktop = try Desktop()
        try desktop.fillQueue(1...3)
        desktop.player.isSlow = true
        let places: [(String, QueuePlace)] = [("end", .end), ("next", .next), ("start", .start)]
        for (index, (word, place)) in places.enumerated() {
            let locations = BusValue.strings(["file:///m/x.mp3", "file:///m/y.mp3"])
            let answer = try desktop.controlLater(
                "Add",
                [locations, .string(word)],
                until: { desktop.player.added.count == index + 1 },
                answering: { desktop.player.finishAdditions() }
            )
            #expect(answer == .success([.uint32(2)]))
            #expect(desktop.player.added.last == place)
        }
        #expect(try desktop.control("Add", .strings([]), .string("here")).failure?.name == invalid)
        let refused = try desktop.control("Add", .strings(["gopher://x"]), .string("end"))
        #expect(refused == .failure(.failed("'gopher://x' is no file")))
    }

    @Test("pages of the queue: what is shown at once, of the rest what the library says")
    func queue() throws {
        let desktop = try Desktop()
        try desktop.fillQueue(1...1200, shown: 100)
        func numbers(_ answer: Result<[BusValue], CallError>) throws -> [String] {
            try answer.get().first?.elements?.compactMap { $0["mpris:trackid"]?.text } ?? []
        }
        let first = try desktop.control("Queue", .uint32(98), .uint32(2))
        #expect(try numbers(first) == [path(99), path(100)])
        #expect(desktop.library.descriptions.isEmpty)

        desktop.player.status.listed[99].track.tags.title = "Shown"
        let mixed = try desktop.controlLater(
            "Queue",
            [.uint32(99), .uint32(3)],
            until: { !desktop.library.descriptions.isEmpty },
            answering: {
                let asked = try #require(desktop.library.descriptions.first)
                #expect(asked.locations.map(\.path.description) == ["/m/101.mp3", "/m/102.mp3"])
                var described = Track(asked.locations[0])
                described.tags.title = "Described"
                // A library that owes one more does no harm.
                asked.answer([described])
            }
        )
        #expect(try numbers(mixed) == [path(100), path(101), path(102)])
        let titles = try mixed.get().first?.elements?.map { $0["xesam:title"]?.text }
        #expect(titles == ["Shown", "Described", "102"])

        let most = try desktop.controlLater(
            "Queue",
            [.uint32(0), .uint32(.max)],
            until: { desktop.library.descriptions.count == 2 },
            answering: { desktop.library.descriptions[1].answer([]) }
        )
        #expect(try numbers(most).count == 1000)
        for (index, count) in [(1200, 5), (UInt32.max, .max), (0, 0)] as [(UInt32, UInt32)] {
            #expect(
                try desktop.control("Queue", .uint32(index), .uint32(count))
                    == .success([.array(of: "a{sv}", [])])
            )
        }
    }

    @Test("a search answers with what was found, as maps without identity, or says why not")
    func searching() throws {
        let desktop = try Desktop()
        let found = Track(TrackLocation(try #require(FilePath("/m/found.mp3"))))
        let answer = try desktop.controlLater(
            "Search",
            [.string("so me"), .uint32(5)],
            until: { desktop.library.searches.count == 1 },
            answering: { desktop.library.searches[0].answer(.success([found])) }
        )
        #expect(
            answer
                == .success([
                    .array(
                        of: "a{sv}",
                        [
                            .variants([
                                ("xesam:url", .string("file:///m/found.mp3")),
                                ("xesam:title", .string("found")),
                            ])
                        ]
                    )
                ])
        )
        let error = try desktop.controlLater(
            "Search",
            [.string(""), .uint32(.max)],
            until: { desktop.library.searches.count == 2 },
            answering: { desktop.library.searches[1].answer(.failure(LibraryError("no index"))) }
        )
        #expect(error == .failure(.failed("no index")))
        #expect(desktop.library.searches.map(\.words) == ["so me", ""])
        #expect(desktop.library.searches.map(\.limit) == [5, 10_000])
    }

    @Test("a playlist that is saved answers where it is, or why not")
    func saving() throws {
        let desktop = try Desktop()
        let path = try #require(FilePath("/music/My list.m3u8"))
        let answers: [(Result<FilePath, LibraryError>, Result<[BusValue], CallError>)] = [
            (.success(path), .success([.string("/music/My list.m3u8")])),
            (.failure(LibraryError("disk full")), .failure(.failed("disk full"))),
        ]
        for (index, (result, wanted)) in answers.enumerated() {
            let answer = try desktop.controlLater(
                "SavePlaylist",
                [.string("My list")],
                until: { desktop.saves.count == index + 1 },
                answering: { desktop.saves[index].done(result) }
            )
            #expect(answer == wanted)
            #expect(desktop.saves[index].name == "My list")
        }
    }
}
