import Charset
import Testing

/// Bytes written as pairs of hexadecimal digits.
private func bytes(_ pairs: String) -> [UInt8] {
    pairs.split(separator: " ").compactMap { UInt8($0, radix: 16) }
}

@Suite("Text of unknown encoding")
struct CharsetTests {
    @Test(
        "is read as what it is, also when it is one title long",
        arguments: [
            ("山谷裡的回聲", "UTF-8", "E5 B1 B1 E8 B0 B7 E8 A3 A1 E7 9A 84 E5 9B 9E E8 81 B2"),
            ("山谷裡的回聲", "GB18030", "C9 BD B9 C8 D1 65 B5 C4 BB D8 C2 95"),
            (
                "南迴線合唱團 - 許功蓋之歌", "BIG5-HKSCS",
                "AB 6E B0 6A BD 75 A6 58 B0 DB B9 CE 20 2D 20 B3 5C A5 5C BB 5C A4 A7 BA 71"
            ),
            (
                "海岸线合唱团 - 山谷里的回声", "GB18030",
                "BA A3 B0 B6 CF DF BA CF B3 AA CD C5 20 2D 20 C9 BD B9 C8 C0 EF B5 C4 BB D8 C9 F9"
            ),
            ("上を向いて歩こう", "CP932", "8F E3 82 F0 8C FC 82 A2 82 C4 95 E0 82 B1 82 A4"),
            ("고향의 봄", "UHC", "B0 ED C7 E2 C0 C7 20 BA BD"),
            (
                "Кино - Группа крови", "WINDOWS-1251",
                "CA E8 ED EE 20 2D 20 C3 F0 F3 EF EF E0 20 EA F0 EE E2 E8"
            ),
            ("Björk - Jóga", "WINDOWS-1252", "42 6A F6 72 6B 20 2D 20 4A F3 67 61"),
            ("Beyoncé – “Halo”", "WINDOWS-1252", "42 65 79 6F 6E 63 E9 20 96 20 93 48 61 6C 6F 94"),
            ("plain", "UTF-8", "70 6C 61 69 6E"),
            ("", "UTF-8", ""),
            ("歌", "UTF-8", "EF BB BF E6 AD 8C"),
            ("歌 a", "UTF-16LE", "FF FE 4C 6B 20 00 61 00"),
            ("歌 a", "UTF-16BE", "FE FF 6B 4C 00 20 00 61"),
        ]
    )
    func guessed(text: String, encoding: String, pairs: String) {
        let decoded = DecodedText(bytes(pairs))
        #expect(decoded.text == text)
        #expect(decoded.encoding.name == encoding)
    }

    @Test("what is no text in any encoding still comes out, byte by byte")
    func latin1() {
        let decoded = DecodedText([0x81, 0x20, 0xFF, 0x00])
        #expect(decoded.text == "\u{81} \u{FF}\0")
        #expect(decoded.encoding == .latin1)
    }

    @Test("damage stays where it is")
    func damaged() {
        #expect(
            DecodedText(Array("山谷裡的回聲，".utf8) + [0xFF] + Array("許功蓋之歌".utf8)).text == "山谷裡的回聲，\u{FFFD}許功蓋之歌"
        )
        // 0xFF is in no Big5 character; 0xB3 begins one that the end cuts off.
        let decoder = TextDecoder(.big5)
        #expect(decoder.leniently([0xB3, 0x5C, 0xFF, 0xA5, 0x5C, 0xB3]) == "許\u{FFFD}功\u{FFFD}")
        // The longest characters of GB18030 have four bytes.
        #expect(TextDecoder(.gb18030).leniently([0x61, 0x81, 0x30, 0x81]) == "a\u{FFFD}")
        #expect(decoder.exactly([0xB3, 0x5C, 0xFF]) == nil)
        #expect(decoder.exactly([0xB3, 0x5C]) == "許")
    }

    @Test("an encoding that nobody knows is taken for Latin-1")
    func unknown() {
        let decoder = TextDecoder(.other("X-NO-SUCH"))
        let isKnown = decoder.isKnown
        #expect(!isKnown)
        #expect(decoder.leniently([0x61, 0xE9]) == "aé")
    }

    @Test("a character that the end of the sample cuts is no damage", arguments: 0..<4)
    func sample(shift: Int) {
        let text = String(repeating: "a", count: shift) + String(repeating: "𝄞", count: 20_000) + "許"
        let decoded = DecodedText(Array(text.utf8))
        #expect(decoded.encoding == .utf8)
        #expect(decoded.text == text)
    }

    @Test("only the beginning decides, whatever the length")
    func bounded() {
        let ascii = [UInt8](repeating: 0x61, count: TextEncoding.sampleSize)
        #expect(TextEncoding.guess(ascii + [0xB3, 0x5C]) == .utf8)
        #expect(TextEncoding.guess(ascii.dropLast(9) + bytes("0A A4 73 A8 A6 B8 CC AA BA")) == .big5)
    }
}
