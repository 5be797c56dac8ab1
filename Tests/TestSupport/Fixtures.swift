import Foundation

/// A tone that tells, wherever one listens in, which track it is and how far it is.
///
/// Each track has a band of frequencies of its own and sweeps evenly through it from its first to its last second.
package struct MeasuringTone: Equatable, Sendable {
    /// Which band: 0 to 12.
    package var band: Int
    /// The length of the track in seconds.
    package var seconds: Double

    package init(band: Int, seconds: Double) {
        self.band = band
        self.seconds = seconds
    }

    /// The lowest and the highest frequency.
    package var frequencies: ClosedRange<Double> {
        let low = 500 + Double(band) * 1000
        return low...(low + 900)
    }

    /// The second at which `frequency` is played; `nil` where it is not of this track.
    package func second(of frequency: Double?) -> Double? {
        guard let frequency, frequencies.lowerBound - 30...frequencies.upperBound + 30 ~= frequency else {
            return nil
        }
        let second = (frequency - frequencies.lowerBound) / 900 * seconds
        return min(max(second, 0), seconds)
    }

    /// The second that was played in the middle of the last 50 ms of a recording.
    package func latestSecond(in recording: Recording) -> Double? {
        second(of: recording.latestFrequency)
    }
}

/// Music made for one test, gone when the test is over.
package final class Fixtures {
    /// Where it all is.
    package let folder: TemporaryFolder

    package init() throws {
        folder = try TemporaryFolder()
    }

    /// Makes an MP3 of a measuring tone, tagged `Tone <band>` by `Artist <band>`, and returns its path.
    @discardableResult
    package func makeTone(_ tone: MeasuringTone, as name: String? = nil, rate: Int = 44_100) throws -> String
    {
        let range = "\(tone.frequencies.lowerBound):\(tone.frequencies.upperBound)"
        return try encode(tone, range, rate: rate, as: name ?? "tone-\(tone.band).mp3")
    }

    /// Makes an MP3 of one frequency all along, and returns its path.
    @discardableResult
    package func makeSine(_ frequency: Double, seconds: Double, as name: String) throws -> String {
        try encode(MeasuringTone(band: 0, seconds: seconds), "\(frequency)", rate: 44_100, as: name)
    }

    private func encode(
        _ tone: MeasuringTone,
        _ frequencies: String,
        rate: Int,
        as name: String
    ) throws -> String {
        let wave = folder.path("tone-\(tone.band).wav")
        let path = folder.path(name)
        try run(
            ["sox", "-n", "-r", "\(rate)", "-b", "16", "-c", "2", wave]
                + ["synth", "\(tone.seconds)", "sine", frequencies, "vol", "0.5"]
        )
        try run(
            ["lame", "--quiet", "-b", "128", "--tt", "Tone \(tone.band)", "--ta", "Artist \(tone.band)"]
                + ["--tl", "Measures", "--tn", "\(tone.band + 1)", wave, path]
        )
        try FileManager.default.removeItem(atPath: wave)
        return path
    }

    private func run(_ arguments: [String]) throws {
        let report = try ChildProcess.run(
            arguments,
            environment: ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"]
        )
        guard report.exit == .code(0) else {
            throw TestFailure("\(arguments.joined(separator: " ")): \(report.errorText)")
        }
    }
}
