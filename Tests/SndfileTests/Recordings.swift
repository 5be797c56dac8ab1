import Audio
import Foundation
import Music
import Sndfile
import TestSupport
import Testing

/// Sound made for one test by the encoders that people use, gone when the test is over.
final class Recordings {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A WAV file of a sweep in every channel, each in a band and a loudness of its own.
    func makeWave(
        _ name: String = "sweep.wav",
        seconds: String = "3",
        rate: Int = 44_100,
        bits: Int = 16,
        channels: Int = 2,
        encoding: [String] = []
    ) throws -> String {
        let path = folder.path(name)
        let sweeps = (0..<channels).flatMap { ["sine", "\(200 + 200 * $0):\(380 + 200 * $0)"] }
        try run(
            ["sox", "-R", "-n", "-r", "\(rate)", "-b", "\(bits)", "-c", "\(channels)"] + encoding + [path]
                + ["synth", seconds] + sweeps + ["vol", "0.5"]
        )
        return path
    }

    /// A WAV file in which every channel but one is silent for a tenth of a second, one after the other.
    func makeTour(channels: Int, rate: Int = 48_000) throws -> String {
        let frames = rate / 10
        var samples: [Int16] = []
        for channel in 0..<channels {
            for frame in 0..<frames {
                let tone = Int16(12_000 * sin(Double(frame) * 2 * .pi * 1_000 / Double(rate)))
                samples += (0..<channels).map { $0 == channel ? tone : 0 }
            }
        }
        let data = samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        let mask = [3: 0x7, 4: 0x33, 5: 0x37, 6: 0x3F, 7: 0x70F, 8: 0x63F][channels]
        return try folder.write(
            "tour-\(channels).wav",
            waveFile(tag: 1, channels: channels, rate: rate, bits: 16, mask: mask, data: data)
        )
    }

    /// What `sox` makes of a file, in the format that the name tells.
    func convert(
        _ path: String,
        to name: String,
        _ options: [String] = [],
        effects: [String] = []
    ) throws -> String {
        let target = folder.path(name)
        try run(["sox", "-R", "-D", path] + options + [target] + effects)
        return target
    }

    /// What the encoder of each format makes of a WAV file.
    func encode(_ wave: String, to name: String, _ options: [String] = []) throws -> String {
        let target = folder.path(name)
        switch name.split(separator: ".").last {
        case "flac": try run(["flac", "-s", "-f"] + options + ["-o", target, wave])
        case "oga": try run(["flac", "-s", "-f", "--ogg"] + options + ["-o", target, wave])
        case "ogg": try run(["oggenc", "-Q", "-s", "7"] + options + ["-o", target, wave])
        case "opus": try run(["opusenc", "--quiet", "--serial", "7"] + options + [wave, target])
        default: return try convert(wave, to: name, options)
        }
        return target
    }

    func bytes(of path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    private func run(_ arguments: [String]) throws {
        let report = try ChildProcess.run(
            arguments,
            environment: ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"],
            within: .seconds(120)
        )
        guard report.exit == .code(0) else {
            throw TestFailure("\(arguments.joined(separator: " ")): \(report.errorText)")
        }
    }
}

/// A WAV file; with `mask` it says by bits which loudspeakers the channels are for.
func waveFile(tag: UInt16, channels: Int, rate: Int, bits: Int, mask: Int? = nil, data: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    func add(_ value: some FixedWidthInteger) { withUnsafeBytes(of: value.littleEndian) { bytes += $0 } }
    bytes += "RIFF".utf8
    add(UInt32(data.count + (mask == nil ? 36 : 60)))
    bytes += "WAVEfmt ".utf8
    add(UInt32(mask == nil ? 16 : 40))
    add(mask == nil ? tag : 0xFFFE)
    add(UInt16(channels))
    add(UInt32(rate))
    add(UInt32(rate * channels * bits / 8))
    add(UInt16(channels * bits / 8))
    add(UInt16(bits))
    if let mask {
        add(UInt16(22))
        add(UInt16(bits))
        add(UInt32(mask))
        add(tag)
        bytes += [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    }
    bytes += "data".utf8
    add(UInt32(data.count))
    return bytes + data
}

func open(_ path: String) throws -> any Decoder {
    try Sndfile.open(try #require(FilePath(path)))
}

/// A file decoded from where its decoder stands.
struct Decoding {
    var samples: [Float] = []
    /// The formats in which it came.
    var formats: [StreamFormat]
    /// What ended it, when that was not its end.
    var failure: DecoderError?

    var frames: Int { samples.count / Int(formats[0].channels) }

    /// Reads `decoder` on in portions of `portion` samples, at most about `limit` frames.
    init(_ decoder: any Decoder, limit: Int = .max, portion: Int = 4608) {
        formats = [decoder.format]
        var buffer = [Float](repeating: 0, count: portion)
        do throws(DecoderError) {
            while frames < limit {
                switch try buffer.withUnsafeMutableBufferPointer({ (samples) throws(DecoderError) in
                    try decoder.read(into: samples)
                }) {
                case .samples(let count): samples += buffer[..<count]
                case .formatChange: formats.append(decoder.format)
                case .end: return
                }
            }
        } catch {
            failure = error
        }
    }
}

/// Whether two sounds are the same bit for bit.
func isSame(_ left: some Collection<Float>, _ right: some Collection<Float>) -> Bool {
    left.count == right.count && zip(left, right).allSatisfy { $0.bitPattern == $1.bitPattern }
}
