import Foundation
import TestSupport
import Testing

/// Falling asleep over the music.
@Suite("sleep timer", .waiting, .timeLimit(.minutes(5)))
struct SleepTimerTests {
    private let fixtures: Fixtures
    private let path: String
    private let tone = MeasuringTone(band: 0, seconds: 60)

    init() throws {
        fixtures = try Fixtures()
        path = try fixtures.makeTone(tone)
    }

    private struct Status: Decodable {
        var sleep_us: Int64?
    }

    @Test("it is shown, told when it is set and when it is over, and ends in a pause that no volume tells of")
    func course() throws {
        let service = try RunningService(["--play", path])
        let mark = try service.monitor.settle()
        try service.run("sleep", "30m")
        let left = try #require(try service.answers("status", "--json", as: Status.self).first?.sleep_us)
        #expect(left > 1_740_000_000 && left <= 1_800_000_000)
        #expect(try service.run("sleep").hasPrefix("pauses in "))
        try service.run("sleep", "off")
        #expect(try service.run("sleep") == "no sleep timer is set\n")
        try service.run("sleep", "2s")
        try service.wait(until: "Paused")
        #expect(try service.answers("status", "--json", as: Status.self).first?.sleep_us == nil)
        let signals = try service.monitor.signals(since: mark)
        #expect(
            signals.compactMap { $0.changes(of: Bus.control)?.names }
                == Array(repeating: ["SleepAt"], count: 4)
        )
        #expect(signals.compactMap { $0.changes?.names } == [["PlaybackStatus"]])
        #expect(try service.get("Volume") == .number(1))
        #expect(try service.get("Position")?.integer ?? 0 > 0)
    }

    @Test("a pause by hand leaves it be, and the end of the service ends it")
    func pausedMeanwhile() throws {
        let service = try RunningService(["--play", path])
        try service.run("sleep", "30m")
        try service.playerctl("pause")
        try service.playerctl("play")
        #expect(try service.run("sleep").hasPrefix("pauses in "))
        try service.run("quit")
        _ = service.process.wait(within: .seconds(60))
        try service.restart([path])
        #expect(try service.run("sleep") == "no sleep timer is set\n")
    }

    @Test("the sound fades away, and is there in full again with the next play")
    func fades() throws {
        let server = try NullSoundServer()
        let ear = try Ear(on: server)
        let service = try RunningService(["--play", path], sound: server)
        _ = try ear.waitToHear(tone, at: 0.5)
        try service.run("sleep", "5s")
        try service.wait(until: "Paused")
        let place = Double(try #require(try service.get("Position")?.integer)) / 1e6
        #expect(ear.waitForSilence())
        try service.playerctl("play")
        _ = try ear.waitToHear(tone, at: place + 0.5)
    }
}
