import Audio
import Testing

/// After a seek comes what a straight read gives there.
@Suite("seeks in sampled files", .timeLimit(.minutes(5)))
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
        Format(name: "x.opus", options: ["--speech", "--bitrate", "12"], channels: 1),
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
            let wanted = straight.samples[(target * channels)...].prefix(heard.samples.count)
            #expect(target >= frames || !heard.samples.isEmpty, "nothing at \(target) of \(frames)")
            #expect(
                isSame(heard.samples, wanted),
                "at \(target) of \(frames): off by \(largest(heard.samples, wanted))"
            )
        }
        try decoder.seek(to: Int64(frames) + 1_000)
        #expect(Decoding(decoder).frames == 0)
    }

    private func largest(_ left: some Collection<Float>, _ right: some Collection<Float>) -> Float {
        zip(left, right).reduce(0) { max($0, abs($1.0 - $1.1)) }
    }
}
