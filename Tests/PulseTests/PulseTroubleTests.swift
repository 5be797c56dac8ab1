import Audio
import EventLoop
import Foundation
import Music
import Pulse
import TestSupport
import Testing

/// What the sound server and its devices can do to a stream.
extension PulseOutputTests {
    @Test("the stream can be moved to another sink, but does not go there when its own sink goes")
    func moves() throws {
        let other = try server.pactl("load-module", "module-null-sink", "sink_name=other")
        let elsewhere = try Ear(on: server, source: "other.monitor")
        let tone = Tone(seconds: 60)
        play(tone)
        #expect(run { isHearing(400) })
        let index = String(try server.pactl("list", "short", "sink-inputs").prefix { $0.isNumber })
        #expect(
            run {
                _ = try? server.pactl("move-sink-input", index, "other")
                return elsewhere.heard.latestFrequency != nil && isSilent
            }
        )
        #expect(tone.failures.isEmpty)
        let timings = tone.timings.count
        #expect(run { tone.timings.count > timings && tone.timings.last?.isAdvancing == true })

        try server.pactl("unload-module", String(other.prefix { $0.isNumber }))
        #expect(run { tone.failures.count == 1 })
        #expect(tone.failures.first?.contains("device has gone") == true)
        #expect(run { (try? server.pactl("list", "short", "sink-inputs"))?.isEmpty == true })
        #expect(run { isSilent })

