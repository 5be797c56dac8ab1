import Charset
import TestSupport
import Testing

/// Texts in an encoding, and where whoever reads them is at home.
private struct Case: CustomTestStringConvertible, Sendable {
    var texts: [String]
    var encoding: String
    var locales: [String]

    var testDescription: String { "\(encoding): \(texts.joined(separator: ", "))" }
}

private let everywhere = [
    "C", "de_DE.UTF-8", "zh_TW.UTF-8", "zh_CN.UTF-8", "ja_JP.UTF-8", "ko_KR.UTF-8", "ru_RU.UTF-8",
]

/// Titles and names as they stand in old tags.
private let cases = [
    Case(texts: ["山谷裡的回聲", "南迴線合唱團", "海岸線的歌"], encoding: "BIG5", locales: everywhere),
    Case(texts: ["許功蓋之歌", "成功海岸"], encoding: "BIG5", locales: everywhere),
    Case(texts: ["張惠妹 (A-mei)", "聽海"], encoding: "BIG5", locales: ["C", "zh_TW"]),
    Case(texts: ["山谷里的回声", "海岸线合唱团"], encoding: "GBK", locales: everywhere),
    Case(texts: ["谷間のこだま", "海辺の合唱団"], encoding: "CP932", locales: everywhere),
    Case(texts: ["ﾃﾞｨｽｺ ﾅｲﾄ", "月の畑"], encoding: "CP932", locales: ["C", "ja_JP"]),
    Case(texts: ["골짜기의 메아리", "바닷가 합창단", "달빛의 노래"], encoding: "EUC-KR", locales: everywhere),
    Case(texts: ["Эхо в долине", "Хор побережья"], encoding: "CP1251", locales: everywhere),
    Case(texts: ["Тест 01 (feat. ABC)"], encoding: "CP1251", locales: everywhere),
    Case(texts: ["Океан Ельзи", "Без меж"], encoding: "CP1251", locales: ["C", "uk_UA"]),
    Case(texts: ["Эхо в долине", "Хор побережья"], encoding: "KOI8-R", locales: ["C", "ru_RU"]),
    // Two to four characters, where the reader's language has to help.
    Case(texts: ["山谷"], encoding: "BIG5", locales: ["zh_TW", "zh_HK.UTF-8"]),
    Case(texts: ["回聲"], encoding: "BIG5", locales: ["zh_TW"]),
    Case(texts: ["王菲", "約定"], encoding: "BIG5", locales: ["zh_TW"]),
    Case(texts: ["爱你"], encoding: "GBK", locales: ["zh_CN"]),
    Case(texts: ["我们"], encoding: "GBK", locales: ["zh_CN"]),
    Case(texts: ["欧元"], encoding: "GBK", locales: ["zh_CN"]),
    Case(texts: ["王菲", "红豆"], encoding: "GBK", locales: ["zh_CN"]),
    Case(texts: ["月光"], encoding: "CP932", locales: ["ja_JP"]),
    Case(texts: ["さくら"], encoding: "CP932", locales: ["ja_JP", "C"]),
    Case(texts: ["사랑"], encoding: "EUC-KR", locales: ["ko_KR"]),
    Case(texts: ["Кино"], encoding: "CP1251", locales: ["ru_RU", "C"]),
    Case(texts: ["ДДТ"], encoding: "CP1251", locales: ["ru_RU"]),
    Case(texts: ["Ой"], encoding: "CP1251", locales: ["ru_RU"]),
    // The West stays the West, whoever reads it.
    Case(texts: ["Motörhead"], encoding: "CP1252", locales: everywhere),
    Case(texts: ["Björk", "Jóga"], encoding: "CP1252", locales: everywhere),
    Case(texts: ["Café del Mar"], encoding: "CP1252", locales: everywhere),
    Case(texts: ["Señor"], encoding: "CP1252", locales: everywhere),
    Case(texts: ["Ænima"], encoding: "CP1252", locales: everywhere),
    Case(texts: ["ÄÖÜ"], encoding: "CP1252", locales: everywhere),
    Case(texts: ["Für Elise", "Die Ärzte", "Größenwahn"], encoding: "CP1252", locales: everywhere),
    Case(texts: ["Räksmörgås", "Sigur Rós", "Ágætis byrjun"], encoding: "CP1252", locales: everywhere),
    Case(texts: ["Canções do coração", "Não é"], encoding: "CP1252", locales: everywhere),
    Case(texts: ["L’été à “Noël” – déjà vu…"], encoding: "CP1252", locales: everywhere),
    Case(texts: ["Naïve"], encoding: "CP1252", locales: everywhere),
    Case(texts: ["Dvořák", "Žluťoučký kůň"], encoding: "CP1250", locales: ["cs_CZ"]),
    Case(texts: ["山", "ok"], encoding: "UTF-8", locales: everywhere),
    Case(texts: ["é"], encoding: "UTF-8", locales: everywhere),
    Case(texts: ["Кино"], encoding: "UTF-8", locales: everywhere),
    Case(texts: ["O radiw no ʼayaw a romiʼad"], encoding: "UTF-8", locales: everywhere),
]

