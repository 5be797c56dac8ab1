import Music
import TestSupport

/// What the service tells and what an ear hears at one moment, both in seconds.
struct Comparison {
    var told: Double
    var heard: Double
    var apart: Double { abs(told - heard) }
}

extension RunningService {
    /// Asks for the position, and finds out what was heard at the moment of the answer.
    func compare(with ear: Ear, hearing tone: MeasuringTone) throws -> Comparison {
        let asked = monotonicNow()
        guard let position = try get("Position")?.integer else { throw TestFailure("no position") }
        let answered = monotonicNow()
        let moment = Instant(nanoseconds: (asked.nanoseconds + answered.nanoseconds) / 2)
        let heard = ear.wait(within: .seconds(60)) { recording -> Double?? in
            let (middle, half) = (recording.frame(at: moment), recording.rate / 40)
            guard recording.frames > middle + 2 * half else { return nil }
            let samples = recording.channel(0, (middle - half)..<(middle + half))
            return .some(tone.second(of: pureFrequency(samples, rate: recording.rate)))
        }
        guard let heard = heard ?? nil else { throw TestFailure("tone \(tone.band) is not heard") }
        return Comparison(told: Double(position) / 1e6, heard: heard)
    }
}

extension Ear {
    /// Waits until `tone` is heard at `second` or later, but not long after, and returns where.
    func waitToHear(_ tone: MeasuringTone, at second: Double = 0) throws -> Double {
        let heard = wait(within: .seconds(60)) { recording in
            tone.latestSecond(in: recording).flatMap { second...second + 3 ~= $0 ? $0 : nil }
        }
        guard let heard else {
            throw TestFailure("tone \(tone.band) is not heard at \(second) s, but \(self.heard.sounding)")
        }
        return heard
    }

    /// Waits until it has been silent for `duration`; whether it has within ten seconds.
    func waitForSilence(lasting duration: Duration = .milliseconds(200)) -> Bool {
        waitUntil(within: .seconds(60)) { $0.isSilent(forLast: duration) }
    }
}

extension Recording {
    /// What is heard last, in words.
    fileprivate var sounding: String {
        latestFrequency.map { "\($0) Hz" } ?? (isSilent(forLast: .milliseconds(50)) ? "silence" : "noise")
    }
}
