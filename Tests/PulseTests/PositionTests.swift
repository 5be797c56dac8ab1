import Audio
import EventLoop
import Foundation
import Music
import Pulse
import TestSupport
import Testing

/// Where the output says that it is, against where the ear hears it.
@Suite(.waiting, .timeLimit(.minutes(5)))
struct PositionTests {
    /// A tone that rises evenly by 100 Hz a second, from wherever it is set to.
    private final class Sweep: OutputSource {
        static let rate: Int32 = 44_100
        var frame: Int64 = 0
        private var phase = 0.0
        private var start: Int64 = 0
        private var anchor: (frame: Int64, instant: Instant, isAdvancing: Bool)?
        private(set) var isAdvancing = false

        func jump(to second: Double) {
            frame = Int64(second * Double(Self.rate))
            anchor = nil
        }

        func fill(_ samples: UnsafeMutableBufferPointer<Float>) -> Int {
            for index in 0..<samples.count / 2 {
                phase += 2 * .pi * (500 + 100 * Double(frame) / Double(Self.rate)) / Double(Self.rate)
                samples[index * 2] = Float(sin(phase) / 2)
                samples[index * 2 + 1] = samples[index * 2]
                frame += 1
            }
            return samples.count / 2 * 2
        }

        func outputTimed(unheard: Int64, at instant: Instant, isAdvancing: Bool) {
            anchor = (frame - unheard, instant, isAdvancing)
            self.isAdvancing = isAdvancing
        }

        /// The second that is heard at `instant`, as a player would work it out.
        func second(at instant: Instant) -> Double? {
            guard let anchor else { return nil }
            let elapsed = anchor.isAdvancing ? Double(instant.since(anchor.instant).microseconds) / 1e6 : 0
            return Double(anchor.frame) / Double(Self.rate) + elapsed
        }

        func outputDrained() {}
        func outputVolumeChanged(_ volume: Double) {}
        func outputLost(_ loss: OutputLoss) {}
        func outputReturned() {}
    }

    /// How far the output was from the ear, in seconds; positive when it says more than is heard.
    private struct Errors: CustomStringConvertible {
        var all: [Double] = []
        var description: String {
            guard let least = all.min(), let most = all.max() else { return "nothing heard" }
            func ms(_ seconds: Double) -> String { String(format: "%.1f ms", seconds * 1000) }
            return
                "\(ms(least)) to \(ms(most)), middle \(ms(all.sorted()[all.count / 2])), \(all.count) times"
        }
    }

    @Test("what the output says is what is heard: from the start, after a pause and after a jump")
    func agreement() throws {
        let server = try NullSoundServer()
        let ear = try Ear(on: server)
        let loop = try EventLoop()
        let output = PulseOutput(loop: loop, server: server.address)
        let sweep = Sweep()
        output.source = sweep
        let tick = loop.timer {}

        func run(for seconds: Double) -> Errors {
            var errors = Errors()
            let end = Instant.now().advanced(by: .seconds(seconds))
            while Instant.now() < end {
                tick.start(after: .seconds(0.01))
                loop.turn()
                let heard: (second: Double, at: Instant)? = ear.wait(within: .zero) { recording in
                    guard let frequency = recording.latestFrequency else { return nil }
                    guard let arrival = recording.arrival(of: recording.frames - 1) else { return nil }
                    // The frequency is that of the middle of the last 50 ms.
                    return ((frequency - 500) / 100, arrival.advanced(by: .seconds(-0.025)))
                }
                guard let heard, let said = sweep.second(at: heard.at), sweep.isAdvancing else { continue }
                errors.all.append(said - heard.second)
            }
            return errors
        }
        func settle() { _ = run(for: 0.3) }

        output.open(StreamFormat(rate: Sweep.rate, channels: 2), paused: false)
        settle()
        let playing = run(for: 3)
        output.setPaused(true)
        settle()
        output.setPaused(false)
        settle()
        let resumed = run(for: 2)
        sweep.jump(to: 20)
        output.cut()
        settle()
        let jumped = run(for: 2)
        print("position error playing: \(playing); resumed: \(resumed); jumped: \(jumped)")
        for errors in [playing, resumed, jumped] {
            #expect(errors.all.count > 20)
            // A loaded machine lets the ear hear some of it late.
            let close = errors.all.count { abs($0) < 0.1 }
            #expect(close * 10 > errors.all.count * 9, "\(errors)")
        }
    }
}
