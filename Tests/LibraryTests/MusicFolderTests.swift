import Library
import Music
import Testing

struct MusicFolderTests {
    @Test(
        "the folder that the desktop names",
        arguments: [
            (nil, "/home/u/Music"),
            ("", "/home/u/Music"),
            ("XDG_MUSIC_DIR=\"$HOME/Musik\"\n", "/home/u/Musik"),
            (
                "# XDG_MUSIC_DIR=\"$HOME/No\"\n  XDG_MUSIC_DIR = \"$HOME/My \\\"M\\\"/\" # c",
                "/home/u/My \"M\""
            ),
            ("XDG_MUSIC_DIR=\"/data/音樂\"", "/data/音樂"),
            ("XDG_MUSIC_DIR=\"$HOME/A\"\nXDG_MUSIC_DIR=\"$HOME/B\"", "/home/u/B"),
            ("XDG_MUSIC_DIR=\"$HOME/\"", nil),
            ("XDG_MUSIC_DIR=\"$HOME\"", nil),
            ("XDG_MUSIC_DIR=\"/home/u\"", nil),
            ("XDG_MUSIC_DIR=\"relative\"", "/home/u/Music"),
            ("XDG_MUSIC_DIR=\"$HOMEX/a\"", "/home/u/Music"),
            ("XDG_MUSIC_DIR=\"$HOME/open", "/home/u/Music"),
            ("XDG_MUSIC_DIR=$HOME/bare", "/home/u/Music"),
            ("XDG_MUSIC_DIRS=\"$HOME/x\"", "/home/u/Music"),
        ] as [(String?, String?)]
    )
    func finds(userDirs: String?, folder: String?) throws {
        let home = try #require(FilePath("/home/u"))
        let found = MusicFolder.find(home: home, userDirs: userDirs.map { Array($0.utf8) })
        #expect(found?.description == folder)
    }
}
