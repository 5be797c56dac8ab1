import LyricsReading
import Music
import Testing

/// Lines as pairs of milliseconds and text.
private func timed(_ lines: (Int64, String)...) -> Lyrics {
    .timed(lines.map { Lyrics.Line(TrackTime(microseconds: $0.0 * 1000), $0.1) })
}

@Suite("The words of a song in a text")
struct LyricsTextTests {
    @Test(
        "stamps of every kind",
        arguments: [
            ("[0:01]", 1000), ("[1:02]", 62_000), ("[01:02.3]", 62_300), ("[01:02.34]", 62_340),
            ("[01:02.345]", 62_345), ("[01:02,34]", 62_340), ("[01:02:34]", 62_340), ("[01:02.]", 62_000),
            ("[100:00.00]", 6_000_000), ("[75:30.00]", 4_530_000), ("[1:02:03.40]", 3_723_400),
            ("[ 00:05.00 ]", 5000), ("\t [00:05.00]", 5000), ("[00:05.1234567]", 5123), ("[0:5]", 5000),
        ] as [(String, Int64)]
    )
    func stamps(stamp: String, milliseconds: Int64) throws {
        guard case .timed(let lines) = LyricsText.read("\(stamp) word \n") else {
            Issue.record("\(stamp) is no stamp")
            return
        }
        #expect(lines.map(\.text) == ["word"])
        #expect(lines.map { $0.time.microseconds / 1000 } == [milliseconds])
    }

    @Test(
        "what only looks like a stamp is none",
        arguments: [
            "[00:61.00]", "[00:-2.00]", "[00:02.00", "[aa:bb]", "[]", "[Chorus]", "[00]", "[1:2:3:4.5]",
            "[00:02.x]", "[00:+2]", "[1:60:00.0]", "00:02.00]", "[00:002]", "[1234567890:00]", "<00:01.00>",
            "[00:01.0000000000]", "[00 :01.000000000000000000000000000000000]",
        ]
    )
    func malformed(stamp: String) {
        #expect(LyricsText.read("\(stamp)word") == .plain(["\(stamp)word"]))
        // Where others have stamps it is no line.
        #expect(LyricsText.read("\(stamp)word\n[00:01.00]ok") == timed((1000, "ok")))
    }

    @Test(
        "lines with times",
        arguments: [
            (
                "[00:20.00] [00:10.00]chorus\n[00:15]verse",
                timed((10_000, "chorus"), (15_000, "verse"), (20_000, "chorus"))
            ),
            ("[00:01]\n[00:02]a", timed((1000, ""), (2000, "a"))),
            ("[00:02]b1\n[00:01]a\n[00:02]b2 譯文\n", timed((1000, "a"), (2000, "b1"), (2000, "b2 譯文"))),
            (
                "\u{FEFF}[ti:x]\r\n[00:01]a\r\r\n\n[00:02]b\r[00:03]c",
                timed((1000, "a"), (2000, "b"), (3000, "c"))
            ),
            ("[00:01]<b>bold</b> & \"q\" 100% \\n", timed((1000, "<b>bold</b> & \"q\" 100% \\n"))),
            ("[00:01]a < b and [x2]", timed((1000, "a < b and [x2]"))),
            ("[00:01]\u{1}a\u{0}\u{7F}\tb\u{85}", timed((1000, "a b"))),
            ("words\n[00:01]a\nmore", timed((1000, "a"))),
        ] as [(String, Lyrics)]
    )
    func lines(text: String, lyrics: Lyrics) {
        #expect(LyricsText.read(text) == lyrics)
    }

    @Test(
        "stamps of words are not shown",
        arguments: [
            ("[00:01.00]<00:01.00>ho <00:01.40>hay <00:01.80>yan", "ho hay yan"),
            ("[00:03.00] <00:03.10> na <00:03.50> ru <00:04.00>", "na ru"),
            ("[00:05.00] hello [00:06.00] world", "hello world"),
            ("[00:05.00]<00:05>月<00:05.5>光", "月光"), ("[00:05]<00:05.00>", ""), ("[00:05]a<0:6>b", "ab"),
            ("[00:05]<00:99> <x>", "<00:99> <x>"),
        ]
    )
    func words(line: String, text: String) {
        #expect(LyricsText.read(line)?.texts == [text])
    }

    @Test(
        "an offset brings all lines forward, none before the start; what is no number is none",
        arguments: [
            ("[offset:+500]", [0, 9500]), ("[offset:500]", [0, 9500]), ("[Offset: -500 ]", [700, 10_500]),
            ("[offset:abc]", [200, 10_000]), ("[offset:]", [200, 10_000]), ("[offset:1.5]", [200, 10_000]),
            ("[offset:+/- Overall adjustment]", [200, 10_000]),
            ("[offset:99999999999999999999]", [200, 10_000]),
            ("[offset:9223372036854775807]", [200, 10_000]),
            ("[offset:-9223372036854775808]", [200, 10_000]),
            ("[offset:100]\n[offset:500]", [0, 9500]), ("[offset:0]", [200, 10_000]),
        ] as [(String, [Int64])]
    )
    func offsets(header: String, milliseconds: [Int64]) {
        let (first, second) = (milliseconds[0], milliseconds[1])
        let lyrics = timed((first, "early"), (second, "ten"))
        #expect(LyricsText.read("\(header)\n[00:10.00]ten\n[00:00.20]early") == lyrics)
        // Wherever it stands.
        #expect(LyricsText.read("[00:10.00]ten\n[00:00.20]early\n\(header)") == lyrics)
    }

