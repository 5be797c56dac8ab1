import Charset
import Glibc
import Music
import Session
import TagReading
import TestSupport
import Testing

@testable import Service

private func path(_ text: String) throws -> FilePath {
    try #require(FilePath(text))
}

private func environment(_ variables: [String: String], homeOfUser: String? = nil) -> Environment {
    Environment(
        variable: { variables[$0].map { Array($0.utf8) } },
        homeOfUser: { homeOfUser.flatMap { FilePath($0) } }
    )
}

@Suite("The user's folders")
struct FoldersTests {
    @Test("are where XDG says, in the home without a word of it")
    func places() throws {
        let home = Folders(environment(["HOME": "/home/me"]))
        #expect(home.config?.description == "/home/me/.config/tianlai")
        #expect(home.state?.description == "/home/me/.local/state/tianlai")
        #expect(home.data?.description == "/home/me/.local/share/tianlai")
        #expect(home.cache?.description == "/home/me/.cache/tianlai")
        #expect(home.runtime == nil)
        #expect(Folders(environment([:], homeOfUser: "/home/me")) == home)

        let named = Folders(
            environment([
                "HOME": "/home/me", "XDG_CONFIG_HOME": "/c", "XDG_STATE_HOME": "/s", "XDG_DATA_HOME": "/d",
                "XDG_CACHE_HOME": "/k", "XDG_RUNTIME_DIR": "/run/user/1",
            ])
        )
        let places = [named.config, named.state, named.data, named.cache, named.runtime]
        #expect(
            places.map { $0?.description } == [
                "/c/tianlai", "/s/tianlai", "/d/tianlai", "/k/tianlai", "/run/user/1/tianlai",
            ]
        )
    }

    @Test("are nowhere without a home, and where a variable is not absolute")
    func nowhere() {
        let none = Folders(environment(["XDG_STATE_HOME": "state", "XDG_RUNTIME_DIR": ""]))
        #expect(none.state == nil)
        #expect(none.runtime == nil)
        #expect(none.config == nil)
        #expect(none.music() == nil)
        let relative = Folders(environment(["HOME": "/home/me", "XDG_CACHE_HOME": "cache"]))
        #expect(relative.cache?.description == "/home/me/.cache/tianlai")
    }

    @Test(
        "the folder of music is what the desktop has written",
        arguments: [
            ("", "/home/me/Music"),
            ("# XDG_MUSIC_DIR=\"/no\"\nXDG_MUSIC_DIR=\"$HOME/音樂\"\n", "/home/me/音樂"),
            ("XDG_DESKTOP_DIR=\"/d\"\n  XDG_MUSIC_DIR=\"/srv/music/\"", "/srv/music"),
            (#"XDG_MUSIC_DIR="$HOME/a \"b\" \$c""#, #"/home/me/a "b" $c"#),
            ("XDG_MUSIC_DIR=\"/a\"\nXDG_MUSIC_DIR=\"/b\"\n", "/b"),
            ("XDG_MUSIC_DIR=\"$HOME/\"", nil),
            ("XDG_MUSIC_DIR=\"$HOME\"", nil),
            ("XDG_MUSIC_DIR=\"relative\"", "/home/me/Music"),
            ("XDG_MUSIC_DIR=\"$HOMEPAGE\"", "/home/me/Music"),
            ("XDG_MUSIC_DIR=\"/never closed", "/home/me/Music"),
            ("XDG_MUSIC_DIR=\"$HOME/My \\\"M\\\"/\" # c", "/home/me/My \"M\""),
            ("XDG_MUSIC_DIR=\"/home/me\"", nil),
            ("XDG_MUSIC_DIR=$HOME/bare", "/home/me/Music"),
            ("XDG_MUSIC_DIRS=\"$HOME/x\"", "/home/me/Music"),
        ] as [(String, String?)]
    )
    func music(list: String, folder: String?) throws {
        let music = Folders.music(in: Array(list.utf8), home: try path("/home/me"))
        #expect(music?.description == folder)
    }
}

