import Audio
import Glibc
import Music

/// A WAV file being written: 24-bit PCM, which holds all that a decoder hears in an MP3.
///
/// Peaks above full scale are clipped, as a sound card would.
final class WaveFile {
    let format: StreamFormat
    private(set) var frames: Int64 = 0
    private let file: UnsafeMutablePointer<FILE>
    private let path: FilePath

    /// Creates or overwrites the file at `path`.
    init(at path: FilePath, format: StreamFormat) throws(WaveError) {
        guard let file = path.withCString({ fopen($0, "wbe") }) else { throw WaveError(path) }
        self.file = file
        self.format = format
        self.path = path
        try write(header(frames: 0))
    }

    func append(_ samples: UnsafeBufferPointer<Float>) throws(WaveError) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(samples.count * 3)
        for sample in samples {
            let value = Int32(max(-8_388_608, min(8_388_607, (sample * 8_388_608).rounded())))
            bytes.append(UInt8(truncatingIfNeeded: value))
            bytes.append(UInt8(truncatingIfNeeded: value >> 8))
            bytes.append(UInt8(truncatingIfNeeded: value >> 16))
        }
        try write(bytes)
        frames += Int64(samples.count) / Int64(format.channels)
    }

    /// Puts the true length into the header; nothing is written after this.
    func finish() throws(WaveError) {
        rewind(file)
        try write(header(frames: frames))
        guard fflush(file) == 0 else { throw WaveError(path) }
    }

    deinit { fclose(file) }

    private func write(_ bytes: [UInt8]) throws(WaveError) {
        guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw WaveError(path) }
    }

    /// The 44 bytes in front of the samples; lengths beyond what WAV can say stay at its limit.
    private func header(frames: Int64) -> [UInt8] {
        let frameSize = UInt32(format.channels) * 3
        let dataSize = UInt32(clamping: frames * Int64(frameSize))
        var bytes = Array("RIFF".utf8)
        func add(_ value: some FixedWidthInteger) {
            withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
        }
        add(UInt32(clamping: UInt64(dataSize) + 36))
        bytes += "WAVEfmt ".utf8
        add(UInt32(16))
        add(UInt16(1))
        add(UInt16(clamping: format.channels))
        add(UInt32(clamping: format.rate))
        add(UInt32(clamping: format.rate) &* frameSize)
        add(UInt16(clamping: frameSize))
        add(UInt16(24))
        bytes += "data".utf8
        add(dataSize)
        return bytes
    }
}

/// Why a WAV file cannot be written, in one line for people.
struct WaveError: Error, CustomStringConvertible {
    let description: String

    /// Reads `errno`.
    init(_ path: FilePath) {
        description = "\(path): cannot be written: \(String(cString: strerror(errno)))"
    }
}
