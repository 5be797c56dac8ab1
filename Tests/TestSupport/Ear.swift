import Foundation
package import Music

/// Hears what a sound server plays: `parec` on the monitor of its sink, into memory.
///
/// While it listens the sink renders in small steps, so what arrives was played within some 10 ms.
package final class Ear {
    private let recorder: ChildProcess
    private let recording: Observed<Recording>

    /// Listens; sound (or silence) arrives when this returns.
    package init(on server: NullSoundServer, source: String = "null.monitor", rate: Int = 44_100) throws {
        let recording = Observed(Recording(rate: rate, channels: 2))
        self.recording = recording
        let carry = Observed<[UInt8]>([])
        recorder = try server.start(
            [
                "parec", "-d", source, "--format=float32le", "--rate=\(rate)", "--channels=2", "--raw",
                "--latency-msec=10",
            ]
        ) { bytes in
            let instant = monotonicNow()
            carry.update { carry in
                carry += bytes
                let whole = carry.count / 8 * 8
                carry.withUnsafeBytes { all in
                    recording.update {
                        $0.append(UnsafeRawBufferPointer(rebasing: all[..<whole]), at: instant)
                    }
                }
                carry.removeFirst(whole)
            }
        }
        if server.kind == .pulseAudio { try Self.hurry(server, source) }
        guard recording.wait(within: .seconds(60), { $0.frames > 0 ? true : nil }) != nil else {
            throw TestFailure("parec hears nothing: \(recorder.report.errorText)")
        }
    }

    /// Has the sink begin anew: an idle null sink has rendered two seconds of silence ahead, and an ear waits for their end.
    private static func hurry(_ server: NullSoundServer, _ source: String) throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while try server.pactl("list", "short", "source-outputs").isEmpty, ContinuousClock.now < deadline {}
        let sink = String(source.prefix { $0 != "." })
        try server.pactl("suspend-sink", sink, "1")
        try server.pactl("suspend-sink", sink, "0")
    }

    /// Waits until what was heard satisfies `find`, or returns `nil` when the deadline has passed.
    package func wait<Found>(within limit: Duration, _ find: (Recording) throws -> Found?) rethrows -> Found?
    {
        try recording.wait(within: limit, find)
    }

    /// Waits until what was heard satisfies `condition`; whether it did within the deadline.
    package func waitUntil(within limit: Duration, _ condition: (Recording) -> Bool) -> Bool {
        recording.wait(within: limit) { condition($0) ? true : nil } ?? false
    }

    /// All that was heard so far.
    package var heard: Recording { recording.current }

    /// How many frames were heard so far.
    package var frames: Int { recording.look { $0.frames } }

    /// Ends listening.
    package func stop() {
        recorder.kill()
    }

    deinit { recorder.kill() }
}

/// The present moment of the monotonic clock, the same that the product uses.
package func monotonicNow() -> Instant {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
}

func cosine(_ angle: Double) -> Double { cos(angle) }