@Suite("config.ini")
struct SettingsTests {
    /// What a parser makes of `text`.
    private func parse(_ text: String, home: String? = "/home/me") -> SettingsParser {
        let parser = SettingsParser(home: home.flatMap { FilePath($0) })
        parser.parse(Array(text.utf8))
        return parser
    }

    @Test("sets what it names")
    func all() {
        let parser = parse(
            """
            # mine
            [library]
            folders = /srv/music:~/Music ; and more
            [playback]
            previous-restarts-after = 3
            crossfade = 7.5
            pause-on-sleep = no
            inhibit-suspend = yes
            pause-others = yes
            pause-when-others-play = yes
            [audio]
            output-device = alsa_output.usb
            pause-on-device-loss = no
            [bus]
            position-interval = 0.5
            [covers]
            cache-size = 30
            """
        )
        #expect(parser.problems == [])
        #expect(parser.folders?.map(\.description) == ["/srv/music", "/home/me/Music"])
        #expect(parser.settings.previousRestartsAfter == .seconds(3))
        #expect(parser.settings.crossfade == .seconds(7.5))
        #expect(parser.settings.positionInterval == .seconds(0.5))
        #expect(parser.settings.outputDevice == "alsa_output.usb")
        #expect(!parser.settings.pausesOnDeviceLoss)
        #expect(parser.settings.coverCacheSize == 30_000_000)
        let session = parser.settings.session
        #expect(!session.pausesOnSleep && session.inhibitsSuspend)
        #expect(session.pausesOthers && session.pausesWhenOthersPlay)
    }

    @Test("without a word it pauses before the machine sleeps, and minds neither its rest nor others")
    func defaultSession() {
        let session = parse("").settings.session
        #expect(session.pausesOnSleep && !session.inhibitsSuspend)
        #expect(!session.pausesOthers && !session.pausesWhenOthersPlay)
    }

    @Test("without a name the device is the default one")
    func defaultDevice() {
        let parser = parse("[audio]\noutput-device =\npause-on-device-loss = yes\n")
        #expect(parser.problems == [])
        #expect(parser.settings == Settings())
    }

    @Test(
        "folders",
        arguments: [
            ("/a", ["/a"]),
            ("/a/:/a://", ["/a", "/"]),
            ("~:~/:~/b:c:~d", ["/home/me", "/home/me/b", "/home/me/c", "/home/me/~d"]),
            (" /a b : : /c", ["/a b", "/c"]),
            ("", []),
            ("/a\n  /b:/c\n\t~/d", ["/a", "/b", "/c", "/home/me/d"]),
            (
                "/" + String(repeating: "x", count: 5000) + ":/z",
                ["/" + String(repeating: "x", count: 5000), "/z"]
            ),
        ] as [(String, [String])]
    )
    func folders(value: String, folders: [String]) {
        let parser = parse("[library]\nfolders = \(value)\n")
        #expect(parser.problems == [])
        #expect(parser.folders?.map(\.description) == folders)
    }

