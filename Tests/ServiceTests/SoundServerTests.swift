import Foundation
import Testing
import TestSupport

/// A sound server that is away or goes away stops the music and nothing else.
@Suite("without a sound server", .waiting, .timeLimit(.minutes(5)))
struct SoundServerTests {
    private let server: NullSoundServer
    private let fixtures: Fixtures
    private let tone = MeasuringTone(band: 0, seconds: 20)

    init() throws {
        server = try NullSoundServer()
        fixtures = try Fixtures()
    }

    /// Starts the service with one tone.
    private func start() throws -> RunningService {
        try RunningService([try fixtures.makeTone(tone)], sound: server)
    }

    /// Why there is no sound, as `tianlai status` says.
    private func problem(of service: RunningService) throws -> String? {
        let report = try service.tianlai("status", "--json")
        let object = try JSONSerialization.jsonObject(with: Data(report.output)) as? [String: Any]
        return object?["problem"] as? String
    }

    @Test("there is none: Paused and why; there is one again: it plays")
    func absent() throws {
        server.kill()
        let service = try start()
        try service.playerctl("play")
        try service.wait(until: "Paused")
        try service.wait(for: "the problem") { try problem(of: service) != nil }
        #expect(try problem(of: service)?.contains("sound server") == true)
        #expect(try service.tianlai("status").outputText.contains("sound server"))
        try server.restart()
        let ear = try Ear(on: server)
        try service.playerctl("play")
        _ = try ear.waitToHear(tone, at: 0.2)
        #expect(try service.playerctl("status") == "Playing")
        #expect(try problem(of: service) == nil)
    }

    @Test("it goes while playing: Paused at the place reached, and from there on when it is back")
    func gone() throws {
        let service = try start()
        let first = try Ear(on: server)
        try service.playerctl("position", "5")
        try service.playerctl("play")
        _ = try first.waitToHear(tone, at: 6)
        server.kill()
        try service.wait(until: "Paused")
        let last = try #require(tone.latestSecond(in: first.heard))
        let place = try #require(try service.get("Position")?.integer)
        #expect(abs(Double(place) / 1e6 - last) < 0.2)
        try server.restart()
        let second = try Ear(on: server)
        #expect(second.waitForSilence())
        #expect(try service.get("Position") == .integer(place))
        try service.playerctl("play")
        let resumed = try second.waitToHear(tone, at: 4)
        #expect(abs(resumed - Double(place) / 1e6) < 0.2)
    }

    @Test("its device goes while another is there: Paused and why, and no sound on the other until asked")
    func deviceGone() throws {
        let headset = try server.pactl("load-module", "module-null-sink", "sink_name=headset")
        try server.pactl("set-default-sink", "headset")
        // Only now, because ears follow the default device.
        let room = try Ear(on: server)
        let ear = try Ear(on: server, source: "headset.monitor")
        let service = try start()
        try service.playerctl("play")
        _ = try ear.waitToHear(tone, at: 1)
        try server.pactl("unload-module", String(headset.prefix { $0.isNumber }))
        try service.wait(until: "Paused")
        #expect(try problem(of: service)?.contains("device") == true)
        #expect(room.waitForSilence())
        // A blink of it at most, between the server's move and our answer.
        #expect(soundingSeconds(room.heard) < 0.2)
        try service.playerctl("play")
        _ = try room.waitToHear(tone, at: 2)
        #expect(try problem(of: service) == nil)
    }

    /// How long there was any sound.
    private func soundingSeconds(_ recording: Recording) -> Double {
        let sounding = recording.channel(0, 0..<recording.frames).count { abs($0) > 0.01 }
        return Double(sounding) / Double(recording.rate)
    }
}
