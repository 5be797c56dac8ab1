import Audio
import EventLoop
import Foundation
import Music
import Pulse
import TestSupport
import Testing

/// Nothing that the listener does ends or begins in mid-wave.
@Suite(
    .enabled(
        if: NullSoundServer.Kind.wanted == .pulseAudio,
        "a PipeWire without real-time rights leaves out some"
    ),
    .waiting,
    .timeLimit(.minutes(5))
)
struct ClickTests {
    /// A steady tone without end, that begins at its loudest each time that it is begun anew.
    private final class Hum: OutputSource {
        static let format = StreamFormat(rate: 44_100, channels: 2)
        private var frame: Int64 = 0
        private(set) var isAdvancing = false

        func beginAnew() { frame = 0 }

        func fill(_ samples: UnsafeMutableBufferPointer<Float>) -> Int {
            let whole = UnsafeMutableBufferPointer(rebasing: samples[..<(samples.count / 2 * 2)])
            for index in 0..<whole.count / 2 {
                let sample = Float(cos(2 * .pi * 400 * Double(frame + Int64(index)) / 44_100) / 2)
                whole[index * 2] = sample
                whole[index * 2 + 1] = sample
            }
            frame += Int64(whole.count / 2)
            return whole.count
        }

        func outputTimed(unheard: Int64, at instant: Instant, isAdvancing: Bool) {
            self.isAdvancing = isAdvancing
        }

        func outputDrained() {}
        func outputVolumeChanged(_ volume: Double) {}
        func outputLost(_ loss: OutputLoss) {}
        func outputReturned() {}
    }

    private let server: NullSoundServer
    private let ear: Ear
    private let loop: EventLoop
    private let output: PulseOutput
    private let hum = Hum()

    init() throws {
        server = try NullSoundServer(isRecordedWhole: true)
        ear = try Ear(on: server)
        loop = try EventLoop()
        output = PulseOutput(loop: loop, server: server.address)
        output.source = hum
    }

    private func run(until condition: () -> Bool) -> Bool {
        let deadline = Instant.now().advanced(by: .seconds(60))
        let look = loop.timer {}
        while !condition(), Instant.now() < deadline {
            look.start(after: .seconds(0.005))
            loop.turn()
        }
        return condition()
    }

    private func isSounding() -> Bool {
        hum.isAdvancing && loudness(ear.heard.latest(.milliseconds(20))) > 0.3
    }

    private func isSilent() -> Bool { ear.heard.isSilent(forLast: .milliseconds(60)) }

    /// Places in the recording where it bends as no wave of the tone does, each counted once.
    private func clicks() -> Int {
        let recording = ear.heard
        let samples = recording.channel(0, 0..<recording.frames)
        var (count, last) = (0, -recording.rate)
        for index in samples.indices.dropFirst(2) {
            let bend = abs(samples[index] - 2 * samples[index - 1] + samples[index - 2])
            // The tone itself bends by 0.0016.
            guard bend > 0.02 else { continue }
            if index - last > recording.rate / 100 { count += 1 }
            last = index
        }
        return count
    }

    /// A loaded machine may be too late for one of them.
    private func expectFewClicks(of rounds: Int) {
        let clicks = clicks()
        #expect(clicks <= rounds / 2, "\(clicks) clicks in \(rounds) rounds")
    }

    @Test("pauses and goings-on are soft")
    func pauses() {
        output.open(Hum.format, paused: false, beginsInMidWave: true)
        for _ in 0..<8 {
            #expect(run(until: isSounding))
            output.setPaused(true)
            #expect(run(until: isSilent))
            output.setPaused(false)
        }
        #expect(run(until: isSounding))
        expectFewClicks(of: 16)
    }

    @Test("jumps are soft")
    func jumps() {
        output.open(Hum.format, paused: false, beginsInMidWave: true)
        for _ in 0..<8 {
            #expect(run(until: isSounding))
            hum.beginAnew()
            output.cut(beginsInMidWave: true)
            let end = Instant.now().advanced(by: .seconds(0.2))
            #expect(run { Instant.now() > end })
        }
        expectFewClicks(of: 8)
    }

    @Test("stops are soft, and all that is left of the stream goes")
    func stops() throws {
        for _ in 0..<8 {
            hum.beginAnew()
            output.open(Hum.format, paused: false, beginsInMidWave: true)
            #expect(run(until: isSounding))
            output.close()
            #expect(run(until: isSilent))
        }
        expectFewClicks(of: 8)
        let inputs = try run { try server.pactl("list", "short", "sink-inputs").isEmpty }
        #expect(inputs)
    }

    private func run(until condition: () throws -> Bool) throws -> Bool {
        var failure: (any Error)?
        let isMet = run { () -> Bool in
            do { return try condition() } catch {
                failure = error
                return true
            }
        }
        if let failure { throw failure }
        return isMet
    }

    @Test("what was taken back is not heard, and what comes instead follows without a seam")
    func takenBack() {
        output.open(Hum.format, paused: false, beginsInMidWave: true)
        #expect(run(until: isSounding))
        for _ in 0..<6 {
            // The tone repeats every 441 frames: whole periods less are no seam.
            #expect(output.takeBack(441 * 60))
            output.sourceHasSound()
            let end = Instant.now().advanced(by: .seconds(1.3))
            #expect(run { Instant.now() > end })
            #expect(isSounding())
        }
        #expect(clicks() == 0)
    }
}