struct EncodingDecisionTests {
    @Test("texts are read as they were written", arguments: cases)
    fileprivate func reads(example: Case) throws {
        let texts = example.texts.map { UndeclaredText(written($0, example.encoding)) }
        try #require(!texts.contains { $0.bytes.isEmpty })
        for locale in example.locales {
            let decision = try #require(EncodingDecision(texts, order: EncodingOrder(locale: locale)))
            let decoder = TextDecoder(decision.encoding)
            #expect(texts.map { decoder.exactly($0) } == example.texts, "in \(locale): \(decision)")
        }
    }

    @Test("of what fits alike the settings' first is taken, and that is said")
    func prefers() throws {
        let bytes = written("王菲", "BIG5")
        let asked = try #require(
            EncodingDecision([UndeclaredText(bytes)], order: EncodingOrder([.big5, .gb18030]))
        )
        #expect(asked.encoding == .big5)
        #expect(asked.reason.contains("is to be tried first"))
        let other = try #require(
            EncodingDecision([UndeclaredText(bytes)], order: EncodingOrder([.gb18030, .big5]))
        )
        #expect(other.encoding == .gb18030)
    }

    @Test("ASCII is nothing to decide about")
    func nothing() {
        #expect(
            EncodingDecision([UndeclaredText(Array("plain".utf8))], order: EncodingOrder(locale: "zh_TW"))
                == nil
        )
        #expect(EncodingDecision([], order: EncodingOrder(locale: "")) == nil)
        #expect(EncodingDecision([UndeclaredText([])], forced: .big5, because: "") == nil)
    }

    @Test("a character that the end of a field cuts does not spoil it")
    func cutCharacters() throws {
        for (name, locale) in [("BIG5", "zh_TW"), ("GBK", "zh_CN"), ("UTF-8", "C")] {
            let bytes = written("回聲在月光下慢慢走", name).dropLast()
            let text = UndeclaredText(Array(bytes), mayBeCut: true)
            let decision = try #require(EncodingDecision([text], order: EncodingOrder(locale: locale)))
            #expect(TextDecoder(decision.encoding).exactly(text) == "回聲在月光下慢慢", "\(decision)")
            #expect(TextDecoder(decision.encoding).exactly(UndeclaredText(text.bytes)) == nil)
        }
    }

    @Test("one damaged text does not spoil the others")
    func damage() throws {
        let texts = ["山谷裡的回聲", "南迴線合唱團"].map { UndeclaredText(written($0, "BIG5")) }
        let damaged = texts + [UndeclaredText(written("海岸", "BIG5") + [0xFF])]
        #expect(EncodingDecision(damaged, order: EncodingOrder(locale: "C"))?.encoding == .big5)
    }

    @Test("what is asked for is taken, only UTF-8 is told apart")
    func forced() throws {
        let greek = UndeclaredText(written("Νότια", "CP1253"))
        let wish = TextEncoding(label: "windows-1253")
        #expect(
            EncodingDecision([greek], forced: wish, because: "so") == EncodingDecision(wish, because: "so")
        )
        let utf8 = UndeclaredText(Array("é山".utf8))
        #expect(EncodingDecision([utf8], forced: .big5, because: "so")?.encoding == .utf8)
    }

    @Test("noise is decided about, too", arguments: everywhere)
    func noise(locale: String) {
        var state: UInt64 = 7
        func byte() -> UInt8 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 33)
        }
        for length in 1..<60 {
            let texts = (0..<3).map { _ in UndeclaredText((0..<length).map { _ in byte() } + [0x80]) }
            #expect(EncodingDecision(texts, order: EncodingOrder(locale: locale)) != nil)
        }
    }

    @Test(
        "locales and what is written there",
        arguments: [
            ("zh_TW.UTF-8", TextEncoding.big5), ("zh-Hant", .big5), ("zh_HK", .big5),
            ("zh_CN.GB18030", .gb18030),
            ("zh", .gb18030), ("ja_JP", .shiftJIS), ("ko", .uhc), ("ru_RU@x", .windows1251),
            ("uk", .windows1251),
            ("C", .windows1252), ("POSIX", .windows1252), ("", .windows1252), ("_", .windows1252),
            ("de_AT", .windows1252),
            ("pl_PL", TextEncoding(label: "WINDOWS-1250")),
        ]
    )
    func locales(locale: String, first: TextEncoding) {
        #expect(EncodingOrder(locale: locale).encodings.first == first)
    }
}
