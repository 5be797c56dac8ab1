import Audio
import EventLoop
import Foundation
import Music
import Pulse
import TestSupport
import Testing

/// The output on a real PulseAudio with a null sink, heard on the sink's monitor.
@Suite(.waiting, .timeLimit(.minutes(5)))
struct PulseOutputTests {
    /// A tone that rises by 100 Hz each second, as long as is asked for, and a note of all that the output tells.
    final class Tone: OutputSource {
        static let rate: Int32 = 44_100
        var framesLeft: Int
        var given = 0
        var timings: [(heard: Int64, instant: Instant, isAdvancing: Bool)] = []
        var drained = 0
        var volumes: [Double] = []
        var losses: [OutputLoss] = []
        var failures: [String] { losses.map(\.reason) }
        var returns = 0
        private var phase = 0.0
        private var givenSinceFlush: Int64 = 0

        init(seconds: Double) {
            framesLeft = Int(seconds * Double(Self.rate))
        }

        func forgetFlushed() { givenSinceFlush = 0 }

        func fill(_ samples: UnsafeMutableBufferPointer<Float>) -> Int {
            let frames = min(samples.count / 2, framesLeft)
            for frame in 0..<frames {
                let frequency = 400 + 100 * Double((given + frame) / Int(Self.rate))
                phase += 2 * .pi * frequency / Double(Self.rate)
                samples[frame * 2] = Float(sin(phase) / 2)
                samples[frame * 2 + 1] = samples[frame * 2]
            }
            framesLeft -= frames
            given += frames
            givenSinceFlush += Int64(frames)
            return frames * 2
        }

        func outputTimed(unheard: Int64, at instant: Instant, isAdvancing: Bool) {
            timings.append((givenSinceFlush - unheard, instant, isAdvancing))
        }

        func outputDrained() { drained += 1 }
        func outputVolumeChanged(_ volume: Double) { volumes.append(volume) }
        func outputLost(_ loss: OutputLoss) { losses.append(loss) }
        func outputReturned() { returns += 1 }
    }

    let server: NullSoundServer
    let ear: Ear
    let loop: EventLoop
    let output: PulseOutput
    let format = StreamFormat(rate: Tone.rate, channels: 2)

    init() throws {
        server = try NullSoundServer()
        ear = try Ear(on: server)
        loop = try EventLoop()
        output = PulseOutput(loop: loop, server: server.address)
    }

    /// Runs the loop until `condition` holds, also of what other processes do; `false` when it never does.
    func run(until condition: () -> Bool) -> Bool {
        let deadline = Instant.now().advanced(by: .seconds(60))
        let look = loop.timer {}
        while !condition(), Instant.now() < deadline {
            look.start(after: .seconds(0.01))
            loop.turn()
        }
        return condition()
    }

    func play(_ tone: Tone, paused: Bool = false) {
        output.source = tone
        output.open(format, paused: paused)
    }

    func isHearing(_ frequency: Double) -> Bool {
        ear.heard.latestFrequency.map { abs($0 - frequency) < 20 } == true
    }

    var isSilent: Bool { ear.heard.isSilent(forLast: .milliseconds(100)) }

    /// The frames of the recording that are not silence.
    var soundingFrames: Range<Int>? {
        let recording = ear.heard
        let samples = recording.channel(0, 0..<recording.frames)
        guard let first = samples.firstIndex(where: { abs($0) > 0.01 }) else { return nil }
        guard let last = samples.lastIndex(where: { abs($0) > 0.01 }) else { return nil }
        return first..<last + 1
    }

    @Test("the timing tells which frame is heard")
    func timing() throws {
        let tone = Tone(seconds: 4)
        play(tone)
        #expect(run { isHearing(500) })
        let heardAt = Instant.now()
        let timing = try #require(tone.timings.last { $0.isAdvancing })
        let heard = timing.heard + heardAt.since(timing.instant).frames(rate: Tone.rate)
        // The second tone begins after one second, and is known for certain when 50 ms of it have been heard.
        #expect(abs(Double(heard) / Double(Tone.rate) - 1.05) < 0.1)
        #expect(tone.given <= 4 * Int(Tone.rate))
    }

    @Test("a pause is silent at once, whatever is buffered, and play goes on where it was")
    func pause() throws {
        let tone = Tone(seconds: 1)
        play(tone)
        #expect(run { isHearing(400) })
        output.setPaused(true)
        #expect(run { isSilent })
        #expect(run { tone.timings.last?.isAdvancing == false })
        let pausedAt = try #require(tone.timings.last).heard
        #expect(pausedAt < Int64(Tone.rate))
        output.setPaused(false)
        #expect(run { isHearing(400) })
        output.drain()
        #expect(run { tone.drained == 1 && isSilent })
        // Nothing was left out and nothing was heard twice.
        let recording = ear.heard
        let sounding = recording.channel(0, 0..<recording.frames).count { abs($0) > 0.01 }
        #expect(abs(sounding - Int(Tone.rate)) < Int(Tone.rate) / 20)
    }

    @Test("while paused nothing happens at all")
    func rest() {
        let tone = Tone(seconds: 10)
        play(tone)
        #expect(run { isHearing(400) })
        output.setPaused(true)
        #expect(run { isSilent && tone.timings.last?.isAdvancing == false })
        var turns = 0
        var isOver = false
        let end = loop.timer { isOver = true }
        end.start(after: .seconds(2))
        while !isOver {
            loop.turn()
            turns += 1
        }
        #expect(turns <= 2, "the timer of this test, and at most one late answer")
    }

