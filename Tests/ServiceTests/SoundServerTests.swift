import Testing
import TestSupport

/// A sound server that is away, goes, hangs or comes back stops the music for as long, and nothing else (C206, C210).
@Suite("without a sound server", .waiting, .timeLimit(.minutes(5)))
struct SoundServerTests {
    private let server: NullSoundServer
    private let fixtures: Fixtures
    private let tone = MeasuringTone(band: 0, seconds: 60)
    private let next = MeasuringTone(band: 1, seconds: 60)

    init() throws {
        server = try NullSoundServer()
        fixtures = try Fixtures()
    }

    /// Starts the service with two tones.
    private func start() throws -> RunningService {
        try RunningService([try fixtures.makeTone(tone), try fixtures.makeTone(next)], sound: server)
    }

    /// Starts the service and plays until the seventh second is heard.
    private func play() throws -> RunningService {
        let service = try start()
        let ear = try Ear(on: server)
        try service.playerctl("position", "5")
        try service.playerctl("play")
        _ = try ear.waitToHear(tone, at: 6)
        return service
    }

    /// Starts the server again; whether that was so soon after `end` that what played goes on by itself.
    private func restart(after end: ContinuousClock.Instant) throws -> Bool {
        try server.restart()
        return ContinuousClock.now - end < .seconds(4)
    }

    @Test("there is none: Paused and why; there is one again: it plays")
    func absent() throws {
        server.kill()
        let service = try start()
        try service.playerctl("play")
        try service.ask(until: "Paused")
        try service.wait(for: "the problem") { try service.problem() != nil }
        #expect(try service.problem()?.contains("sound server") == true)
        #expect(try service.tianlai("status").outputText.contains("sound server"))
        try server.restart()
        let ear = try Ear(on: server)
        #expect(ear.waitForSilence(lasting: .seconds(1)))
        try service.playerctl("play")
        _ = try ear.waitToHear(tone, at: 0.2)
        #expect(try service.playerctl("status") == "Playing")
        #expect(try service.problem() == nil)
    }

    @Test("it dies and is back in a moment: Paused at the place reached, and on from there by itself")
    func back() throws {
        let service = try start()
        let first = try Ear(on: server)
        try service.playerctl("position", "5")
        try service.playerctl("play")
        _ = try first.waitToHear(tone, at: 6)
        let end = ContinuousClock.now
        server.kill()
        try service.ask(until: "Paused")
        let last = try #require(tone.latestSecond(in: first.heard))
        let place = try service.place()
        #expect(abs(place - last) < 0.2)
        if try !restart(after: end) { try service.playerctl("play") }
        try service.ask(until: "Playing")
        let second = try Ear(on: server)
        let resumed = try second.waitToHear(tone, at: place - 0.2)
        let told = try service.compare(with: second, hearing: tone)
        #expect(resumed < place + 3 && told.apart < 0.3)
        #expect(try service.problem() == nil)
    }

    @Test(
        "it is told to end and is back in a moment: the same",
        .enabled(if: NullSoundServer.Kind.wanted == .pulseAudio)
    )
    func exit() throws {
        let service = try play()
        let end = ContinuousClock.now
        try server.exit()
        try service.ask(until: "Paused")
        let place = try service.place()
        if try !restart(after: end) { try service.playerctl("play") }
        try service.ask(until: "Playing")
        let ear = try Ear(on: server)
        _ = try ear.waitToHear(tone, at: place - 0.2)
    }

    @Test("whoever pauses meanwhile has paused; whoever goes on to the next hears that")
    func meanwhile() throws {
        let service = try play()
        server.kill()
        try service.ask(until: "Paused")
        try service.playerctl("pause")
        try server.restart()
        let ear = try Ear(on: server)
        #expect(ear.waitForSilence(lasting: .seconds(1)))
        #expect(try service.playerctl("status") == "Paused")
        try service.playerctl("play")
        _ = try ear.waitToHear(tone, at: 6)

        let end = ContinuousClock.now
        server.kill()
        try service.ask(until: "Paused")
        try service.playerctl("next")
        if try !restart(after: end) { try service.playerctl("play") }
        let other = try Ear(on: server)
        _ = try other.waitToHear(next)
    }

    @Test("it comes back late: Paused until asked")
    func late() throws {
        let service = try play()
        server.kill()
        try service.ask(until: "Paused")
        let place = try service.place()
        try service.ask(for: .seconds(6))
        try server.restart()
        let ear = try Ear(on: server)
        #expect(ear.waitForSilence(lasting: .seconds(1)))
        #expect(try service.place() == place)
        try service.playerctl("play")
        #expect(try ear.waitToHear(tone, at: place - 0.2) < place + 3)
    }

    @Test("it was another one while there was silence: Play plays", arguments: ["stop", "pause"])
    func whileIdle(rest: String) throws {
        let service = try play()
        try service.playerctl(rest)
        let place = try service.place()
        server.kill()
        try service.ask(for: .milliseconds(300))
        try server.restart()
        let ear = try Ear(on: server)
        #expect(ear.waitForSilence())
        try service.playerctl("play")
        _ = try ear.waitToHear(tone, at: max(0, place - 0.2))
        #expect(try service.place() >= place)
    }

    @Test("it hangs: Paused after a moment, and why; it goes on in a moment: so does the sound")
    func hangs() throws {
        let service = try start()
        let ear = try Ear(on: server)
        try service.playerctl("play")
        let heard = try ear.waitToHear(tone, at: 2)
        server.freeze()
        try service.ask(until: "Paused")
        #expect(try service.problem()?.contains("does not answer") == true)
        let place = try service.place()
        #expect(place > heard - 1.2 && place < heard + 1)
        server.thaw()
        try service.ask(until: "Playing")
        _ = try ear.waitToHear(tone, at: place)
    }

    @Test(
        "it hangs for long: nothing plays until asked, then from where the sound had ended; all commands are obeyed"
    )
    func hangsForLong() throws {
        let service = try start()
        let ear = try Ear(on: server)
        try service.playerctl("play")
        _ = try ear.waitToHear(tone, at: 2)
        server.freeze()
        try service.ask(until: "Paused")
        try service.ask(for: .seconds(6))
        // In vain, but it is answered and says so.
        try service.playerctl("play")
        try service.ask(until: "Paused")
        try service.playerctl("next")
        try service.ask(for: .seconds(5.5))
        server.thaw()
        let after = try Ear(on: server)
        #expect(after.waitForSilence(lasting: .seconds(1)))
        try service.playerctl("play")
        _ = try after.waitToHear(next)
        #expect(try service.playerctl("status") == "Playing")
    }
}
