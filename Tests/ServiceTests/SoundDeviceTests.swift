import Testing
import TestSupport

/// What mixers, plugs and desktops do to the device and to our stream (C214, C215, C209).
@Suite("devices and mixers", .waiting, .timeLimit(.minutes(5)))
struct SoundDeviceTests {
    private let server: NullSoundServer
    private let fixtures: Fixtures
    private let tone = MeasuringTone(band: 0, seconds: 60)

    init() throws {
        server = try NullSoundServer()
        fixtures = try Fixtures()
    }

    /// Adds a sink and makes it the default; returns the number of its module.
    private func addHeadset() throws -> String {
        let module = try server.pactl("load-module", "module-null-sink", "sink_name=headset")
        try server.pactl("set-default-sink", "headset")
        return String(module.prefix { $0.isNumber })
    }

    private func start(_ settings: String = "") throws -> RunningService {
        try RunningService([try fixtures.makeTone(tone)], settings: "[audio]\n\(settings)\n", sound: server)
    }

    @Test("the device goes while another is there: Paused and why, and no sound on the other until asked")
    func deviceGone() throws {
        let headset = try addHeadset()
        // Only now, because ears follow the default device.
        let room = try Ear(on: server)
        let ear = try Ear(on: server, source: "headset.monitor")
        let service = try start()
        try service.playerctl("play")
        _ = try ear.waitToHear(tone, at: 1)
        try server.pactl("unload-module", headset)
        try service.ask(until: "Paused")
        #expect(try service.problem()?.contains("device") == true)
        #expect(room.waitForSilence(lasting: .seconds(1)))
        // A blink of it at most, between the server's move and our answer.
        #expect(soundingSeconds(room.heard) < 0.2)
        #expect(try service.playerctl("status") == "Paused")
        try service.playerctl("play")
        _ = try room.waitToHear(tone, at: 2)
        #expect(try service.problem() == nil)
    }

    @Test("the device goes and the user wants the music to go on: it does, on the other")
    func deviceGoneOn() throws {
        let headset = try addHeadset()
        let room = try Ear(on: server)
        let ear = try Ear(on: server, source: "headset.monitor")
        let service = try start("pause-on-device-loss = no")
        try service.playerctl("play")
        _ = try ear.waitToHear(tone, at: 1)
        try server.pactl("unload-module", headset)
        _ = try room.waitToHear(tone, at: 1)
        try service.ask(for: .seconds(1))
        #expect(try service.playerctl("status") == "Playing")
        #expect(try service.compare(with: room, hearing: tone).apart < 0.3)
    }

    @Test("the last device goes: Paused; there is one again: Play plays")
    func noDevice() throws {
        let ear = try Ear(on: server)
        let service = try start()
        try service.playerctl("play")
        _ = try ear.waitToHear(tone, at: 1)
        try server.pactl("unload-module", "module-null-sink")
        try service.ask(until: "Paused")
        let place = try service.place()
        try server.pactl("load-module", "module-null-sink", "sink_name=null")
        try server.pactl("set-default-sink", "null")
        let other = try Ear(on: server)
        #expect(other.waitForSilence())
        try service.playerctl("play")
        _ = try other.waitToHear(tone, at: place - 0.2)
    }

    @Test("another default, or a move by a mixer: it plays on there")
    func moves() throws {
        let ear = try Ear(on: server)
        let service = try start()
        try service.playerctl("play")
        _ = try ear.waitToHear(tone, at: 1)
        _ = try addHeadset()
        let headset = try Ear(on: server, source: "headset.monitor")
        // Anew, because ears follow the default device.
        let room = try Ear(on: server)
        try service.ask(for: .milliseconds(500))
        #expect(try service.playerctl("status") == "Playing")
        #expect(try move(to: "null", heardBy: room))
        #expect(try move(to: "headset", heardBy: headset))
        try service.ask(for: .seconds(1))
        #expect(try service.playerctl("status") == "Playing")
        #expect(try service.compare(with: headset, hearing: tone).apart < 0.3)
    }

