import Audio
import Glibc
import Mpg123
import Music

/// A file decoded from its start to its end.
struct Decoding {
    /// Every stretch of one format, with its samples.
    var stretches: [(format: StreamFormat, samples: [Float])] = []
    /// What ended it, when that was not its end.
    var failure: DecoderError?

    var format: StreamFormat? { stretches.first?.format }
    var samples: [Float] { stretches.flatMap(\.samples) }
    var frames: Int { stretches.reduce(0) { $0 + $1.samples.count / Int($1.format.channels) } }

    /// Reads `decoder` on, at most about `limit` frames.
    init(_ decoder: any Decoder, limit: Int = .max) {
        var buffer = [Float](repeating: 0, count: 8192)
        var (stretch, frames) = ((format: decoder.format, samples: [Float]()), 0)
        defer { if !stretch.samples.isEmpty { stretches.append(stretch) } }
        do {
            while frames < limit {
                switch try buffer.withUnsafeMutableBufferPointer({ try decoder.read(into: $0) }) {
                case .samples(let count):
                    stretch.samples += buffer[..<count]
                    frames += count / Int(stretch.format.channels)
                case .formatChange:
                    if !stretch.samples.isEmpty { stretches.append(stretch) }
                    stretch = (decoder.format, [])
                case .end: return
                }
            }
        } catch {
            failure = error as? DecoderError
        }
    }
}

/// The largest difference of two sounds, compared where both are; infinite where one is not there.
func difference(_ left: some Collection<Float>, _ right: some Collection<Float>) -> Float {
    guard !left.isEmpty, !right.isEmpty else { return .infinity }
    return zip(left, right).reduce(0) { max($0, abs($1.0 - $1.1)) }
}

/// Whether two sounds are the same bit for bit; quick, and quiet about where they differ.
func isSame(_ left: [Float], _ right: [Float]) -> Bool {
    left.withUnsafeBytes { left in
        right.withUnsafeBytes { right in
            guard left.count == right.count else { return false }
            guard let l = left.baseAddress, let r = right.baseAddress else { return true }
            return memcmp(l, r, left.count) == 0
        }
    }
}
