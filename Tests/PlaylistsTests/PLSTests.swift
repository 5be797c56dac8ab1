import Music
import Playlists
import Testing

@Suite("PLS lists")
struct PLSTests {
    @Test(
        "are read by number (C240, C241)",
        arguments: [
            ("[playlist]\nFile1=a\nFile2=b\nNumberOfEntries=2\n", ["a", "b"]),
            ("[Playlist]\nnumberofentries=1\nFILE10=j\nfile2=b\nFile1=a\n", ["a", "b", "j"]),
            ("\u{FEFF}[PLAYLIST]\r\n\r\nFile7 = a b = c \r\nVersion=2\r\n", ["a b = c"]),
            ("[playlist]\nFile99999999999=a\nFile0=z\nFile-1=m\nFile=x\nNumberOfEntries=4294967295\n", ["z"]),
            (
                "[playlist]\nFile1=\nFile2=C:\\Music\\a.mp3\nFile3=http://x.example:80/y=z\n",
                ["C:\\Music\\a.mp3", "http://x.example:80/y=z"]
            ),
            ("[playlist]\n; File1=no\nTitle1=nothing\nFile2=a\n", ["a"]),
            ("File1=no section\n", ["no section"]),
            ("[Reference]\nRef1=http://a/\nRef2=b\n", ["http://a/", "b"]),
        ] as [(String, [String])]
    )
    func entries(text: String, locations: [String]) throws {
        #expect(try Shelf().read("list.pls", text).map(\.text) == locations)
    }

    @Test("titles and lengths go with their numbers")
    func fields() throws {
        let text = "[playlist]\ntitle2=b = B\nLength1=10\nFile1=a\nFile2=b\nLength2=-1\nTitle1=A\n"
        let entries = try Shelf().read("list.pls", text)
        #expect(entries.map(\.title) == ["A", "b = B"])
        #expect(entries.map(\.duration) == [.seconds(10), nil])
    }
}
