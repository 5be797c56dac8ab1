import Glibc

/// A short ramp between sound and silence, so that neither a beginning nor an end in the middle of a wave clicks.
package struct Fade: Equatable, Sendable {
    package enum Direction: Sendable {
        case fadingIn
        case fadingOut
    }

    package let direction: Direction
    /// How many frames it takes.
    package let frames: Int64

    /// At `rate` frames a second: ten milliseconds for an end, two and a half for a beginning, which is to be where it was
    /// asked for.
    package init(_ direction: Direction, rate: Int32) {
        self.direction = direction
        frames = Int64(rate) / (direction == .fadingIn ? 400 : 100)
    }

    /// Scales `samples`, of which the first frame is number `first` of the ramp; behind its end they are left alone or
    /// silent.
    package func apply(to samples: UnsafeMutableBufferPointer<Float>, channels: Int, from first: Int64) {
        for index in 0..<samples.count / channels {
            let gain = gain(at: first + Int64(index))
            for sample in index * channels..<(index + 1) * channels { samples[sample] *= gain }
        }
    }

    private func gain(at frame: Int64) -> Float {
        guard frame < frames else { return direction == .fadingIn ? 1 : 0 }
        // A quarter of a wave: what begins is there early in the ramp, what ends is there long.
        let angle = Float.pi / 2 * (Float(frame) + 0.5) / Float(frames)
        return direction == .fadingIn ? sin(angle) : cos(angle)
    }
}