    /// Moves the stream, again and again because PipeWire may still be about to move it to its new default.
    private func move(to sink: String, heardBy ear: Ear) throws -> Bool {
        for _ in 0..<5 {
            for stream in try server.streams() { try server.pactl("move-sink-input", stream, sink) }
            if ear.waitUntil(within: .seconds(2), { tone.latestSecond(in: $0) != nil }) { return true }
        }
        return false
    }

    @Test("a mixer ends the stream: Paused and why; Play plays from there")
    func killed() throws {
        let ear = try Ear(on: server)
        let service = try start()
        try service.playerctl("play")
        _ = try ear.waitToHear(tone, at: 1)
        try server.killStreams()
        try service.ask(until: "Paused")
        #expect(try service.problem()?.contains("ended the stream") == true)
        let place = try service.place()
        #expect(ear.waitForSilence(lasting: .seconds(1)))
        #expect(try service.playerctl("status") == "Paused")
        try service.playerctl("play")
        _ = try ear.waitToHear(tone, at: place - 0.2)
        #expect(try service.problem() == nil)
    }

    @Test("a mixer mutes the stream: that is nothing to us, and unmuted it is heard where it has come to")
    func muted() throws {
        let ear = try Ear(on: server)
        let service = try start()
        try service.playerctl("volume", "0.8")
        try service.playerctl("play")
        _ = try ear.waitToHear(tone, at: 1)
        for stream in try server.streams() { try server.pactl("set-sink-input-mute", stream, "1") }
        #expect(ear.waitForSilence())
        try service.ask(for: .seconds(1))
        #expect(try service.playerctl("status") == "Playing")
        #expect(try service.get("Volume") == .number(0.8))
        for stream in try server.streams() { try server.pactl("set-sink-input-mute", stream, "0") }
        _ = try ear.waitToHear(tone, at: 2)
        #expect(try service.compare(with: ear, hearing: tone).apart < 0.3)
    }

    @Test(
        "somebody puts the device to sleep: Paused and why; awake in a moment, it goes on by itself",
        .enabled(
            if: NullSoundServer.Kind.wanted == .pulseAudio,
            "PipeWire does not let a device sleep that plays"
        )
    )
    func suspended() throws {
        let ear = try Ear(on: server)
        let service = try start()
        try service.playerctl("play")
        _ = try ear.waitToHear(tone, at: 1)
        try server.pactl("suspend-sink", "null", "1")
        try service.ask(until: "Paused")
        #expect(try service.problem()?.contains("suspended") == true)
        let place = try service.place()
        try server.pactl("suspend-sink", "null", "0")
        try service.ask(until: "Playing")
        let awake = try Ear(on: server)
        _ = try awake.waitToHear(tone, at: place)

        try server.pactl("suspend-sink", "null", "1")
        try service.ask(until: "Paused")
        try service.ask(for: .seconds(6))
        // In vain.
        try service.playerctl("play")
        try service.ask(until: "Paused")
        try service.playerctl("pause")
        try server.pactl("suspend-sink", "null", "0")
        try service.ask(for: .seconds(1))
        try service.playerctl("play")
        let later = try Ear(on: server)
        _ = try later.waitToHear(tone, at: place)
    }

    @Test("the device that the user has chosen is played on, and no other")
    func chosen() throws {
        let service = try start("output-device = headset")
        let room = try Ear(on: server)
        try service.playerctl("play")
        try service.ask(until: "Paused")
        #expect(try service.problem()?.contains("“headset” is not there") == true)
        let headset = try addHeadset()
        try server.pactl("set-default-sink", "null")
        let ear = try Ear(on: server, source: "headset.monitor")
        try service.playerctl("play")
        _ = try ear.waitToHear(tone, at: 0.2)
        #expect(try service.problem() == nil)
        try server.pactl("unload-module", headset)
        try service.ask(until: "Paused")
        try service.playerctl("play")
        try service.ask(until: "Paused")
        #expect(room.waitForSilence(lasting: .seconds(1)))
        #expect(soundingSeconds(room.heard) < 0.2)
    }

    /// How long there was any sound.
    private func soundingSeconds(_ recording: Recording) -> Double {
        let sounding = recording.channel(0, 0..<recording.frames).count { abs($0) > 0.01 }
        return Double(sounding) / Double(recording.rate)
    }
}
