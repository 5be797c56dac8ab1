import Foundation
import Music
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
        try service.run("sleep", "6s")
        let microseconds = try #require(try service.get("SleepAt", of: Bus.control)?.integer)
        let end = Instant(nanoseconds: microseconds * 1000)
        try service.wait(until: "Paused")
        #expect(ear.waitForSilence())
        let heard = ear.heard
        func level(_ seconds: Double) -> Double {
            let frame = heard.frame(at: end.advanced(by: .seconds(-seconds)))
            return loudness(heard.channel(0, frame..<frame + heard.rate / 20))
        }
        let full = level(6.5)
        #expect(full > 0.1)
        for (left, share) in [(4.0, 0.44), (3, 0.25), (2, 0.11)] {
            #expect(abs(level(left) / full - share) < 0.1, "\(left) s before the end: \(level(left) / full)")
        }
        #expect(level(0.3) < full / 50)

        let mark = heard.frames
        try service.playerctl("play")
        let again = ear.wait(within: .seconds(60)) { recording -> Double? in
            let new = recording.channel(0, mark..<recording.frames)
            guard let first = new.firstIndex(where: { abs($0) > 0.01 }) else { return nil }
            let window = new.dropFirst(first + recording.rate / 50).prefix(recording.rate / 10)
            return window.count == recording.rate / 10 ? loudness(window) : nil
        }
        #expect(try #require(again) > full * 0.9)
    }
}