    @Test(
        "a text without stamps is plain: without its header, blank lines kept between others",
        arguments: [
            ("月光\n\nho hay yan\n", ["月光", "", "ho hay yan"]), ("\n \n a \r\n\r\nb\n\n", ["a", "", "b"]),
            ("[ti:x]\n[ar: y]\n[Chorus]\n[Chorus: Ann]\nla\n[#:note]", ["[Chorus]", "[Chorus: Ann]", "la"]),
            ("[by:x] word", ["[by:x] word"]),
        ]
    )
    func plain(text: String, lines: [String]) {
        #expect(LyricsText.read(text) == .plain(lines))
    }

    @Test(
        "without a word there are no lyrics",
        arguments: ["", "\n\r\n  \n", "[ti:x]\n[ar:y]\n", "\u{FEFF}\u{0}"]
    )
    func nothing(text: String) {
        #expect(LyricsText.read(text) == nil)
    }

    @Test("of the places in a tag, times go before none, then the first")
    func best() {
        let line = Lyrics.Line(.zero, "a")
        #expect(LyricsText.best(of: [line], ["[00:01]b"]) == .timed([line]))
        #expect(LyricsText.best(of: [], ["plain", "[00:01]b", "[00:01]c"]) == timed((1000, "b")))
        #expect(LyricsText.best(of: [], ["", "one", "two"]) == .plain(["one"]))
        #expect(LyricsText.best(of: [Lyrics.Line(.zero, "")], ["one"]) == .plain(["one"]))
        #expect(LyricsText.best(of: [], []) == nil)
    }

    @Test("a stretch of a file has the lines inside it, from its own start; plain words belong to the whole")
    func stretches() {
        let lyrics = timed((1000, "a"), (2000, "b"), (3000, "c"), (3500, ""))
        var excerpt = Excerpt(start: .seconds(2), end: .seconds(3))
        #expect(lyrics.cut(to: excerpt) == timed((0, "b")))
        excerpt.end = nil
        #expect(lyrics.cut(to: excerpt) == timed((0, "b"), (1000, "c"), (1500, "")))
        #expect(lyrics.cut(to: Excerpt(start: .seconds(3.5))) == nil)
        #expect(Lyrics.plain(["a"]).cut(to: excerpt) == nil)
    }

    @Test(
        "twenty thousand lines, a line of a megabyte and a million stamps take little time and no more room than that"
    )
    func size() {
        let clock = ContinuousClock()
        let long = (0..<20_000).map { "[\($0 / 60):\($0 % 60)]line \($0)\n" }.joined()
        var lyrics: Lyrics?
        #expect(clock.measure { lyrics = LyricsText.read(long) } < .seconds(5))
        #expect(lyrics?.texts.count == 20_000)
        let wide = "[00:01.00]" + String(repeating: "歌", count: 350_000)
        #expect(clock.measure { lyrics = LyricsText.read(wide) } < .seconds(5))
        #expect(lyrics?.texts == [String(repeating: "歌", count: 1365)])
        let often = String(repeating: "[0:1]", count: 900) + String(repeating: "x", count: 4000)
        #expect((500...550).contains(LyricsText.read(often)?.texts.count ?? 0))
        let stamps = String(repeating: "[0:1]", count: 500_000)
        #expect(clock.measure { lyrics = LyricsText.read(stamps) } < .seconds(5))
        #expect(lyrics?.texts.count == 1000)
        let unclosed = String(repeating: "<", count: 500_000)
        #expect(clock.measure { lyrics = LyricsText.read("[0:1]" + unclosed) } < .seconds(5))
    }

    @Test("whatever is changed in it, what is read is clean and in order", arguments: 0..<20 as Range<UInt64>)
    func mutations(seed: UInt64) {
        let whole = Array(
            "\u{FEFF}[ti:歌]\r\n[offset:+500]\n[00:01.00]<00:01.00>ho <00:01.40>hay\n[1:02:03.4][00:02]月光\n\n[Chorus]\nla"
                .utf8
        )
        var random = Dice(seed: seed)
        for _ in 0..<300 {
            var bytes = whole
            for _ in 0...random.next(below: 8) {
                switch random.next(below: 3) {
                case 0: bytes[random.next(below: bytes.count)] = UInt8(random.next(below: 256))
                case 1:
                    bytes.insert(bytes[random.next(below: bytes.count)], at: random.next(below: bytes.count))
                default: bytes.remove(at: random.next(below: bytes.count))
                }
            }
            let lyrics = LyricsText.read(String(decoding: bytes, as: UTF8.self))
            for text in lyrics?.texts ?? [] {
                #expect(Text.cleanLine(text) == text && !text.contains(where: \.isNewline), "\(bytes)")
            }
            guard case .timed(let lines) = lyrics else { continue }
            #expect(lines.allSatisfy { $0.time >= .zero }, "\(bytes)")
            #expect(zip(lines, lines.dropFirst()).allSatisfy { $0.time <= $1.time }, "\(bytes)")
        }
    }
}

/// Numbers that only look like chance.
struct Dice {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next(below limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % limit
    }
}
