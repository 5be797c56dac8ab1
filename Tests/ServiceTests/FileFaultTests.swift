import Foundation
import Testing
import TestSupport

/// Files that go, shrink, are replaced or hang while they play (C201, C257).
@Suite("files in trouble", .waiting, .timeLimit(.minutes(5)))
struct FileFaultTests {
    private let server: NullSoundServer
    private let fixtures: Fixtures
    private let ear: Ear
    private let tone = MeasuringTone(band: 0, seconds: 60)
    private let next = MeasuringTone(band: 1, seconds: 30)

    init() throws {
        server = try NullSoundServer()
        fixtures = try Fixtures()
        ear = try Ear(on: server)
    }

    /// Starts the service with both tones and plays the first.
    private func play(slowly disk: SlowDisk? = nil) throws -> RunningService {
        let paths = [try fixtures.makeTone(tone), try fixtures.makeTone(next)]
        let service = try RunningService(paths, sound: server, environment: disk?.environment ?? [:])
        try service.playerctl("play")
        _ = try ear.waitToHear(tone, at: 1)
        return service
    }

    @Test("a file that is deleted or replaced plays on")
    func deleted() throws {
        let service = try play()
        try FileManager.default.removeItem(atPath: fixtures.folder.path("tone-0.mp3"))
        try service.playerctl("position", "30")
        _ = try ear.waitToHear(tone, at: 30.5)
        try fixtures.folder.write(
            "tone-0.mp3",
            Data(contentsOf: URL(fileURLWithPath: fixtures.folder.path("tone-1.mp3")))
        )
        try service.playerctl("position", "20")
        _ = try ear.waitToHear(tone, at: 20.5)
        try service.ask(for: .seconds(2))
        #expect(try service.playerctl("status") == "Playing")
    }

    @Test(
        "a file that is cut off under the reader ends there, and the next one plays",
        arguments: [0, 100_000]
    )
    func truncated(size: UInt64) throws {
        let service = try play()
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: fixtures.folder.path("tone-0.mp3")))
        try file.truncate(atOffset: size)
        _ = try ear.waitToHear(next)
        try service.wait(until: "Playing", "tone-1.mp3")
    }

    @Test("a file that is overwritten in place with something else ends, and the next one plays")
    func overwritten() throws {
        let service = try play()
        let path = fixtures.folder.path("tone-0.mp3")
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.write(contentsOf: Data(repeating: 0x20, count: 960_000))
        _ = try ear.waitToHear(next)
        try service.wait(until: "Playing", "tone-1.mp3")
    }

    @Test(
        "the disk hangs: the sound ends, the position stands; it goes on: so does the sound, and clocks are told once"
    )
    func hangs() throws {
        let disk = try SlowDisk(in: fixtures.folder, "tone-0.mp3")
        let service = try play(slowly: disk)
        let before = try service.monitor.settle()
        disk.hang()
        #expect(ear.waitUntil(within: .seconds(60)) { $0.isSilent(forLast: .milliseconds(300)) })
        let last = try #require(ear.heard.lastFrequency.flatMap(tone.second))
        let place = try service.place()
        #expect(abs(place - last) < 0.3)
        // Longer than a sound server may take that is given something.
        try service.ask(for: .seconds(5))
        let standing = try service.place()
        #expect(abs(standing - place) < 0.01)
        #expect(try service.monitor.playerSignals(since: before) == [])
        let mark = try service.monitor.settle()
        disk.goOn()
        _ = try ear.waitToHear(tone, at: place)
        try service.wait(for: "Seeked") {
            try service.monitor.playerSignals(since: mark).contains { $0.member == "Seeked" }
        }
        #expect(try service.compare(with: ear, hearing: tone).apart < 0.3)
        #expect(try service.monitor.playerSignals(since: mark).count { $0.member == "Seeked" } == 1)
        _ = try ear.waitToHear(tone, at: place + 2)
    }

    @Test("the disk hangs: Pause, Play, Next to a file elsewhere, Previous and Stop are obeyed")
    func commandsWhileHanging() throws {
        let disk = try SlowDisk(in: fixtures.folder, "tone-0.mp3")
        let service = try play(slowly: disk)
        disk.hang()
        #expect(ear.waitUntil(within: .seconds(60)) { $0.isSilent(forLast: .milliseconds(300)) })
        try service.playerctl("pause")
        try service.ask(until: "Paused")
        try service.playerctl("play")
        try service.ask(until: "Playing")
        try service.playerctl("next")
        _ = try ear.waitToHear(next)
        try service.wait(until: "Playing", "tone-1.mp3")
        try service.playerctl("previous")
        try service.ask(for: .seconds(1))
        try service.playerctl("next")
        _ = try ear.waitToHear(next)
        try service.playerctl("stop")
        #expect(ear.waitForSilence())
        disk.goOn()
        try service.playerctl("play")
        _ = try ear.waitToHear(next)
    }

    @Test("the disk hangs: Quit does not wait for it", arguments: ["in the file", "in the next file"])
    func quitWhileHanging(place: String) throws {
        let disk = try SlowDisk(in: fixtures.folder, place == "in the file" ? "tone-0.mp3" : "tone-1.mp3")
        let service = try play(slowly: disk)
        disk.hang()
        if place == "in the file" {
            #expect(ear.waitUntil(within: .seconds(60)) { $0.isSilent(forLast: .milliseconds(300)) })
        } else {
            try service.playerctl("next")
            try service.ask(for: .seconds(1))
        }
        try service.call("\("org.mpris.MediaPlayer2").Quit")
        let report = service.process.wait(within: .seconds(2))
        #expect(report?.exit == .code(0), "\(report?.errorText ?? "")")
    }
}
