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
        #expect(run { tone.framesLeft == 0 })
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
