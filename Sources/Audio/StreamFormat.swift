package import Music

/// How sound is laid out: 32-bit float samples, interleaved, at one rate.
package struct StreamFormat: Equatable, Sendable {
    /// Frames a second, 1 or more.
    package var rate: Int32
    /// Samples in a frame, 1 or more.
    package var channels: Int32

    package init(rate: Int32, channels: Int32) {
        self.rate = rate
        self.channels = channels
    }

    /// The number of samples in `time`, in whole frames.
    package func samples(in time: TrackTime) -> Int {
        Int(time.frames(rate: rate)) * Int(channels)
    }
}
