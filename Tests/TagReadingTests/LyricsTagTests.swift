import Music
import TestSupport
import Testing

@testable import TagReading

private func line(_ milliseconds: Int64, _ text: String) -> Lyrics.Line {
    Lyrics.Line(TrackTime(microseconds: milliseconds * 1000), text)
}

/// UTF-16, little-endian unless said otherwise, with or without a mark.
private func utf16(_ text: String, marked: Bool = true, big: Bool = false) -> [UInt8] {
    ((marked ? "\u{FEFF}" : "") + text).utf16.flatMap { unit in
        let bytes = [UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8)]
        return big ? bytes.reversed() : bytes
    }
}

/// The body of a SYLT frame without description.
private func synced(
    _ parts: [(Int, [UInt8])],
    encoding: UInt8 = 3,
    unit: UInt8 = 2,
    type: UInt8 = 1,
    description: [UInt8] = []
) -> [UInt8] {
    let end = [UInt8](repeating: 0, count: encoding == 1 || encoding == 2 ? 2 : 1)
    return [encoding] + "zho".utf8 + [unit, type] + description + end
        + parts.flatMap { $0.1 + end + VorbisBytes.big($0.0) }
}

@Suite("Lyrics in tags")
struct LyricsTagTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func read(_ bytes: [UInt8]) throws -> TaggedLyrics {
        let path = try #require(FilePath(try folder.write("a", bytes)))
        // Who does not ask is told nothing of them.
        #expect(try TagReader.read(path).lyrics == TaggedLyrics())
        return try TagReader.read(path, wantsLyrics: true).lyrics
    }

    private func frames(
        _ frames: [UInt8]...,
        version: UInt8 = 4,
        sound: [UInt8]? = nil
    ) throws -> TaggedLyrics {
        try read(
            ID3Bytes.tag(version: version, Array(frames.joined())) + (sound ?? ID3Bytes.silence(frames: 3))
        )
    }

    private func syncedLines(_ body: [UInt8]) throws -> [Lyrics.Line] {
        try #require(SyncedText(body)).lines(frame: MPEGFrame.usual)
    }

    @Test(
        "plain words in every encoding",
        arguments: [
            [3] + "zho".utf8 + [0] + "月光\nla".utf8,
            [3] + "zho".utf8 + "about".utf8 + [0] + "月光\nla".utf8 + [0],
            [1] + "zho".utf8 + utf16("") + [0, 0] + utf16("月光\nla"),
            [1] + "zho".utf8 + utf16("x", big: true) + [0, 0] + utf16("月光\nla", marked: false, big: true),
            [1] + "zho".utf8 + utf16("d") + [0, 0] + utf16("月光\nla", marked: false) + [0, 0],
            [2] + "zho".utf8 + [0, 0] + utf16("月光\nla", marked: false, big: true) + [0],
            [0] + "zho".utf8 + [0] + "月光\nla".utf8,
        ] as [[UInt8]]
    )
    func plain(body: [UInt8]) throws {
        for version in [3, 4] as [UInt8] {
            #expect(
                try frames(ID3Bytes.frame("USLT", version: version, body), version: version).texts == [
                    "月光\nla"
                ]
            )
        }
        let old = ID3Bytes.tag(version: 2, ID3Bytes.oldFrame("ULT", body)) + ID3Bytes.silence(frames: 3)
        #expect(try read(old).texts == ["月光\nla"])
    }

    @Test("words in an encoding that the tag does not own up to")
    func foreign() throws {
        let big5: [UInt8] = [
            0xA4, 0xEB, 0xA5, 0xFA, 0xB7, 0xD3, 0xA6, 0x62, 0xA4, 0x70, 0xA6, 0xCC, 0xA5, 0xD0, 0x0A, 0xA4,
            0x73,
            0xA8, 0xA6, 0xB8, 0xCC, 0xA6, 0xB3, 0xA6, 0x5E, 0xC1, 0x6E,
        ]
        let frame = ID3Bytes.frame("USLT", version: 4, [0] + "zho".utf8 + [0] + big5)
        #expect(try frames(frame).texts == ["月光照在小米田\n山谷裡有回聲"])
    }

    @Test("lines that say when they are sung, in every encoding and in both versions")
    func timed() throws {
        let bodies = [
            synced([(500, Array("\n月光".utf8)), (1000, Array("\nla".utf8))]),
            synced([(500, utf16("\n月光")), (1000, utf16("\nla"))], encoding: 1, description: utf16("d")),
            synced(
                [(500, utf16("\n月光", marked: false)), (1000, utf16("\nla", marked: false))],
                encoding: 1,
                description: utf16("d")
            ),
            synced(
                [
                    (500, utf16("\n月光", marked: false, big: true)),
                    (1000, utf16("\nla", marked: false, big: true)),
                ],
                encoding: 2
            ),
            synced([(500, Array("月光".utf8)), (1000, Array("la".utf8))], type: 2),
            synced([(500, Array("月光\n".utf8)), (1000, Array("la\n".utf8))]),
            synced([(500, Array("月光\r\n".utf8)), (1000, Array("la".utf8))]),
            // Out of order.
            synced([(1000, Array("la".utf8)), (500, Array("月光".utf8))]),
        ]
        for (index, body) in bodies.enumerated() {
            let wanted = [line(500, "月光"), line(1000, "la")]
            #expect(try syncedLines(body) == wanted, "\(index)")
            #expect(try frames(ID3Bytes.frame("SYLT", body)).lines == wanted, "\(index)")
        }
        let old = ID3Bytes.tag(version: 2, ID3Bytes.oldFrame("SLT", bodies[0])) + ID3Bytes.silence(frames: 3)
        #expect(try read(old).lines == [line(500, "月光"), line(1000, "la")])
    }

    @Test(
        "syllables are put together to lines, which begin with their first word",
        arguments: [
            (
                [(0, "ho"), (200, " hay"), (400, " yan"), (900, "\nna"), (1100, "ru")],
                [line(0, "ho hay yan"), line(900, "naru")]
            ),
            (
                [(100, "ho"), (200, "hay\n"), (900, "na"), (1100, "ru\n")],
                [line(100, "hohay"), line(900, "naru")]
            ),
            ([(0, "a"), (500, "\n"), (900, "\nb")], [line(0, "a"), line(500, ""), line(900, "b")]),
            ([(0, "a\nb"), (900, "c")], [line(0, "a"), line(0, "bc")]),
            ([(0, "a"), (5, "b")], [line(0, "a"), line(5, "b")]),
            ([(0, "a"), (5, "")], [line(0, "a"), line(5, "")]), ([(7, "\u{1}a\tb ")], [line(7, "a b")]),
        ] as [([(Int, String)], [Lyrics.Line])]
    )
    func syllables(parts: [(Int, String)], lines: [Lyrics.Line]) throws {
        #expect(try syncedLines(synced(parts.map { ($0.0, Array($0.1.utf8)) })) == lines)
    }

    @Test("times in frames of MPEG audio are as long as those of the file")
    func frameTimes() throws {
        let body = synced([(0, Array("zero".utf8)), (38, Array("later".utf8))], unit: 1)
        // Its first frame: 44.1 kHz, 48 kHz, 24 kHz layer III, 32 kHz layer I, none.
        let heads: [([UInt8], Int64)] = [
            ([0xFF, 0xFB, 0x90, 0x64], 992_636), ([0xFF, 0xFB, 0x94, 0x64], 912_000),
            ([0xFF, 0xF3, 0x94, 0x64], 912_000), ([0xFF, 0xFF, 0x98, 0x64], 456_000),
            ([0, 0, 0, 0], 992_636),
        ]
        for (head, microseconds) in heads {
            let sound = [0xFF, 0x00] + head + [UInt8](repeating: 0, count: 500)
            let lines = try frames(ID3Bytes.frame("SYLT", version: 3, body), version: 3, sound: sound).lines
            #expect(lines.map(\.time.microseconds) == [0, microseconds], "\(head)")
        }
    }

    @Test("what is cut off is missing, the rest is good; other things with times are no lyrics")
    func damage() throws {
        let whole = synced([(0, Array("whole".utf8)), (500, Array("cut".utf8))])
        for length in whole.indices {
            let lines = SyncedText(whole.prefix(length))?.lines(frame: .zero) ?? []
            #expect(lines == (length < 17 ? [] : [line(0, "whole")]), "\(length)")
        }
        for type in [0, 3, 4, 5, 6, 7, 8] as [UInt8] {
            #expect(SyncedText(synced([(0, Array("C".utf8))], type: type)) == nil, "\(type)")
        }
        #expect(SyncedText(synced([(0, Array("C".utf8))], unit: 3)) == nil)
        let frame = ID3Bytes.frame("SYLT", synced([(0, Array("C".utf8))], type: 5))
        let lyrics = ID3Bytes.frame("SYLT", synced([(0, Array("la".utf8))]))
        #expect(try frames(frame, lyrics).lines == [line(0, "la")])
    }

    @Test(
        "several languages, and texts with a name: what should have times goes first, then the order of the file"
    )
    func several() throws {
        func text(_ language: String, _ text: String) -> [UInt8] {
            ID3Bytes.frame("USLT", [3] + language.utf8 + [0] + text.utf8)
        }
        let lyrics = try frames(
            text("eng", "one"),
            text("zho", "二"),
            ID3Bytes.text("TXXX", "Lyrics", "three"),
            ID3Bytes.text("TXXX", "SYNCEDLYRICS", "[0:01]four"),
            text("fra", "")
        )
        #expect(lyrics.texts == ["[0:01]four", "one", "二", "three"])
        #expect(lyrics.lines == [])
    }

    @Test("in Vorbis comments, APE tags and chunks")
    func containers() throws {
        let lrc = "[00:01.00]月光\n[00:02.00]la"
        let files: [[UInt8]] = [
            VorbisBytes.flac(VorbisBytes.comments("TITLE=T", "LYRICS=\(lrc)")),
            VorbisBytes.vorbis(VorbisBytes.comments("unsyncedlyrics=\(lrc)", "ARTIST=A")),
            VorbisBytes.opus(VorbisBytes.comments("SyncedLyrics=\(lrc)")),
            ID3Bytes.silence(frames: 3) + ID3Bytes.ape(("Lyrics", Array(lrc.utf8), true)),
            ChunkBytes.wav(("id3 ", ID3Bytes.tag(ID3Bytes.frame("USLT", [3] + "eng".utf8 + [0] + lrc.utf8)))),
            ChunkBytes.aiff(
                ("ID3 ", ID3Bytes.tag(ID3Bytes.frame("USLT", [3] + "eng".utf8 + [0] + lrc.utf8)))
            ),
        ]
        for (index, bytes) in files.enumerated() { #expect(try read(bytes).texts == [lrc], "\(index)") }
        // Of two tags both; longer than any title.
        let long = String(repeating: "歌詞\n", count: 5000)
        let both =
            ID3Bytes.tag(ID3Bytes.frame("SYLT", synced([(0, Array("la".utf8))])))
            + ID3Bytes.silence(frames: 3)
            + ID3Bytes.ape(("LYRICS", Array(long.utf8), true))
        let lyrics = try read(both)
        #expect(lyrics.lines == [line(0, "la")])
        #expect(lyrics.texts == [long])
    }

    @Test("whatever is changed in it, what is read is clean and in order", arguments: 0..<20 as Range<UInt64>)
    func mutations(seed: UInt64) {
        let bodies = [
            synced([(0, Array("ho".utf8)), (900, Array("\n月光".utf8)), (1200, Array("la\n".utf8))]),
            synced([(500, utf16("\n月光")), (1000, utf16("\nla"))], encoding: 1, description: utf16("d")),
        ]
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        func random(below limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        for round in 0..<400 {
            var bytes = bodies[round % 2]
            for _ in 0...random(below: 6) {
                bytes[random(below: bytes.count)] = UInt8(random(below: 256))
            }
            let frame = bytes.prefix(random(below: 4) > 0 ? bytes.count : random(below: bytes.count))
            let lines = SyncedText(frame)?.lines(frame: MPEGFrame.usual) ?? []
            #expect(lines.allSatisfy { Text.cleanLine($0.text) == $0.text }, "\(frame)")
            #expect(zip(lines, lines.dropFirst()).allSatisfy { $0.time <= $1.time }, "\(frame)")
            _ = LyricsFrame(frame, headCount: 3)?.text
        }
    }
}
