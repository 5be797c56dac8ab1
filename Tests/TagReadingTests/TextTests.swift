import Charset
import Testing

@testable import TagReading

struct TextTests {
    @Test(
        "the encodings of ID3v2, right and wrong ones",
        arguments: [
            ([0] + Array("plain".utf8), ["plain"]),
            ([0, 0x43, 0xE9], ["Cé"]),
            ([0] + Array("山".utf8), ["山"]),
            ([3] + Array("a\0b\0".utf8), ["a", "b"]),
            ([3, 0x61, 0xFF], ["a\u{FFFD}"]),
            ([3, 0xC0, 0x80], ["\u{FFFD}\u{FFFD}"]),
            ([1, 0xFF, 0xFE, 0x61, 0, 0, 0, 0x62, 0], ["a", "b"]),
            ([1, 0xFE, 0xFF, 0, 0x61, 0, 0, 0, 0x62], ["a", "b"]),
            ([1, 0xFF, 0xFE, 0x61, 0, 0, 0, 0xFE, 0xFF, 0, 0x62], ["a", "b"]),
            ([1, 0xFF, 0xFE, 0xFF, 0xFE, 0x61, 0], ["a"]),
            ([1, 0xFF, 0xFE, 0x61, 0, 0x62], ["a"]),
            ([1, 0xFF, 0xFE], []),
            ([1, 0x61, 0, 0x62, 0], ["ab"]),
            ([1, 0, 0x61, 0, 0x62], ["ab"]),
            ([1, 0xFF, 0xFE, 0x00, 0xD8, 0x61, 0], ["\u{FFFD}a"]),
            ([2, 0x5C, 0x71], ["山"]),
            ([2, 0xFF, 0xFE, 0x61, 0], ["a"]),
            ([9, 0x61], ["a"]),
            ([3], []),
            ([], []),
        ] as [([UInt8], [String])]
    )
    func decodes(frame: [UInt8], values: [String]) {
        var texts = TagTexts()
        let found = ID3Text.values(frame)
        texts.add(found, to: .title)
        let reading = TagTextReading(EncodingDecision(texts.undeclared, order: EncodingOrder(locale: "C")))
        #expect(found.map(reading.text) == values)
    }

    @Test(
        "genres",
        arguments: [
            (["Rock"], ["Rock"]), (["17"], ["Rock"]), (["(17)"], ["Rock"]), (["(17)Rock"], ["Rock"]),
            (["(17)(8)Campus Folk"], ["Rock", "Jazz", "Campus Folk"]),
            (["(RX)(4)Eurodisco"], ["Remix", "Disco", "Eurodisco"]),
            (["((brackets)"], ["(brackets)"]), (["(brackets) too"], ["(brackets) too"]), (["(17"], ["(17"]),
            (["255"], []), (["(999)"], []), (["99999999999999999999999"], []), (["-1"], ["-1"]),
            (["", " "], []),
            (["17", "CR", "x"], ["Rock", "Cover", "x"]),
        ] as [([String], [String])]
    )
    func namesGenres(values: [String], names: [String]) {
        #expect(GenreText.names(values) == names)
    }

    @Test(
        "numbers",
        arguments: [
            ("3/12", 3), (" 03", 3), ("7", 7), ("3/", 3), ("0/0", nil), ("/2", nil), ("", nil), ("A1", nil),
            ("-3", nil), ("99999999999999999999", nil), ("٣", nil),
        ] as [(String, Int32?)]
    )
    func readsNumbers(text: String, number: Int32?) {
        #expect(TagValue.number(text) == number)
    }

    @Test(
        "dates",
        arguments: [
            ("2009", "2009"), ("2009-09", "2009-09"), ("2009-09-04", "2009-09-04"),
            ("2009-09-04 14:20", "2009-09-04"), ("2009-09-04T14:20:01Z", "2009-09-04"),
            ("2009-13-01", "2009"),
            ("2009-09-00", "2009-09"), ("0067", nil), ("2009-9-4", "2009"), ("20199", nil), ("0000", nil),
            ("9", nil),
            ("", nil),
        ] as [(String, String?)]
    )
    func readsDates(text: String, date: String?) {
        #expect(TagValue.date(text) == date)
    }
}