    @Test(
        "while it plays the process is woken a few times a second, whatever the server has to say meanwhile",
        .enabled(
            if: NullSoundServer.Kind.wanted == .pulseAudio,
            "a PipeWire asks for sound in smaller pieces"
        )
    )
    func steadyPlaying() {
        let tone = Tone(seconds: 60)
        play(tone)
        #expect(run { (tone.timings.last?.heard ?? 0) > Int64(Tone.rate) })
        var (turns, isOver) = (0, false)
        let end = loop.timer { isOver = true }
        end.start(after: .seconds(4))
        while !isOver {
            loop.turn()
            turns += 1
        }
        // A request, an answer and a timer each second; the server uses up five blocks a second besides.
        #expect(turns <= 18, "\(turns) in four seconds")
        #expect(run { (tone.timings.last?.heard ?? 0) > 6 * Int64(Tone.rate) })
    }

    @Test("what a mixer does is heard of while nothing else is")
    func mixer() throws {
        let tone = Tone(seconds: 60)
        play(tone)
        #expect(run { (tone.timings.last?.heard ?? 0) > 2 * Int64(Tone.rate) })
        let index = try server.pactl("list", "short", "sink-inputs").prefix { $0 != "\t" }
        try server.pactl("set-sink-input-volume", "\(index)", "30%")
        #expect(run { tone.volumes.last.map { abs($0 - 0.3) < 0.01 } ?? false })
        try server.pactl("unload-module", "module-null-sink")
        #expect(run { tone.failures.count == 1 })
    }

    @Test("a flush throws away what is buffered, and new sound is heard instead")
    func flush() {
        let tone = Tone(seconds: 2)
        play(tone)
        #expect(run { isHearing(400) && tone.framesLeft == 0 })
        tone.given = 10 * Int(Tone.rate)
        tone.framesLeft = Int(Tone.rate)
        tone.forgetFlushed()
        output.cut()
        #expect(run { isHearing(1400) })
        #expect(!isHearing(400))
    }

    @Test(
        "after a flush little old sound is heard, and none of the new is told before it is, also where nobody listens"
    )
    func flushOfTheDevice() throws {
        // An ear would make the sink take little at a time; without one it takes what the stream lets it.
        let quietServer = try NullSoundServer()
        let output = PulseOutput(loop: loop, server: quietServer.address)
        let tone = Tone(seconds: 120)
        output.source = tone
        output.open(format, paused: false)
        #expect(run { (tone.timings.last?.heard ?? 0) > Int64(Tone.rate) })
        for _ in 0..<5 {
            let before = tone.timings.count
            let flushed = Instant.now()
            tone.forgetFlushed()
            output.cut()
            #expect(
                run { tone.timings[before...].contains { $0.isAdvancing && $0.heard > Int64(Tone.rate) / 2 } }
            )
            for timing in tone.timings[before...] where timing.isAdvancing {
                let ahead = timing.heard - timing.instant.since(flushed).frames(rate: Tone.rate)
                #expect(ahead < Int64(Tone.rate) / 50)
                #expect(ahead > -Int64(Tone.rate) / 4)
            }
        }
    }

    @Test(
        "the end is told when the last frame has been heard, however short the sound",
        arguments: [0.02, 1.2]
    )
    func drain(seconds: Double) throws {
        let tone = Tone(seconds: seconds)
        play(tone)
        #expect(run { tone.framesLeft == 0 })
        output.drain()
        #expect(run { tone.drained == 1 })
        #expect(run { isSilent && soundingFrames != nil })
        let sounding = try #require(soundingFrames)
        #expect(abs(Double(sounding.count) / Double(Tone.rate) - seconds) < 0.01)
    }

    @Test("a drain that was undone is not told")
    func drainUndone() {
        let tone = Tone(seconds: 0.5)
        play(tone)
        #expect(run { tone.framesLeft == 0 })
        output.drain()
        tone.framesLeft = Int(Tone.rate)
        output.sourceHasSound()
        #expect(run { tone.framesLeft == 0 })
        #expect(tone.drained == 0)
        output.drain()
        #expect(run { tone.drained == 1 })
    }

    @Test("the volume is the stream's at the server, and the server's changes are told")
    func volume() throws {
        let tone = Tone(seconds: 10)
        output.volume = 0.7
        play(tone)
        #expect(run { isHearing(400) })
        #expect(run { (try? server.pactl("list", "sink-inputs").contains(" 70% ")) == true })
        // Nor was it any louder at first: the tone is of half the full height, the volume a cube.
        let recording = ear.heard
        let loudest = recording.channel(0, 0..<recording.frames).map(abs).max() ?? 1
        #expect(loudest < 0.5 * 0.35)
        output.volume = 0.5
        #expect(run { (try? server.pactl("list", "sink-inputs").contains(" 50% ")) == true })
        #expect(output.volume == 0.5)
        #expect(tone.volumes.isEmpty, "our own change is no news")
        let list = try server.pactl("list", "short", "sink-inputs")
        let index = String(list.prefix { $0.isNumber })
        // Again and again, because one that comes while ours is on its way counts for the older one.
        #expect(
            run {
                _ = try? server.pactl("set-sink-input-volume", index, "30%")
                return !tone.volumes.isEmpty
            }
        )
        #expect(abs((tone.volumes.last ?? 0) - 0.3) < 0.001)
        #expect(try server.pactl("get-sink-volume", "null").contains("100%"))
    }

    @Test("a volume that is set while the stream is being made is kept")
    func earlyVolume() throws {
        let tone = Tone(seconds: 10)
        play(tone)
        output.volume = 0.4
        // The connection is ready and the stream asked for, but not made yet.
        #expect(run { tone.given > 0 })
        output.open(format, paused: false)
        output.volume = 0.6
        #expect(run { (try? server.pactl("list", "sink-inputs").contains(" 60% ")) == true })
        #expect(output.volume == 0.6)
        #expect(tone.volumes.isEmpty, "nobody else has set it")
    }
}
