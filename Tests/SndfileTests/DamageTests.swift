import Audio
import Foundation
import Music
import Sndfile
import TestSupport
import Testing

/// Files that are not whole, not alone or not what they say.
@Suite("damaged sampled files", .waiting, .timeLimit(.minutes(5)))
struct DamageTests {
    private let recordings: Recordings
    private let wave: String

    init() throws {
        recordings = try Recordings()
        wave = try recordings.makeWave(seconds: "4")
    }

    private func decode(_ name: String, _ bytes: some Sequence<UInt8>) throws -> Decoding {
        Decoding(try open(try recordings.folder.write(name, bytes)))
    }

    @Test("cut short play up to the cut", arguments: ["flac", "ogg", "opus", "oga", "wav", "aiff"])
    func cut(suffix: String) throws {
        let path = try recordings.encode(wave, to: "x.\(suffix)")
        let bytes = try recordings.bytes(of: path)
        let whole = Decoding(try open(path))
        let cut = try decode("cut.\(suffix)", bytes.prefix(bytes.count * 3 / 5))
        #expect(cut.frames > whole.frames / 4 && cut.frames < whole.frames * 4 / 5, "\(cut.frames)")
        #expect(isSame(cut.samples, whole.samples.prefix(cut.samples.count)))
        // The other formats' headers say nothing that is missed then.
        if ["flac", "oga"].contains(suffix) {
            #expect(cut.failure?.description.contains("s are missing") == true)
        }
        let length = try open(recordings.folder.path("cut.\(suffix)")).length()
        #expect(length == Int64(cut.frames))
        // Ogg counts on each page.
        if ["ogg", "opus"].contains(suffix) {
            let name = try #require(FilePath(recordings.folder.path("cut.\(suffix)")))
            let rate = cut.formats[0].rate
            #expect(try Sndfile.glance(at: name) == TrackTime(frames: Int64(cut.frames), rate: rate))
        }
    }

    @Test(
        "with damage in the middle play what can be played, then say so",
        arguments: ["flac", "oga", "ogg", "opus"]
    )
    func hole(suffix: String) throws {
        let path = try recordings.encode(wave, to: "x.\(suffix)")
        var bytes = try recordings.bytes(of: path)
        let whole = Decoding(try open(path))
        for place in bytes.count / 2..<bytes.count / 2 + 3_000 {
            bytes[place] = UInt8(truncatingIfNeeded: place)
        }
        let decoding = try decode("hole.\(suffix)", bytes)
        #expect(decoding.frames > whole.frames / 4 && decoding.frames < whole.frames)
        guard case .damaged = try #require(decoding.failure) else { throw TestFailure("\(decoding)") }
    }

    @Test(
        "with something behind them play as ever",
        arguments: ["flac", "ogg", "opus", "oga", "wav", "aiff"]
    )
    func tail(suffix: String) throws {
        let path = try recordings.encode(wave, to: "x.\(suffix)")
        let whole = Decoding(try open(path))
        let tag = Array("TAG".utf8) + [UInt8](repeating: 0x20, count: 125)
        let decoding = try decode("tagged.\(suffix)", try recordings.bytes(of: path) + tag)
        #expect(decoding.failure == nil)
        #expect(isSame(decoding.samples, whole.samples))
    }

    @Test(
        "that are several Ogg files play to the end of the last, and seek",
        arguments: ["ogg", "opus", "oga"]
    )
    func chain(suffix: String) throws {
        let other = try recordings.makeWave("other.wav", seconds: "1.5")
        let first = try recordings.encode(wave, to: "1.\(suffix)")
        let second =
            suffix == "oga"
            ? try recordings.encode(other, to: "2.oga", ["--serial-number=99"])
            : try recordings.encode(
                other,
                to: "2.\(suffix)",
                suffix == "ogg" ? ["-s", "99"] : ["--serial", "99"]
            )
        let parts = try [first, second].map { Decoding(try open($0)).samples }
        let path = try recordings.folder.write(
            "chain.\(suffix)",
            try recordings.bytes(of: first) + recordings.bytes(of: second)
        )
        let decoder = try open(path)
        #expect(try decoder.length() == Int64((parts[0].count + parts[1].count) / 2))
        let decoding = Decoding(decoder)
        #expect(decoding.failure == nil)
        #expect(decoding.formats.count == 1)
        let joined = parts[0] + parts[1]
        #expect(isSame(decoding.samples, joined))
        for target in [parts[0].count / 2 + 10_000, 5, parts[0].count / 2 - 1, joined.count / 2 - 3] {
            try decoder.seek(to: Int64(target))
            let heard = Decoding(decoder, limit: 1_000).samples
            let wanted = joined[(target * 2)...]
            #expect(!heard.isEmpty && zip(heard, wanted).allSatisfy { abs($0 - $1) < 1e-6 }, "at \(target)")
        }
    }

