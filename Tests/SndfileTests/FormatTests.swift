import Audio
import Foundation
import Music
import Sndfile
import TestSupport
import Testing

/// Every format gives what went into it, to the sample.
@Suite("sampled files", .waiting, .timeLimit(.minutes(5)))
struct FormatTests {
    private let recordings: Recordings

    init() throws {
        recordings = try Recordings()
    }

    @Test(
        "give exactly what went in",
        arguments: [
            ("flac", [String]()), ("oga", []), ("wav", []), ("aiff", []), ("aifc", []), ("au", []),
            ("caf", []),
            ("w64", []), ("flac", ["-8"]), ("flac", ["--lax", "-l", "32"]),
        ],
        [1, 2, 6]
    )
    func lossless(format: (suffix: String, options: [String]), channels: Int) throws {
        let wave = try recordings.makeWave(seconds: "1.2345", channels: channels)
        let path = try recordings.encode(wave, to: "x.\(format.suffix)", format.options)
        let wanted = try samples(of: wave, bits: 16)
        let decoder = try open(path)
        #expect(decoder.format == StreamFormat(rate: 44_100, channels: Int32(channels)))
        #expect(try decoder.length() == Int64(wanted.count / channels))
        let decoding = Decoding(decoder)
        #expect(decoding.failure == nil)
        #expect(isSame(decoding.samples, wanted))
        let glance = try Sndfile.glance(at: try #require(FilePath(path)))
        #expect(glance == TrackTime(frames: Int64(wanted.count / channels), rate: 44_100))
    }

    @Test("of 8, 24 and 32 bits keep them", arguments: [8, 24, 32], ["wav", "aiff", "flac"])
    func bits(bits: Int, suffix: String) throws {
        guard (bits, suffix) != (32, "flac") else { return }
        let wave = try recordings.makeWave(seconds: "0.5", bits: bits)
        let path = try recordings.encode(wave, to: "x.\(suffix)")
        #expect(isSame(Decoding(try open(path)).samples, try samples(of: wave, bits: bits)))
    }

    @Test(
        "of any rate keep it",
        arguments: [8_000, 11_025, 22_050, 48_000, 88_200, 96_000, 176_400, 192_000]
    )
    func rates(rate: Int) throws {
        let wave = try recordings.makeWave(seconds: "0.5", rate: rate, bits: 24)
        for suffix in ["wav", "flac", "ogg"] {
            let decoder = try open(try recordings.encode(wave, to: "x.\(suffix)"))
            #expect(decoder.format == StreamFormat(rate: Int32(rate), channels: 2))
            #expect(Decoding(decoder).frames == rate / 2)
        }
    }

    @Test("in floating point keep peaks above full scale", arguments: [4, 8])
    func floats(size: Int) throws {
        let values: [Double] = [0, 0.5, -0.25, 1.5, -2.75, 6.875, 1, -1]
        var data: [UInt8] = []
        for value in values {
            if size == 4 {
                withUnsafeBytes(of: Float(value)) { data += $0 }
            } else {
                withUnsafeBytes(of: value) { data += $0 }
            }
        }
        let path = try recordings.folder.write(
            "float.wav",
            waveFile(tag: 3, channels: 1, rate: 48_000, bits: size * 8, data: data)
        )
        #expect(Decoding(try open(path)).samples == values.map { Float($0) })
    }

    @Test(
        "of the lossy kinds are as long as what went in, at their own rate",
        arguments: ["0.001", "0.02", "1", "2.71828"]
    )
    func lossy(seconds: String) throws {
        for (rate, channels) in [(44_100, 2), (48_000, 1), (16_000, 1), (8_000, 1), (48_000, 8)] {
            let wave = try recordings.makeWave(seconds: seconds, rate: rate, channels: channels)
            let frames = try samples(of: wave, bits: 16).count / channels
            for suffix in ["ogg", "opus"] {
                let decoder = try open(try recordings.encode(wave, to: "x.\(suffix)"))
                let own = suffix == "opus" ? 48_000 : rate
                #expect(decoder.format == StreamFormat(rate: Int32(own), channels: Int32(channels)))
                let length = try #require(try decoder.length())
                // Opus writes how long the music is in its own samples.
                #expect(
                    abs(Double(length) * Double(rate) / Double(own) - Double(frames)) < 1.5,
                    "\(suffix) \(rate)"
                )
                let decoding = Decoding(decoder)
                #expect(decoding.failure == nil)
                #expect(decoding.frames == Int(length))
            }
        }
    }

    @Test("without a length in the header are counted")
    func unknownLength() throws {
        let wave = try recordings.makeWave(seconds: "2")
        let path = try recordings.encode(wave, to: "x.flac")
        var bytes = try recordings.bytes(of: path)
        // The number of samples: 36 bits behind rate, channels and bits.
        bytes[21] &= 0xF0
        for place in 22..<26 { bytes[place] = 0 }
        let unknown = try recordings.folder.write("unknown.flac", bytes)
        #expect(try open(unknown).length() == 88_200)
        #expect(Decoding(try open(unknown)).frames == 88_200)
        #expect(try Sndfile.glance(at: try #require(FilePath(unknown))) == nil)
    }

    @Test("behind an ID3v2 tag are found")
    func tagInFront() throws {
        let wave = try recordings.makeWave(seconds: "0.5")
        let tag: [UInt8] = Array("ID3".utf8) + [3, 0, 0, 0, 0, 1, 0] + [UInt8](repeating: 0, count: 128)
        for suffix in ["flac", "ogg", "opus", "oga"] {
            let path = try recordings.encode(wave, to: "x.\(suffix)")
            let tagged = try recordings.folder.write(
                "tagged.\(suffix)",
                tag + tag + (try recordings.bytes(of: path))
            )
            #expect(isSame(Decoding(try open(tagged)).samples, Decoding(try open(path)).samples), "\(suffix)")
        }
    }

    /// What a plain WAV file of sox holds, read without any library.
    private func samples(of path: String, bits: Int) throws -> [Float] {
        let bytes = try recordings.bytes(of: path)
        let mark = try #require(bytes.indices.first { bytes[$0...].starts(with: "data".utf8) })
        let data = bytes[(mark + 8)...]
        let size = bits / 8
        return stride(from: data.startIndex, to: data.endIndex - size + 1, by: size).map { place in
            if size == 1 { return (Float(data[place]) - 128) / 128 }
            var value: Int32 = 0
            for byte in 0..<size { value |= Int32(data[place + byte]) << Int32(8 * (4 - size + byte)) }
            return Float(value) / 2_147_483_648
        }
    }
}
