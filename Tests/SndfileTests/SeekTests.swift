import Audio
import TestSupport
import Testing

/// After a seek comes what a straight read gives there.
@Suite("seeks in sampled files", .waiting, .timeLimit(.minutes(5)))
struct SeekTests {
    private let recordings: Recordings

    init() throws {
        recordings = try Recordings()
    }

    struct Format: CustomTestStringConvertible {
        var name: String
        var options: [String] = []
        var channels = 2
        var seconds = "12.3456"
        var rate = 44_100
        /// How far a sample may be from that of a straight read.
        var tolerance: Float = 0

        var testDescription: String {
            ([name] + options + ["\(channels) channels", "\(seconds) s"]).joined(separator: " ")
        }
    }

    static let formats = [
        Format(name: "x.wav"), Format(name: "x.aiff"), Format(name: "x.au"), Format(name: "x.caf"),
        Format(name: "x.w64"),
        Format(name: "x.flac"), Format(name: "x.flac", options: ["--no-seektable"]),
        Format(name: "x.flac", options: ["--lax", "-b", "65535"]), Format(name: "x.oga"),
        Format(name: "x.ogg"), Format(name: "x.ogg", options: ["-q", "-1"]),
        Format(name: "x.ogg", channels: 6),
        Format(name: "x.ogg", seconds: "0.01"), Format(name: "x.ogg", seconds: "0.5"),
        Format(name: "x.opus"), Format(name: "x.opus", options: ["--bitrate", "16"]),
        // The part of Opus for speech adds noise that depends on all that was decoded before.
        Format(name: "x.opus", options: ["--speech", "--bitrate", "12"], channels: 1, tolerance: 0.02),
        Format(name: "x.opus", options: ["--framesize", "2.5"]),
        Format(name: "x.opus", options: ["--framesize", "60"]),
        Format(name: "x.opus", channels: 6), Format(name: "x.opus", seconds: "0.01"),
        Format(name: "x.opus", rate: 16_000),
    ]

    @Test("are exact", arguments: formats)
    func exact(format: Format) throws {
        let wave = try recordings.makeWave(
            seconds: format.seconds,
            rate: format.rate,
            channels: format.channels
        )
        let path = try recordings.encode(wave, to: format.name, format.options)
        let straight = Decoding(try open(path))
        #expect(straight.failure == nil)
        let (channels, frames) = (format.channels, straight.frames)
        let decoder = try open(path)
        var random = SystemRandomNumberGenerator()
        let targets =
            [
                0, 1, frames - 1, frames - 2, 0, frames / 2, frames / 2 + 1, frames - 500, frames - 100,
                frames / 2 - 1, frames,
            ]
            + (0..<40).map { _ in Int.random(in: 0..<frames, using: &random) }
        for target in targets where target >= 0 {
            try decoder.seek(to: Int64(target))
            let heard = Decoding(decoder, limit: target % 3 == 0 ? 5_000 : 300)
            #expect(heard.failure == nil)
            let wanted = straight.samples[(target * channels)...]
            #expect(target >= frames || !heard.samples.isEmpty, "nothing at \(target) of \(frames)")
            let off = largest(heard.samples, wanted)
            #expect(off <= format.tolerance, "at \(target) of \(frames): off by \(off)")
        }
        try decoder.seek(to: Int64(frames) + 1_000)
        #expect(Decoding(decoder).frames == 0)
    }

    @Test("are exact in long files too", arguments: ["flac", "ogg", "opus", "oga"])
    func longFile(suffix: String) throws {
        let wave = try recordings.makeWave(seconds: "1200", rate: 8_000, channels: 1)
        let path = try recordings.encode(wave, to: "long.\(suffix)", suffix == "opus" ? ["--comp", "0"] : [])
        let straight = try open(path)
        let decoder = try open(path)
        let length = try #require(try straight.length())
        // Read straight on up to each place: no more than a stretch is in memory.
        var place: Int64 = 0
        for target in [length / 50, length / 3, length / 3 + 7_777, length / 2, length - 9_000, length - 10] {
            while place < target {
                place += Int64(Decoding(straight, limit: 1, portion: Int(min(4608, target - place))).frames)
            }
            let wanted = Decoding(straight, limit: 2_000)
            place += Int64(wanted.frames)
            for other in [length - 1, 0] {
                try decoder.seek(to: other)
                try decoder.seek(to: target)
                let heard = Decoding(decoder, limit: 2_000).samples
                #expect(!heard.isEmpty && largest(heard, wanted.samples) < 1e-6, "at \(target) of \(length)")
            }
        }
        #expect(place == length)
    }

    private func largest(_ left: some Collection<Float>, _ right: some Collection<Float>) -> Float {
        zip(left, right).reduce(0) { max($0, abs($1.0 - $1.1)) }
    }
}
