import Testing

@testable import Language

@Suite("Phrases")
struct PhraseTests {
    @Test("what is put in comes out where it was put")
    func english() {
        let (name, count) = ("“%2”", 3)
        let inner: Phrase = "\(count) songs"
        let cases: [(Phrase, String)] = [
            ("", ""), ("nothing put in", "nothing put in"), ("\(name)", "“%2”"),
            ("volume \(count)%, \(name)", "volume 3%, “%2”"), ("100% of \(inner)", "100% of 3 songs"),
            ("\(inner), \(inner)", "3 songs, 3 songs"), (Phrase(verbatim: "%1 %%"), "%1 %%"),
            ("%9 and %0: \(count)", "%9 and %0: 3"),
        ]
        for (phrase, text) in cases {
            #expect(phrase.english == text)
            // No catalog is beside the tests, so they read English everywhere.
            #expect(phrase.description == text)
        }
    }

    @Test("phrases are the same where they say the same")
    func equality() {
        #expect(Phrase("\(3) songs") == Phrase(verbatim: "3 songs"))
        #expect(Phrase("\(3) songs") != "\(4) songs")
    }

    @Test(
        "columns on a terminal",
        arguments: [
            ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("天籟", 4), ("（）", 4), ("한글", 4), ("カナ", 4),
            ("ｶﾅ", 2), ("“…”", 3), ("🎵", 2), ("a\u{200B}b", 2), ("𠀀", 2),
        ]
    )
    func columns(text: String, columns: Int) {
        #expect(text.columns == columns)
        #expect(text.padded(to: 6).columns == 6)
        #expect(text.indented(to: 6).columns == 6)
        #expect(text.padded(to: 0) == text)
    }
}
