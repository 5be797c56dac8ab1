import Foundation
import TestSupport
import Testing

/// `tianlai queue …`, next to what the TrackList interface says and signals.
@Suite("queue commands", .waiting, .timeLimit(.minutes(5)))
struct QueueCommandTests {
    private let fixtures: Fixtures

    init() throws {
        fixtures = try Fixtures()
    }

    private func writeSongs(_ names: [String], album: String = "All") throws -> [String] {
        try names.enumerated().map { number, name in
            let title = ((name as NSString).lastPathComponent as NSString).deletingPathExtension
            return try fixtures.writeSong(
                name,
                SongTags(title: title, artist: "Ann", album: album, number: number + 1)
            )
        }
    }

    /// What the TrackList interface signals while `body` runs.
    private func signals(of service: RunningService, _ body: () throws -> Void) throws -> [BusSignal] {
        let mark = try service.monitor.settle()
        try body()
        return try service.monitor.signals(since: mark).filter { $0.subject == Bus.trackList }
    }

    /// The command, the interface and `playerctl` say the same.
    private func expect(_ titles: [String], current: String?, _ service: RunningService) throws {
        let queue = try service.queue()
        #expect(queue.map(\.title) == titles)
        #expect(queue.map(\.number) == titles.indices.map { $0 + 1 })
        #expect(queue.filter { $0.current == true }.map(\.title) == [current].compactMap(\.self))
        #expect(try service.tracks() == queue.compactMap(\.id))
        let told = try service.playerctl.run(["metadata", "title"]).outputText
        #expect(told == current.map { $0 + "\n" } ?? "")
        #expect(try service.get("QueueLength", of: Bus.control)?.integer == Int64(titles.count))
    }

    @Test("add, add --next, move, remove, goto and clear, each told in the right order")
    func edits() throws {
        let paths = try writeSongs(["a.mp3", "b.mp3", "c.mp3", "d.mp3"])
        let service = try RunningService(Array(paths[..<2]))
        try expect(["a", "b"], current: "a", service)
        let (a, b) = (try service.tracks()[0], try service.tracks()[1])

        var told = try signals(of: service) { try service.run("queue", "add", paths[2]) }
        try expect(["a", "b", "c"], current: "a", service)
        let c = try service.tracks()[2]
        #expect(told.map(\.member) == ["TrackAdded", "PropertiesChanged"])
        #expect(told.first?.arguments.first?["mpris:trackid"]?.text == c)
        #expect(told.first?.arguments.last?.text == b)
        #expect(told.last?.arguments.last == .list([.text("Tracks")]))

        told = try signals(of: service) { try service.run("queue", "add", "--next", paths[3], paths[0]) }
        try expect(["a", "d", "a", "b", "c"], current: "a", service)
        let (d, again) = (try service.tracks()[1], try service.tracks()[2])
        // Each behind one that clients know by then.
        #expect(told.prefix(2).map { $0.arguments.first?["mpris:trackid"]?.text } == [d, again])
        #expect(told.prefix(2).map { $0.arguments.last?.text } == [a, d])
        #expect(told.map(\.member) == ["TrackAdded", "TrackAdded", "PropertiesChanged"])

        told = try signals(of: service) { try service.run("queue", "move", "1-2", "3") }
        try expect(["a", "b", "a", "d", "c"], current: "a", service)
        #expect(try service.tracks() == [again, b, a, d, c])
        #expect(told.map(\.member) == ["TrackListReplaced", "PropertiesChanged"])
        #expect(told.first?.arguments.first == .list([again, b, a, d, c].map(BusText.text)))
        #expect(told.first?.arguments.last?.text == a)

        told = try signals(of: service) { try service.run("queue", "remove", "1", "4") }
        try expect(["b", "a", "c"], current: "a", service)
        #expect(told.map(\.member) == ["TrackRemoved", "TrackRemoved", "PropertiesChanged"])
        #expect(told.prefix(2).map { $0.arguments.first?.text } == [again, d])

        try service.playerctl("play")
        told = try signals(of: service) { try service.run("queue", "goto", "3") }
        try expect(["b", "a", "c"], current: "c", service)
        #expect(told.isEmpty)
        #expect(try service.get("PlaybackStatus") == .text("Playing"))

        // Without the current one, what follows it is played: the list is repeated.
        told = try signals(of: service) { try service.run("queue", "remove", "3") }
        try service.wait(until: "Playing", "b.mp3")
        try expect(["b", "a"], current: "b", service)
        #expect(told.map(\.member).prefix(1) == ["TrackRemoved"])

        told = try signals(of: service) { try service.run("queue", "clear") }
        try expect([], current: nil, service)
        #expect(try service.get("PlaybackStatus") == .text("Stopped"))
        // The list as a whole, or each track, but nothing that is not there.
        #expect(told.last?.member == "PropertiesChanged")
        #expect(told.dropLast().map(\.member) == ["TrackListReplaced"])

        for words in [["remove", "1"], ["goto", "1"], ["move", "1", "2"]] {
            let report = try service.tianlai(["queue"] + words)
            #expect(report.exit == .code(1), "\(words)")
            #expect(report.errorText.split(separator: "\n").count == 1, "\(report.errorText)")
        }
    }