    @Test("encodings in their order, and for folders")
    func encodings() throws {
        let parser = parse(
            """
            [tags]
            encodings = Shift_JIS, big5 ,cp936
            encoding-in = ~/Musik/Ελλάς/: windows-1253
            encoding-in = /srv/a: b:koi8-r
            """
        )
        #expect(parser.problems == [])
        let encodings = parser.settings.tagEncodings
        #expect(encodings.order == EncodingOrder([.shiftJIS, .big5, .gb18030]))
        #expect(
            encodings.folders == [
                TagEncodings.Folder(
                    path: try path("/home/me/Musik/Ελλάς"),
                    encoding: TextEncoding(label: "WINDOWS-1253")
                ),
                TagEncodings.Folder(path: try path("/srv/a: b"), encoding: .koi8),
            ]
        )
    }

    @Test("without a word of encodings the locale says them, and what is not known is left out")
    func usualEncodings() {
        let parser = SettingsParser(home: nil, locale: "zh_TW.UTF-8")
        parser.parse(Array("[tags]\nencodings = klingon\n".utf8))
        #expect(
            parser.problems == [
                "2: “klingon” is no encoding that this system knows; `iconv -l` lists them; ignored"
            ]
        )
        #expect(parser.settings.tagEncodings.order == EncodingOrder([.big5, .gb18030]))
        parser.parse(Array("[tags]\nencodings = klingon, big5\n".utf8))
        #expect(parser.settings.tagEncodings.order == EncodingOrder([.big5]))
    }

    @Test(
        "the locale is the first variable that says one",
        arguments: [
            ([:], ""), (["LANG": "ja_JP"], "ja_JP"), (["LANG": "ja_JP", "LC_CTYPE": "ko_KR"], "ko_KR"),
            (["LANG": "ja_JP", "LC_CTYPE": "ko_KR", "LC_ALL": "C"], "C"),
            (["LC_ALL": "", "LANG": "ru"], "ru"),
        ] as [([String: String], String)]
    )
    func locale(variables: [String: String], locale: String) {
        #expect(environment(variables).locale == locale)
    }

    @Test("folders need not be text")
    func bytes() throws {
        let parser = SettingsParser(home: nil)
        parser.parse(Array("[library]\nfolders=/a".utf8) + [0xFF])
        #expect(parser.folders == [try #require(FilePath(bytes: [0x2F, 0x61, 0xFF]))])
    }

    @Test(
        "says what is wrong, and where",
        arguments: [
            ("[tags]\nencoding-in = big5", "2: “big5”: encoding-in is FOLDER: ENCODING; ignored"),
            (
                "[tags]\nencoding-in = /a: x",
                "2: “x” is no encoding that this system knows; `iconv -l` lists them; ignored"
            ),
            ("x = 1", "1: there is no setting “x” before the first section; ignored"),
            ("[library]\n\n# c\nfolder = /a", "4: there is no setting “folder” in [library]; ignored"),
            ("[Bus]\nposition-interval = 1", "2: there is no setting “position-interval” in [Bus]; ignored"),
            (
                "[bus]\nposition-interval = 0.01\n",
                "2: “0.01”: position-interval is a number of seconds, 0 (off) or 0.1 to 3600; ignored"
            ),
            (
                "[playback]\nprevious-restarts-after = soon",
                "2: “soon”: previous-restarts-after is a number of seconds, 0 (off) to 3600; ignored"
            ),
            (
                "[playback]\nprevious-restarts-after = -1",
                "2: “-1”: previous-restarts-after is a number of seconds, 0 (off) to 3600; ignored"
            ),
            (
                "[playback]\nprevious-restarts-after =",
                "2: “”: previous-restarts-after is a number of seconds, 0 (off) to 3600; ignored"
            ),
            (
                "[playback]\nprevious-restarts-after = 0x1p3",
                "2: “0x1p3”: previous-restarts-after is a number of seconds, 0 (off) to 3600; ignored"
            ),
            (
                "[audio]\npause-on-device-loss = maybe",
                "2: “maybe”: pause-on-device-loss is yes, no; ignored"
            ),
            ("[playback]\npause-others = on", "2: “on”: pause-others is yes, no; ignored"),
            (
                "[playback]\nreplay-gain = loud",
                "2: “loud”: replay-gain is auto, track, album, off; ignored"
            ),
            (
                "[playback]\nreplay-gain-preamp = 15.1",
                "2: “15.1”: replay-gain-preamp is a number of decibels, -15 to 15; ignored"
            ),
            (
                "[playback]\nreplay-gain-preamp = nan",
                "2: “nan”: replay-gain-preamp is a number of decibels, -15 to 15; ignored"
            ),
            (
                "[playback]\nreplay-gain-prevents-clipping = maybe",
                "2: “maybe”: replay-gain-prevents-clipping is yes, no; ignored"
            ),
            (
                "[playback]\ncrossfade = 16",
                "2: “16”: crossfade is a number of seconds, 0 (off) to 15; ignored"
            ),
            (
                "[covers]\ncache-size = 0",
                "2: “0”: cache-size is a number of megabytes, 10 to 1000000; ignored"
            ),
            (
                "[covers]\ncache-size = 1.5",
                "2: “1.5”: cache-size is a number of megabytes, 10 to 1000000; ignored"
            ),
            (
                "[covers]\ncache-size = 99999999999999999999",
                "2: “99999999999999999999”: cache-size is a number of megabytes, 10 to 1000000; ignored"
            ),
            ("[bus]\nposition-interval", "2: is neither [section] nor name = value; ignored"),
            ("[bus\n", "1: is neither [section] nor name = value; ignored"),
            ("[bus]\n\0", "1: is no text; ignored"),
        ]
    )
    func wrong(text: String, problem: String) {
        let parser = parse(text)
        #expect(parser.problems == [problem])
        #expect(parser.settings == Settings())
        #expect(parser.folders == nil)
    }

    @Test(
        "loudness",
        arguments: [
            ("replay-gain = track", GainSettings(mode: .track)),
            ("replay-gain = off", GainSettings(mode: .off)),
            ("replay-gain-preamp = -15", GainSettings(preamp: -15)),
            ("replay-gain-preamp = +3.5", GainSettings(preamp: 3.5)),
            ("replay-gain-prevents-clipping = no", GainSettings(preventsClipping: false)),
            ("replay-gain = auto\nreplay-gain-prevents-clipping = yes", GainSettings()),
        ]
    )
    func loudness(text: String, gain: GainSettings) {
        let parser = parse("[playback]\n\(text)\n")
        #expect(parser.problems == [])
        #expect(parser.settings.gain == gain)
    }

    @Test("without a home, only whole paths can be found")
    func homeless() {
        let parser = parse("[library]\nfolders = /a:~/b", home: nil)
        #expect(parser.folders?.map(\.description) == ["/a"])
        #expect(parser.problems == ["2: there is no home in which “~/b” could be; ignored"])
    }

    @Test("what is good counts beside what is not")
    func mixed() {
        let parser = parse("[bus]\nnonsense\nposition-interval = x\nposition-interval = 1\n")
        #expect(parser.settings.positionInterval == .seconds(1))
        #expect(parser.problems.count == 2)
    }
}

