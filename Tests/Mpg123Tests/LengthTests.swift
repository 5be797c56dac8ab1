import Audio
import Foundation
import Mpg123
import Music
import TestSupport
import Testing

/// What a file says of its length, and what really plays.
@Suite(.timeLimit(.minutes(5)))
struct LengthTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("whatever number an info frame gives, the length is what plays, and seeks are exact")
    func lyingInfo() throws {
        let path = try EncodedSound.constantRate.make(in: folder)
        var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: "\(path)")))
        // Behind the header and 32 bytes: "Info", flags, the number of frames.
        #expect(bytes[36..<40].elementsEqual("Info".utf8))
        let count = bytes[44..<48].reduce(0) { $0 << 8 | Int($1) }
        for lie in [
            0, 1, 2, 3, 10, count / 2, count - 2, count - 1, count, count + 1, count * 10, 0xFFFF_FFFF,
        ] {
            for place in 0..<4 { bytes[44 + place] = UInt8(truncatingIfNeeded: lie >> (24 - 8 * place)) }
            let lying = try #require(FilePath(try folder.write("\(lie).mp3", bytes)))
            let straight = Decoding(try Mpg123.open(lying))
            #expect(try Mpg123.open(lying).length() == Int64(straight.frames), "\(lie) instead of \(count)")
            try expectExactSeeks(in: lying, count: 6)
        }
    }

    @Test("where the rate changes, a time is the time that it takes to play until there")
    func rateChange() throws {
        let first = try sound("a", rate: 44_100, seconds: 3)
        let second = try sound("b", rate: 48_000, seconds: 4)
        let path = try #require(FilePath(try folder.write("both.mp3", first + second)))
        let straight = Decoding(try Mpg123.open(path))
        #expect(straight.stretches.map(\.format.rate) == [44_100, 48_000])
        let times = straight.stretches.map {
            TrackTime(frames: Int64($0.samples.count / Int($0.format.channels)), rate: $0.format.rate)
        }
        #expect(try Mpg123.open(path).duration() == times[0] + times[1])

        // Forward over the change, back over it, and once more within each part.
        let decoder = try Mpg123.open(path)
        for (second, part) in [(1.0, 0), (4.5, 1), (0.5, 0), (2, 0), (6, 1), (3.5, 1), (1.25, 0)] {
            try decoder.seek(to: .seconds(second))
            let stretch = straight.stretches[part]
            #expect(decoder.format == stretch.format)
            let place = TrackTime.seconds(second) - (part == 0 ? .zero : times[0])
            let heard = Decoding(decoder, limit: 3000)
            #expect(heard.format == stretch.format)
            let wanted = stretch.samples[(Int(place.frames(rate: stretch.format.rate)) * 2)...]
            #expect(difference(heard.samples, wanted) < 1 / 32768, "at \(second) s")
        }
    }

    /// MPEG audio without info frame and tags.
    private func sound(_ name: String, rate: Int, seconds: Int) throws -> [UInt8] {
        let (wave, path) = (folder.path("\(name).wav"), folder.path("\(name).mp3"))
        for arguments in [
            [
                "sox", "-R", "-n", "-r", "\(rate)", "-b", "16", "-c", "2", wave, "synth", "\(seconds)",
                "pinknoise",
            ],
            ["lame", "--quiet", "-b", "128", "-t", wave, path],
        ] {
            let report = try ChildProcess.run(arguments, environment: ["PATH": "/usr/bin:/bin"])
            #expect(report.exit == .code(0))
        }
        return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }
}
