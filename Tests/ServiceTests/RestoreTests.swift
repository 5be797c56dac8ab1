import Foundation
import Glibc
import TestSupport
import Testing

/// The service ends and comes back as it was left, and writes nothing that it does not have to.
@Suite("restore", .waiting, .timeLimit(.minutes(5)))
struct RestoreTests {
    private let fixtures: Fixtures
    private let paths: [String]

    init() throws {
        fixtures = try Fixtures()
        paths = try (0..<5).map { [fixtures] in
            try fixtures.writeSong("\($0).mp3", SongTags(title: "\($0)", artist: "Ann", album: "All"))
        }
    }

    /// What must outlive the process, as clients read it.
    private struct State: Equatable {
        var ids: [String]
        var current: String?
        var file: String
        var volume: BusText?
        var loop: BusText?
        var shuffle: BusText?

        init(_ service: RunningService) throws {
            let queue = try service.queue()
            ids = queue.compactMap(\.id)
            current = queue.first { $0.current == true }?.id
            file = try service.fileName()
            volume = try service.get("Volume")
            loop = try service.get("LoopStatus")
            shuffle = try service.get("Shuffle")
        }
    }

    /// Sets modes that are none of the first start's.
    private func setModes(_ service: RunningService) throws {
        try service.playerctl("volume", "0.4")
        try service.playerctl("loop", "None")
        try service.playerctl("shuffle", "On")
    }

    private func end(_ service: RunningService, by signal: Int32? = SIGTERM) throws {
        if let signal { service.process.signal(signal) } else { try service.run("quit") }
        #expect(service.process.wait(within: .seconds(60))?.exit == .code(0))
        try service.waitForName(isOwned: false)
    }

    @Test("after SIGTERM and after quit it is all there, paused", arguments: [SIGTERM, nil])
    func comesBack(signal: Int32?) throws {
        let service = try RunningService(["--play"] + paths)
        try setModes(service)
        for _ in 0..<2 { try next(service) }
        try service.playerctl("position", "12")
        let state = try State(service)
        let place = try #require(try service.get("Position")?.integer)
        try end(service, by: signal)
        try service.restart([])
        #expect(try service.get("PlaybackStatus") == .text("Paused"))
        #expect(try State(service) == state)
        #expect(state.volume == .number(0.4) && state.loop == .text("None") && state.shuffle == .flag(true))
        let restored = try #require(try service.get("Position")?.integer)
        #expect((place...place + 300_000).contains(restored), "\(restored) after \(place)")
        #expect(service.process.report.errors.isEmpty, "\(service.process.report.errorText)")
    }

