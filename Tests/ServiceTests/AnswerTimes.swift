import Foundation
import TestSupport

/// How fast the service answers while something is wrong: asked again and again, without a pause.
extension RunningService {
    /// Asks until the status is `status`, and checks that no answer takes long.
    func ask(until status: String, within limit: Duration = .seconds(15)) throws {
        try ask(within: limit, until: { $0 == status })
    }

    /// Asks for `duration`; the status stays as it is all the while.
    func ask(for duration: Duration) throws {
        let end = ContinuousClock.now + duration
        let status = try get("PlaybackStatus")?.text
        try ask(within: duration + .seconds(15)) { now in
            guard now == status else { throw TestFailure("\(status ?? "") has become \(now)") }
            return ContinuousClock.now >= end
        }
    }

    /// Asks for the status until `isEnough` of it; each answer within a second, which is far more than it may take but
    /// less than anything it could wait for.
    private func ask(within limit: Duration, until isEnough: (String) throws -> Bool) throws {
        let deadline = ContinuousClock.now + limit
        var slowest = Duration.zero
        defer { print("slowest answer meanwhile, with the time that dbus-send takes: \(slowest)") }
        while ContinuousClock.now < deadline {
            let asked = ContinuousClock.now
            let status = try get("PlaybackStatus")?.text
            let time = ContinuousClock.now - asked
            slowest = max(slowest, time)
            guard time < .seconds(1) else { throw TestFailure("an answer took \(time)") }
            if let status, try isEnough(status) { return }
        }
        throw TestFailure("not within \(limit); \(process.report.errorText)")
    }

    /// Why there is no sound, as `tianlai status` says.
    func problem() throws -> String? {
        let report = try tianlai("status", "--json")
        let object = try JSONSerialization.jsonObject(with: Data(report.output)) as? [String: Any]
        return object?["problem"] as? String
    }

    /// The position in seconds.
    func place() throws -> Double {
        guard let position = try get("Position")?.integer else { throw TestFailure("no position") }
        return Double(position) / 1e6
    }
}
