import Foundation
import Testing
import TestSupport

/// The ears that other tests trust.
@Suite("Ears", .waiting, .timeLimit(.minutes(5)))
struct EarTests {
    @Test("a measuring tone played by another program is heard at the right seconds")
    func hearsTone() throws {
        let server = try NullSoundServer()
        let ear = try Ear(on: server)
        let fixtures = try Fixtures()
        let tone = MeasuringTone(band: 2, seconds: 3)
        let path = try fixtures.makeTone(tone)
        let decoded = fixtures.folder.path("decoded.wav")
        try ChildProcess.run(
            ["lame", "--quiet", "--decode", path, decoded],
            environment: ["PATH": "/usr/bin"]
        )
        #expect(ear.waitUntil(within: .seconds(60)) { $0.isSilent(forLast: .milliseconds(100)) })
        let player = try server.start(["paplay", decoded])
        let starts = ear.wait(within: .seconds(60)) { recording in
            tone.latestSecond(in: recording).map { (second: $0, frame: recording.frames) }
        }
        let middle = ear.wait(within: .seconds(60)) { recording in
            tone.latestSecond(in: recording).flatMap { $0 >= 2 ? (second: $0, frame: recording.frames) : nil }
        }
        let (first, second) = (try #require(starts), try #require(middle))
        let apart = Double(second.frame - first.frame) / 44_100
        #expect(abs(second.second - first.second - apart) < 0.03)
        #expect(MeasuringTone(band: 3, seconds: 3).latestSecond(in: ear.heard) == nil)
        #expect(player.wait(within: .seconds(60))?.exit == .code(0))
        #expect(ear.waitUntil(within: .seconds(60)) { $0.isSilent(forLast: .milliseconds(100)) })
    }

    @Test("a pure tone has its frequency, other sound has none")
    func frequencies() {
        func sine(_ frequency: Double) -> [Float] {
            (0..<2205).map { frame in Float(sin(Double(frame) * 2 * .pi * frequency / 44_100)) }
        }
        let tone = sine(1234)
        let two = zip(tone, sine(3000)).map { $0 + $1 }
        #expect(pureFrequency(tone, rate: 44_100).map { abs($0 - 1234) < 1 } == true)
        #expect(pureFrequency(two, rate: 44_100) == nil)
        #expect(pureFrequency([Float](repeating: 0, count: 2205), rate: 44_100) == nil)
        #expect(abs(loudness(tone) - 0.707) < 0.01)
    }
}