    @Test("what was playing sounds from there, at its volume, when it is played again")
    func sounds() throws {
        let server = try NullSoundServer()
        let ear = try Ear(on: server)
        let tones = (0..<5).map { MeasuringTone(band: $0, seconds: 12) }
        let paths = try tones.map { try fixtures.makeTone($0, rate: 22_050) }
        let service = try RunningService(["--play"] + paths, sound: server)
        try setModes(service)
        for _ in 0..<2 { try next(service) }
        try service.playerctl("position", "6")
        let name = try service.fileName()
        let tone = try #require(tones.first { name == "tone-\($0.band).mp3" })
        let heard = try ear.waitToHear(tone, at: 6)
        try end(service)
        try service.restart([])
        #expect(ear.waitForSilence())
        let place = try #require(try service.get("Position")?.integer)
        #expect(abs(Double(place) / 1e6 - heard) < 0.4, "\(place) after \(heard)")
        try service.playerctl("play")
        let resumed = try ear.waitToHear(tone, at: 5.5)
        #expect(abs(resumed - Double(place) / 1e6) < 0.3, "\(resumed) from \(place)")
        // On the mixer's scale the amplitude is the cube.
        let amplitude = 0.5 * 0.7071 * 0.064
        #expect(
            ear.waitUntil(within: .seconds(60)) {
                abs(loudness($0.latest(.milliseconds(50))) - amplitude) < amplitude / 10
            }
        )
    }

    /// Goes on, and returns the name of the file that is current then.
    @discardableResult
    private func next(_ service: RunningService, by member: String = "Next") throws -> String {
        let former = try service.fileName()
        try service.call("\(Bus.player).\(member)")
        try service.wait(for: "another song than \(former)") { try service.fileName() != former }
        return try service.fileName()
    }

    @Test("it goes on and back as it would have without the restart")
    func order() throws {
        let service = try RunningService(paths)
        try service.playerctl("shuffle", "On")
        for _ in 0..<3 { try next(service) }
        try next(service, by: "Previous")
        // As `kill -9` would leave it.
        let kept = try keep(service)
        let back = try (0..<2).map { _ in try next(service, by: "Previous") }
        for _ in 0..<2 { try next(service) }
        // Into the rounds after this one.
        let on = try (0..<14).map { _ in try next(service) }
        service.process.kill()
        try service.waitForName(isOwned: false)
        try put(kept, service)
        try service.restart([])
        #expect(try (0..<2).map { _ in try next(service, by: "Previous") } == back)
        for _ in 0..<2 { try next(service) }
        #expect(try (0..<14).map { _ in try next(service) } == on)
        #expect(Set(on).count == 5)
    }

    private let stateFiles = ["state/tianlai/queue", "run/tianlai/position"]

    private func keep(_ service: RunningService) throws -> [Data] {
        try stateFiles.map { try Data(contentsOf: URL(fileURLWithPath: service.folder.path($0))) }
    }

    private func put(_ contents: [Data], _ service: RunningService) throws {
        for (name, bytes) in zip(stateFiles, contents) { try service.folder.write(name, bytes) }
    }

    @Test("to start once while the disk is not there costs neither the queue nor the place")
    func diskIsAway() throws {
        let paths = try (0..<20).map { number in
            let tags = SongTags(title: "Song \(number)", artist: "Ann", album: "All")
            return try fixtures.writeSong("disk/\(number).mp3", tags)
        }
        let service = try RunningService(paths)
        try service.run("queue", "goto", "6")
        try service.playerctl("pause")
        try service.playerctl("position", "12")
        let state = try State(service)
        try end(service)
        let (disk, away) = (fixtures.folder.path("disk"), fixtures.folder.path("away"))
        #expect(rename(disk, away) == 0)
        try service.restart([])
        #expect(try State(service) == state)
        #expect(try service.get("PlaybackStatus") == .text("Paused"))
        // Not one for each file that is not there.
        let errors = service.process.waitForComplaints(1).split(separator: "\n")
        #expect((1...3).contains(errors.count), "\(errors)")
        try end(service)
        #expect(rename(away, disk) == 0)
        try service.restart([])
        #expect(try State(service) == state)
        #expect(try service.get("PlaybackStatus") == .text("Paused"))
        #expect(try service.get("Position") == .integer(12_000_000))
        // When its turn comes, a file that has gone is passed over.
        try end(service)
        #expect(unlink(paths[5]) == 0)
        try service.restart(["--play"])
        try service.wait(until: "Playing", "6.mp3")
    }

    @Test("a damaged file is moved aside, in one line, and it starts empty")
    func damaged() throws {
        let service = try RunningService(paths)
        try end(service)
        let garbage = Array("no queue at all".utf8) + (0..<5000).map { UInt8(truncatingIfNeeded: $0 * 7) }
        try service.folder.write("state/tianlai/queue", garbage)
        try service.restart([])
        #expect(try service.queue() == [])
        #expect(try service.get("PlaybackStatus") == .text("Stopped"))
        #expect(service.process.waitForComplaints(1).split(separator: "\n").count == 1)
        let aside = URL(fileURLWithPath: service.folder.path("state/tianlai/queue.damaged"))
        #expect(try Data(contentsOf: aside) == Data(garbage))
        // It keeps again.
        try service.run("queue", "add", paths[1])
        service.process.kill()
        try service.waitForName(isOwned: false)
        try service.restart([])
        #expect(try service.queue().map(\.file) == ["1.mp3"])
        #expect(service.process.report.errors.isEmpty, "\(service.process.report.errorText)")
    }

    @Test("what the command line names takes the place of the queue; the modes stay")
    func namedPaths() throws {
        let service = try RunningService(paths)
        try setModes(service)
        try end(service)
        try service.restart([paths[3], paths[2]])
        #expect(try service.queue().map(\.file) == ["3.mp3", "2.mp3"])
        #expect(try service.fileName() == "3.mp3")
        #expect(try service.get("Volume") == .number(0.4))
        #expect(try service.get("LoopStatus") == .text("None"))
        #expect(try service.get("Shuffle") == .flag(true))
        try end(service)
        try service.restart([])
        #expect(try service.queue().map(\.file) == ["3.mp3", "2.mp3"])
    }

    @Test("nothing is written at rest, and while it plays only the position, in memory")
    func writesNothing() throws {
        let service = try RunningService(paths, music: fixtures.folder.path)
        try service.waitForLibrary(5)
        func expectSilence(besides written: Set<String>, whatever ignored: String = "/") throws {
            let (before, mark) = (try fingerprints(service), service.monitor.mark)
            #expect(before.keys.contains("state/tianlai/queue"))
            // Three seconds in which nothing is said either.
            let told = service.monitor.wait(since: mark, within: .seconds(3)) { signals in
                signals.first { $0.path == Bus.path || $0.path == Bus.controlPath }
            }
            #expect(told == nil)
            let after = try fingerprints(service)
            let changed = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
            #expect(changed.filter { !$0.hasPrefix(ignored) } == written)
        }
        try service.playerctl("play")
        _ = try service.monitor.settle()
        // The index is put away a moment after the scan, which nothing tells.
        try expectSilence(besides: ["run/tianlai/position"], whatever: "cache/")
        try service.playerctl("pause")
        _ = try service.monitor.settle()
        try expectSilence(besides: [])
    }

    /// When each file of the service was written last, and which file it is.
    private func fingerprints(_ service: RunningService) throws -> [String: String] {
        var found: [String: String] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: service.folder.path) {
            var status = stat()
            guard lstat(service.folder.path(name), &status) == 0 else { continue }
            let time = status.st_mtim
            found[name] = "\(status.st_ino) \(time.tv_sec).\(time.tv_nsec) \(status.st_size)"
        }
        return found
    }
}