        output.open(format, paused: false)
        #expect(run { ear.heard.latestFrequency != nil })
        #expect(tone.failures.count == 1)
    }

    @Test(
        "a server that dies or is not there is told once; sound comes back when it is asked for"
    )
    func loss() throws {
        let tone = Tone(seconds: 60)
        play(tone)
        #expect(run { isHearing(400) })
        server.kill()
        #expect(run { tone.failures.count == 1 })
        output.open(format, paused: false)
        #expect(run { tone.failures.count == 2 })
        try server.restart()
        let timings = tone.timings.count
        output.open(format, paused: false)
        #expect(run { tone.timings.count > timings && tone.timings.last?.isAdvancing == true })
        #expect(tone.failures.count == 2)
    }

    @Test(
        "a server that is back in a moment with the same sink is told of once, also after an attempt in vain"
    )
    func comesBack() throws {
        let tone = Tone(seconds: 60)
        play(tone)
        #expect(run { isHearing(400) })
        server.kill()
        #expect(run { tone.failures.count == 1 })
        output.open(format, paused: false)
        #expect(run { tone.failures.count == 2 })
        let isInTime = try restart()
        #expect(run { tone.returns == 1 } == isInTime)
        // Nobody wants the sound on another device that is the default by now.
        _ = try server.pactl("load-module", "module-null-sink", "sink_name=other")
        try server.pactl("set-default-sink", "other")
        output.open(format, paused: false)
        if isInTime {
            #expect(run { tone.failures.count == 3 })
            #expect(tone.failures.last?.contains("another") == true)
            output.open(format, paused: false)
        }
        #expect(run { tone.timings.last?.isAdvancing == true })
        #expect(tone.returns == (isInTime ? 1 : 0))
    }

    @Test("a server that comes back without the sink, or when nobody wanted sound, is not told of")
    func comesBackOtherwise() throws {
        let tone = Tone(seconds: 60)
        _ = try server.pactl("load-module", "module-null-sink", "sink_name=other")
        try server.pactl("set-default-sink", "other")
        play(tone)
        #expect(run { tone.timings.last?.isAdvancing == true })
        server.kill()
        #expect(run { tone.failures.count == 1 })
        _ = try restart()
        var isOver = false
        let end = loop.timer { isOver = true }
        end.start(after: .seconds(5.5))
        #expect(run { isOver })
        #expect(tone.returns == 0)

        output.open(format, paused: true)
        #expect(run { (try? server.streams())?.count == 1 })
        server.kill()
        #expect(run { tone.failures.count == 2 })
        _ = try restart()
        isOver = false
        end.start(after: .seconds(1))
        #expect(run { isOver })
        #expect(tone.returns == 0)
        withExtendedLifetime(end) {}
    }

    /// Starts the server again; whether that took less time than a return is looked out for.
    private func restart() throws -> Bool {
        let end = Instant.now()
        try server.restart()
        return Instant.now().since(end) < .seconds(4)
    }

    @Test("a server that hangs counts as gone after a few seconds, at what it had told last")
    func hangsForLong() throws {
        let tone = Tone(seconds: 60)
        play(tone)
        #expect(run { isHearing(400) })
        server.freeze()
        let frozen = Instant.now()
        #expect(run { tone.failures.count == 1 })
        #expect(frozen.advanced(by: .seconds(2)) < .now())
        #expect(tone.failures.last?.contains("does not answer") == true)
        let last = try #require(tone.losses.last?.heardUntil)
        #expect(last < frozen.advanced(by: .seconds(0.1)) && frozen.since(last) < .seconds(1.5))
        server.thaw()
        #expect(run { tone.returns == 1 })
    }

    @Test("without any device the loss is told once, and nothing is heard of the stream again")
    func noDevice() throws {
        let tone = Tone(seconds: 60)
        play(tone)
        #expect(run { isHearing(400) })
        try server.pactl("unload-module", "module-null-sink")
        #expect(run { tone.failures.count == 1 })
        output.setPaused(true)
        output.cut()
        output.drain()
        output.close()
        #expect(tone.drained == 0)
        #expect(tone.failures.count == 1)
    }

    @Test("a server that hangs and goes on again plays on where it was, with nothing twice")
    func hang() throws {
        let tone = Tone(seconds: 4)
        play(tone)
        #expect(run { isHearing(400) })
        let asked = Instant.now()
        server.freeze()
        output.volume = 0.9
        #expect(Instant.now().since(asked) < .seconds(0.2), "no call waits for the server")
        // Longer than the server has sound for.
        let frozenUntil = Instant.now().advanced(by: .seconds(2.5))
        #expect(run { Instant.now() > frozenUntil })
        server.thaw()
        #expect(run { tone.framesLeft == 0 || tone.returns == 1 })
        // PipeWire 0.3.65 leaves a stream standing at times: that counts as a server that hangs, and is over at once.
        if server.kind == .pipeWire, tone.returns == 1 { return }
        output.drain()
        #expect(run { tone.drained == 1 && isSilent })
        #expect(tone.failures.isEmpty)
        // The tones rise: none that is over comes again.
        let recording = ear.heard
        let step = recording.rate / 20
        let heard = stride(from: 0, to: recording.frames - step, by: step).compactMap { frame in
            pureFrequency(recording.channel(0, frame..<frame + step), rate: recording.rate)
        }
        for (before, after) in zip(heard, heard.dropFirst()) { #expect(after > before - 20) }
        // PipeWire's monitor may have lost some of what was played meanwhile.
        if server.kind == .pulseAudio { #expect(heard.contains { abs($0 - 700) < 20 }) }
    }

    @Test(
        "a server that hangs is not waited for, whatever is asked of it, and there is sound again when it goes on"
    )
    func callsOfAHangingServer() {
        let tone = Tone(seconds: 600)
        play(tone)
        #expect(run { isHearing(400) })
        let asked = Instant.now()
        server.freeze()
        output.setPaused(true)
        output.setPaused(false)
        output.cut()
        _ = output.takeBack(10_000)
        output.setPaused(true)
        #expect(Instant.now().since(asked) < .seconds(0.2))
        let frozenUntil = Instant.now().advanced(by: .seconds(0.5))
        #expect(run { Instant.now() > frozenUntil })
        server.thaw()
        output.setPaused(false)
        let timings = tone.timings.count
        #expect(
            run { tone.timings[timings...].contains { $0.isAdvancing } && ear.heard.latestFrequency != nil }
        )
        #expect(tone.failures.isEmpty)
    }

    @Test("after a pause in which the device went to sleep there is sound at once")
    func sleepingDevice() throws {
        let tone = Tone(seconds: 60)
        play(tone)
        #expect(run { isHearing(400) })
        output.setPaused(true)
        #expect(run { isSilent })
        try server.pactl("suspend-sink", "null", "1")
        try server.pactl("suspend-sink", "null", "0")
        // An ear that lay through the sleep may hear late.
        let awake = try Ear(on: server)
        let asked = Instant.now()
        output.setPaused(false)
        #expect(run { awake.heard.latestFrequency != nil })
        #expect(Instant.now().since(asked) < .seconds(1))
    }

    @Test("however often it is paused, resumed and moved, there is sound each time")
    func manyTimes() {
        let tone = Tone(seconds: 600)
        play(tone)
        for round in 0..<20 {
            #expect(run { ear.heard.latestFrequency != nil }, "round \(round)")
            output.setPaused(true)
            if round % 3 == 0 { output.cut() }
            #expect(run { isSilent })
            if round % 3 == 1 { output.cut() }
            output.setPaused(false)
            if round % 3 == 2 { output.cut() }
        }
        #expect(run { ear.heard.latestFrequency != nil })
        #expect(tone.failures.isEmpty)
    }
}
