import Audio
import Glibc
import Music

/// A WAV file being written: 24-bit PCM, which holds all that a decoder hears in an MP3.
///
/// Peaks above full scale are clipped, as a sound card would. With more than two channels the header says which
/// loudspeakers they are for, in the order in which decoders give them.
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
        // A chunk of odd length is followed by a byte that does not count.
        if (frames * frameSize) % 2 != 0 { try write([0]) }
        rewind(file)
        try write(header(frames: frames))
        guard fflush(file) == 0 else { throw WaveError(path) }
    }

    deinit { fclose(file) }

    private func write(_ bytes: [UInt8]) throws(WaveError) {
        guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw WaveError(path) }
    }

    private var frameSize: Int64 { Int64(format.channels) * 3 }

    /// The bytes in front of the samples; lengths beyond what WAV can say stay at its limit.
    private func header(frames: Int64) -> [UInt8] {
        let mask = Self.speakers[format.channels]
        let dataSize = UInt32(clamping: frames * frameSize)
        let formatSize: UInt32 = mask == nil ? 16 : 40
        var bytes = Array("RIFF".utf8)
        func add(_ value: some FixedWidthInteger) {
            withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
        }
        add(UInt32(clamping: UInt64(dataSize) + UInt64(dataSize % 2) + 20 + UInt64(formatSize)))
        bytes += "WAVEfmt ".utf8
        add(formatSize)
        add(UInt16(mask == nil ? 1 : 0xFFFE))
        add(UInt16(clamping: format.channels))
        add(UInt32(clamping: format.rate))
        add(UInt32(clamping: Int64(format.rate) * frameSize))
        add(UInt16(clamping: frameSize))
        add(UInt16(24))
        if let mask {
            add(UInt16(22))
            add(UInt16(24))
            add(mask)
            bytes += Self.pcm
        }
        bytes += "data".utf8
        add(dataSize)
        return bytes
    }

    /// The loudspeakers of so many channels as the bits of WAVE; one and two go without saying.
    private static let speakers: [Int32: UInt32] = [
        3: 0x007, 4: 0x033, 5: 0x037, 6: 0x03F, 7: 0x70F, 8: 0x63F,
    ]

    /// The number that stands for PCM where the short one has no room.
    private static let pcm: [UInt8] = [
        0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x10, 0x00, 0x80, 0x00, 0x00, 0xAA, 0x00, 0x38, 0x9B, 0x71,
    ]
}

/// Why a WAV file cannot be written, in one line for people.
struct WaveError: Error, CustomStringConvertible {
    let description: String

    /// Reads `errno`.
    init(_ path: FilePath) {
        description = "\(path): cannot be written: \(String(cString: strerror(errno)))"
    }
}