    @Test("of a queue of 300, Tracks are 100 with the current one among them")  // C153
    func window() throws {
        let song = try writeSongs(["first.mp3"])[0]
        let paths = try (0..<300).map { number in
            let path = fixtures.folder.path("\(number).mp3")
            guard link(song, path) == 0 else { throw TestFailure("no link: \(errno)") }
            return path
        }
        let service = try RunningService(paths)
        func expectWindow(at index: Int) throws {
            try service.wait(until: "Paused", "\(index).mp3")
            let tracks = try service.tracks()
            #expect(tracks.count == 100 && Set(tracks).count == 100)
            let current = try #require(try service.get("Metadata")?["mpris:trackid"]?.text)
            #expect(tracks.contains(current), "\(index)")
            // In the order of the queue, of which they are one piece.
            let queue = try service.queue().compactMap(\.id)
            let start = try #require(queue.firstIndex(of: tracks[0]))
            #expect(Array(queue[start...].prefix(100)) == tracks)
            let answer = try service.call(
                "\(Bus.trackList).GetTracksMetadata",
                "array:objpath:\(tracks.joined(separator: ","))"
            )
            guard case .list(let maps) = answer.first else { throw TestFailure("no metadata: \(answer)") }
            #expect(maps.map { $0["mpris:trackid"]?.text } == tracks.map(Optional.init))
            let urls = maps.compactMap { $0["xesam:url"]?.text }
            #expect(urls == paths[start...].prefix(100).map { "file://\($0)" })
        }
        try expectWindow(at: 0)
        let next = "dbus-send --bus=\(service.bus.address) --print-reply --dest=\(Bus.name) \(Bus.path)"
        let loop = "n=0; while [ $n -lt 150 ]; do \(next) \(Bus.player).Next || exit 1; n=$((n + 1)); done"
        let client = try ChildProcess(["sh", "-c", loop], environment: ["PATH": "/usr/bin:/bin"])
        #expect(client.wait(within: .seconds(60))?.exit == .code(0))
        try expectWindow(at: 150)
        try service.run("queue", "goto", "300")
        try service.playerctl("pause")
        try expectWindow(at: 299)
    }

    @Test("shuffle albums plays each folder in one piece and in its order")
    func albums() throws {
        let folders = try ["x", "y"].map { folder in
            try writeSongs((1...3).map { "\(folder)/\(folder)\($0).mp3" }, album: "Album \(folder)")
        }
        let service = try RunningService(folders.flatMap(\.self))
        try service.run("shuffle", "albums")
        let albums = [["x1.mp3", "x2.mp3", "x3.mp3"], ["y1.mp3", "y2.mp3", "y3.mp3"]]
        var heard = [try service.fileName()]
        // Two rounds.
        for _ in 0..<11 {
            let former = try #require(heard.last)
            try service.playerctl("next")
            try service.wait(for: "another song") { try service.fileName() != former }
            heard.append(try service.fileName())
        }
        #expect(Array(heard.prefix(6)) == albums.flatMap(\.self))
        let second = Array(heard.suffix(6))
        #expect(second == albums.flatMap(\.self) || second == albums.reversed().flatMap(\.self))
        #expect(try service.get("Shuffle") == .flag(true))
        #expect(try service.get("ShuffleKind", of: Bus.control) == .text("albums"))
    }

    @Test("stop --after stops at the end of the song, with the next one current")
    func stopAfter() throws {
        let paths = try fixtures.makeTones(2, seconds: 1.5, rate: 16_000)
        let service = try RunningService(paths)
        let mark = try service.monitor.settle()
        try service.run("stop", "--after")
        #expect(try service.get("StopAfterCurrent", of: Bus.control) == .flag(true))
        let begin = ContinuousClock.now
        try service.playerctl("play")
        try service.wait(until: "Stopped", "tone-1.mp3")
        #expect(ContinuousClock.now - begin > .seconds(1.3))
        #expect(try service.get("Position") == .integer(0))
        // It counts once, and both changes are one.
        #expect(try service.get("StopAfterCurrent", of: Bus.control) == .flag(false))
        let statuses = try service.monitor.playerSignals(since: mark).compactMap {
            $0.changes?["PlaybackStatus"]?.text
        }
        #expect(statuses == ["Playing", "Stopped"])
    }
}
