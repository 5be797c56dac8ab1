package import Music

/// Sound as an ear has it: samples and the moments at which they arrived.
package struct Recording: Sendable {
    /// Frames a second.
    package let rate: Int
    /// Samples in a frame.
    package let channels: Int
    /// Interleaved.
    package private(set) var samples: [Float] = []
    private var arrivals: [(frames: Int, instant: Instant)] = []

    package init(rate: Int, channels: Int) {
        self.rate = rate
        self.channels = channels
    }

    /// How many frames there are.
    package var frames: Int { samples.count / channels }

    /// Adds what arrived at `instant`.
    package mutating func append(_ bytes: UnsafeRawBufferPointer, at instant: Instant) {
        samples.append(contentsOf: bytes.assumingMemoryBound(to: Float.self))
        arrivals.append((frames, instant))
    }

    /// When `frame` arrived, which is when the chunk did that it came in; `nil` where it has not.
    package func arrival(of frame: Int) -> Instant? {
        arrivals.first { $0.frames > frame }?.instant
    }

    /// The first frame that arrived at `instant` or later.
    package func frame(at instant: Instant) -> Int {
        arrivals.last { $0.instant < instant }?.frames ?? 0
    }

    /// One channel of a stretch, held within what there is.
    package func channel(_ channel: Int, _ range: Range<Int>) -> [Float] {
        range.clamped(to: 0..<frames).map { samples[$0 * channels + channel] }
    }

    /// The last `duration` of a channel.
    package func latest(_ duration: Duration, channel index: Int = 0) -> [Float] {
        let count = Int(duration.seconds * Double(rate))
        return channel(index, max(0, frames - count)..<frames)
    }

    /// The tone in the last 50 ms, where there are 50 ms and they are one pure tone.
    package var latestFrequency: Double? {
        let window = latest(.milliseconds(50))
        guard window.count >= rate / 20 else { return nil }
        return pureFrequency(window, rate: rate)
    }

    /// The last tone before the present silence: what was heard a twentieth of a second before it, and thus before any fade.
    package var lastFrequency: Double? {
        let window = rate / 20
        let samples = channel(0, 0..<frames)
        guard let end = samples.lastIndex(where: { abs($0) > 0.01 }), end >= 2 * window else { return nil }
        return pureFrequency(Array(samples[end - 2 * window..<end - window]), rate: rate)
    }

    /// Whether the last `duration` is there and silent.
    package func isSilent(forLast duration: Duration) -> Bool {
        let window = latest(duration)
        return window.count >= Int(duration.seconds * Double(rate)) && loudness(window) < 1e-4
    }
}

/// The root mean square of samples: 0 for silence, 0.707 for a full sine.
package func loudness(_ samples: some Sequence<Float>) -> Double {
    var (sum, count) = (0.0, 0.0)
    for sample in samples {
        sum += Double(sample) * Double(sample)
        count += 1
    }
    return count > 0 ? (sum / count).squareRoot() : 0
}

/// How much of the power of samples is at `frequency`, 0 to 1 (Goertzel).
package func share(of frequency: Double, in samples: [Float], rate: Int) -> Double {
    let turn = 2 * cosine(2 * .pi * frequency / Double(rate))
    var (last, lastButOne, power) = (0.0, 0.0, 0.0)
    for sample in samples {
        (last, lastButOne) = (Double(sample) + turn * last - lastButOne, last)
        power += Double(sample) * Double(sample)
    }
    guard power > 0 else { return 0 }
    let tone = last * last + lastButOne * lastButOne - turn * last * lastButOne
    return min(1, 2 * tone / (power * Double(samples.count)))
}

/// The frequency of samples that are one tone, to about 1 Hz in 50 ms; `nil` for silence and for anything else.
package func pureFrequency(_ samples: [Float], rate: Int) -> Double? {
    guard loudness(samples) > 1e-3 else { return nil }
    // Between the first and the last upward crossing of zero there are whole periods.
    var (first, last, periods) = (0.0, 0.0, -1)
    for index in samples.indices.dropFirst() where samples[index - 1] < 0 && samples[index] >= 0 {
        let (before, after) = (Double(samples[index - 1]), Double(samples[index]))
        last = Double(index) - after / (after - before)
        if periods < 0 { first = last }
        periods += 1
    }
    guard periods > 0 else { return nil }
    let frequency = Double(periods) * Double(rate) / (last - first)
    return share(of: frequency, in: samples, rate: rate) > 0.8 ? frequency : nil
}
