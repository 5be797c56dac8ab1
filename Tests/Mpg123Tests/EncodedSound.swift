import Foundation
import Music
import TestSupport
import Testing

/// MPEG audio made for a test, by what is special in it for who seeks.
enum EncodedSound: String, CaseIterable, CustomTestStringConvertible {
    case constantRate, variableRate, variableWithoutInfo, freeFormat, tinyFrames, monoTinyFrames, mpeg25
    case layer2, insideRIFF, checksums

    var testDescription: String { rawValue }

    private var rate: Int {
        switch self {
        case .tinyFrames, .monoTinyFrames: 24_000
        case .mpeg25: 8000
        default: 44_100
        }
    }

    private var channels: Int { [.monoTinyFrames, .mpeg25].contains(self) ? 1 : 2 }

    private var lame: [String] {
        switch self {
        case .constantRate, .insideRIFF: ["-b", "128"]
        case .variableRate: ["-V", "9"]
        case .variableWithoutInfo: ["-V", "4", "-t"]
        case .freeFormat: ["--freeformat", "-b", "400"]
        // Silence in the smallest frames, and what is loud then borrows from as many of them as it can.
        case .tinyFrames: ["-V", "9", "-m", "s", "--resample", "24"]
        case .monoTinyFrames: ["-b", "8", "--resample", "24"]
        case .mpeg25: ["-b", "8", "--resample", "8"]
        case .checksums: ["-V", "7", "-p"]
        case .layer2: []
        }
    }

    /// Seconds of noise that swells, with gaps, as MPEG audio in `folder`.
    func make(in folder: TemporaryFolder, seconds: Int = 8) throws -> FilePath {
        let wave = folder.path("\(rawValue).wav")
        try run(
            ["sox", "-R", "-n", "-r", "\(rate)", "-b", "16", "-c", "\(channels)", wave]
                + ["synth", "\(seconds)", "pinknoise", "synth", "\(seconds)", "sine", "mix", "300:3000"]
                + ["tremolo", "1.3", "100", "vol", "0.5", "pad", "0.7@2", "1@4"]
        )
        let path = folder.path("\(rawValue).mp3")
        if self == .layer2 {
            try run(["sox", wave, "-t", "mp2", path])
        } else {
            try run(["lame", "--quiet"] + lame + [wave, path])
        }
        if self == .insideRIFF {
            let sound = try Data(contentsOf: URL(fileURLWithPath: path))
            try folder.write("\(rawValue).mp3", riff(sound))
        }
        return try #require(FilePath(path))
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

    /// A WAV that says it holds MPEG audio of layer 3.
    private func riff(_ sound: Data) -> [UInt8] {
        func little(_ number: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        let format =
            little(0x55, 2) + little(2, 2) + little(44_100, 4) + little(16_000, 4) + little(1, 2)
            + little(0, 2) + little(12, 2) + little(1, 2) + little(2, 4) + little(417, 2) + little(1, 2)
            + little(0, 2)
        let chunks =
            Array("WAVEfmt ".utf8) + little(format.count, 4) + format + Array("data".utf8)
            + little(sound.count, 4) + sound
        return Array("RIFF".utf8) + little(chunks.count, 4) + chunks
    }
}
