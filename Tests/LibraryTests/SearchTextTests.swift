import Testing

@testable import Library

struct SearchTextTests {
    @Test(
        "what is searched in, word by word",
        arguments: [
            ("Hello, World!", "hello world"),
            ("Ａｍís Ami\u{302}s ÉTÉ ŁÓDŹ ø", "amis amis ete lodz o"),
            ("O’ayaw", "o ayaw oayaw"),
            ("O 'ayaw", "o ayaw oayaw"),
            ("Oʻayaw", "o ayaw oayaw"),
            ("don't stop", "don t stop dont"),
            ("'quoted'", "quoted quoted"),
            ("山谷裡的echo 2", "山 谷 裡 的 echo 2"),
            ("ガンダム ｶﾞﾝﾀﾞﾑ か\u{3099}", "ガ ン ダ ム ガ ン ダ ム が"),
            ("골짜기", "골 짜 기"),
            ("🎵歌", "🎵 歌"),
            ("नमस्ते", "नमस्ते"),
            ("AC/DC_live-01", "ac dc live 01"),
            ("", ""),
            ("\"* OR (NEAR) :^ -", "or near"),
        ]
    )
    func indexes(text: String, words: String) {
        #expect(SearchText.indexed(text) == words)
    }

    @Test(
        "what is searched for: nothing in a query is more than text",
        arguments: [
            ("Hello wor", "\"hello\"* \"wor\"*"),
            ("O’ayaw", "\"oayaw\"*"),
            ("O 'ayaw", "\"o\"* \"ayaw\"*"),
            ("山谷", "\"山 谷\""),
            ("AC/DC", "\"ac dc\"*"),
            (
                "a OR b* \"c\" NEAR(d) title:e -f",
                "\"a\"* \"or\"* \"b\"* \"c\"* \"near d\"* \"title e\"* \"f\"*"
            ),
            ("!?", nil),
            ("  \n\t ", nil),
            ("a\0b", "\"a\"* \"b\"*"),
        ] as [(String, String?)]
    )
    func queries(query: String, expression: String?) {
        #expect(SearchText.expression(for: query) == expression)
    }
}