    @Test("whose rate changes go on at the new one; one channel goes into both of the former two")
    func changes() throws {
        let slow = try recordings.makeWave("slow.wav", seconds: "1", rate: 22_050, channels: 1)
        let path = try recordings.folder.write(
            "chain.ogg",
            try recordings.bytes(of: recordings.encode(wave, to: "1.ogg"))
                + recordings.bytes(of: recordings.encode(slow, to: "2.ogg", ["-s", "99"]))
        )
        let decoding = Decoding(try open(path))
        #expect(decoding.formats == [44_100, 22_050].map { StreamFormat(rate: $0, channels: 2) })
        #expect(decoding.frames == 4 * 44_100 + 22_050)
        let decoder = try open(path)
        #expect(try decoder.duration() == .seconds(5))
        try decoder.seek(to: TrackTime.seconds(4.5))
        #expect(decoder.format.rate == 22_050)
        #expect(isSame(Decoding(decoder).samples, decoding.samples.suffix(22_050)))
        #expect(
            decoding.samples.suffix(1_000).indices.allSatisfy {
                decoding.samples[$0 & ~1] == decoding.samples[$0 | 1]
            }
        )
    }

    @Test(
        "neither crash nor hang, whatever is wrong",
        arguments: ["flac", "ogg", "opus", "oga", "wav", "aiff", "caf", "w64", "au"]
    )
    func random(suffix: String) throws {
        let path = try recordings.encode(
            try recordings.makeWave("short.wav", seconds: "0.3"),
            to: "x.\(suffix)"
        )
        let bytes = try recordings.bytes(of: path)
        for seed in 0..<40 {
            var (state, damaged) = (UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1, bytes)
            func next() -> Int {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return Int(state >> 33)
            }
            // The first half of them in the header.
            for _ in 0..<8 {
                damaged[next() % (seed < 20 ? min(200, bytes.count) : bytes.count)] = UInt8(
                    truncatingIfNeeded: next()
                )
            }
            do throws(DecoderError) {
                let name = FilePath(try attempt { try recordings.folder.write("bad.\(suffix)", damaged) })
                guard let name else { continue }
                let decoder = try Sndfile.open(name)
                try decoder.seek(to: 5_000)
                _ = Decoding(decoder, limit: 1_000_000)
                try decoder.seek(to: 1)
                _ = Decoding(decoder, limit: 1_000)
            } catch {
                #expect(!error.description.isEmpty)
            }
        }
    }

    @Test("that are no music are refused in words")
    func refused() throws {
        for (name, bytes, words) in [
            ("empty.flac", [UInt8](), "it is empty"),
            ("text.flac", Array("This is a letter.".utf8), "it is not WAV, FLAC or Ogg"),
            ("picture.wav", [0x89, 0x50, 0x4E, 0x47, 0, 0, 0, 0], "it is a picture, not music"),
            ("head.flac", Array("fLaC".utf8), "it cannot be opened"),
            ("head.wav", Array("RIFF\u{24}\0\0\0WAVEfmt ".utf8), "it cannot be opened"),
            ("head.ogg", Array("OggS".utf8), "it "),
        ] {
            let path = try recordings.folder.write(name, bytes)
            #expect("\(name): no error") { _ = try open(path) } throws: { "\($0)".hasPrefix(words) }
        }
    }

    private func attempt(_ body: () throws -> String) throws(DecoderError) -> String {
        do { return try body() } catch { throw .unreadable("\(error)") }
    }
}