@Suite("Reading config.ini")
struct SettingsFileTests {
    private let folder: TemporaryFolder
    private let folders: Folders

    init() throws {
        folder = try TemporaryFolder()
        try folder.makeFolder("config/tianlai")
        let variables = ["HOME": folder.path, "XDG_CONFIG_HOME": folder.path("config")]
        folders = Folders(environment(variables))
    }

    private func read() -> (settings: Settings, reported: [String]) {
        var reported: [String] = []
        let settings = Settings.read(in: folders) { reported.append($0) }
        return (settings, reported)
    }

    @Test("one that is missing leaves everything as it is, with the user's folder of music")
    func missing() throws {
        #expect(read().settings.folders == [try path(folder.path("Music"))])
        try folder.write("config/user-dirs.dirs", "XDG_MUSIC_DIR=\"$HOME/音樂\"\n".utf8)
        #expect(read().settings.folders == [try path(folder.path("音樂"))])
        #expect(read().reported == [])
    }

    @Test("one that is there counts, and says where it is wrong")
    func present() throws {
        let file = try folder.write(
            "config/tianlai/config.ini",
            "[library]\nfolders = /nowhere:/\nfoo = 1\n[bus]\nposition-interval = 2".utf8
        )
        var expected = Settings()
        expected.folders = [try path("/nowhere"), try path("/")]
        expected.positionInterval = .seconds(2)
        #expect(read().settings == expected)
        #expect(
            read().reported == [
                "\(file):3: there is no setting “foo” in [library]; ignored",
                "/nowhere: there is no such folder now; it is named in \(file)",
            ]
        )
    }

    @Test("what is no small regular file is not read")
    func irregular() throws {
        let file = folder.path("config/tianlai/config.ini")
        #expect(mkfifo(file, 0o600) == 0)
        #expect(read().reported == ["\(file): it is a pipe, not a file; ignored"])
        unlink(file)
        try folder.write("config/tianlai/config.ini", [UInt8](repeating: 0x0A, count: 65_536))
        #expect(read().reported == [])
        try folder.write("config/tianlai/config.ini", [UInt8](repeating: 0x0A, count: 65_537))
        #expect(read().reported == ["\(file): it is longer than 64 KiB; ignored"])
    }
}
