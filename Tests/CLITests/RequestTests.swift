import Language
import Music
import Service
import Testing

@testable import CLI

/// A command line as a shell would split it.
private func request(_ line: String) throws(UsageError) -> Request {
    try Request(line.split(separator: " ").map { Array($0.utf8) })
}

private func path(_ text: String) -> FilePath {
    FilePath(text) ?? FilePath(bytes: [0x3F]) ?? path("?")
}

private func noNumber(_ word: String) -> String {
    "“\(word)” is no number of a song, nor a range like 3-5"
}

@Suite("Command lines")
struct RequestTests {
    @Test(
        "are understood",
        arguments: [
            ("play", .player(.play)),
            ("play a.mp3 file:///b", .player(.open([.path(path("a.mp3")), .uri("file:///b")]))),
            ("play -- --odd", .player(.open([.path(path("--odd"))]))),
            ("play -", .player(.open([.path(path("-"))]))),
            ("pause", .player(.pause)),
            ("toggle", .player(.toggle)),
            ("next", .player(.next)),
            ("previous", .player(.previous)),
            ("stop", .player(.stop)),
            ("quit", .player(.quit)),
            ("seek -10", .player(.seek(.by(.seconds(-10))))),
            ("seek 1:30", .player(.seek(.to(.seconds(90))))),
            ("volume -5%", .player(.volume(.by(-0.05)))),
            ("stop --after", .player(.stopAfterCurrent(true))),
            ("stop --no-after", .player(.stopAfterCurrent(false))),
            ("shuffle toggle", .player(.shuffle(.switched(.toggle)))),
            ("shuffle tracks", .player(.shuffle(.of(.tracks)))),
            ("shuffle albums", .player(.shuffle(.of(.albums)))),
            ("loop playlist", .player(.loop(.playlist))),
            ("sleep", .showSleep),
            ("sleep 30m", .player(.sleep(.after(.seconds(1800))))),
            ("sleep off", .player(.sleep(.off))),
            ("status", .status(StatusOptions())),
            ("status --json -f", .status(StatusOptions(form: .json, follow: true))),
            ("queue list", .listQueue(QueueListOptions())),
            ("queue list --json 3-5", .listQueue(QueueListOptions(json: true, numbers: 3...5))),
            ("queue list 7", .listQueue(QueueListOptions(numbers: 7...7))),
            ("queue add a --next", .queue(.add([.path(path("a"))], next: true))),
            ("queue remove 1 3-5", .queue(.remove([1...1, 3...5]))),
            ("queue move 3-5 1", .queue(.move(3...5, to: 1))),
            ("queue clear", .queue(.clear)),
            ("queue goto 12", .queue(.goTo(12))),
            ("playlist list --json", .listPlaylists(json: true)),
            ("playlist play 雨", .playlist(.play("雨"))),
            ("playlist save 雨.1", .playlist(.save(.name("雨.1")))),
            ("playlist save a.M3U8", .playlist(.save(.file(path("a.M3U8"))))),
            ("playlist save ./b/a.xspf", .playlist(.save(.file(path("./b/a.xspf"))))),
            ("library scan", .scanLibrary(measuresLoudness: false)),
            ("library scan --loudness", .scanLibrary(measuresLoudness: true)),
            ("library search a b", .searchLibrary(SearchOptions(words: "a b"))),
            ("library search --play a", .searchLibrary(SearchOptions(words: "a", use: .play))),
            (
                "library search a --add --limit 5",
                .searchLibrary(SearchOptions(words: "a", use: .add, limit: 5))
            ),
            ("library search -- --json", .searchLibrary(SearchOptions(words: "--json"))),
            ("library status", .libraryStatus(json: false)),
            ("--version", .show("tianlai 0.1.0\n")),
        ] as [(String, Request)]
    )
    func understood(line: String, expected: Request) throws {
        #expect(try request(line) == expected)
    }

    @Test(
        "that are wrong say so in one line",
        arguments: [
            ("", "which command? See tianlai --help"),
            ("plya", "there is no command “plya”; see tianlai --help"),
            ("--json status", "there is no command “--json”; see tianlai --help"),
            ("seek", "seek: [+-]TIME is missing; see tianlai seek --help"),
            (
                "seek soon",
                "seek: TIME is like 90, 1:30 or 1:02:03.5, with + or - for from here; see tianlai seek --help"
            ),
            ("volume 0.5", "volume: N% is 0% to 100%, with + or - for a step; see tianlai volume --help"),
            ("next 2", "next: “2” is one word too many; see tianlai next --help"),
            (
                "shuffle maybe",
                "shuffle: it can be on, off, toggle, tracks or albums; see tianlai shuffle --help"
            ),
            (
                "stop --after --no-after",
                "stop: --after and --no-after exclude each other; see tianlai stop --help"
            ),
            ("queue", "queue: which command? See tianlai queue --help"),
            ("queue lst", "queue: there is no command “lst”; see tianlai queue --help"),
            ("queue list 5-3", "queue list: \(noNumber("5-3")); see tianlai queue list --help"),
            ("queue add", "queue add: PATH|URI|PLAYLIST… is missing; see tianlai queue add --help"),
            ("queue remove 0", "queue remove: \(noNumber("0")); see tianlai queue remove --help"),
            ("queue remove -2", "queue remove: \(noNumber("-2")); see tianlai queue remove --help"),
            ("queue remove 2-", "queue remove: \(noNumber("2-")); see tianlai queue remove --help"),
            ("queue remove 1-2-3", "queue remove: \(noNumber("1-2-3")); see tianlai queue remove --help"),
            ("queue move 1 2-3", "queue move: TO is one number, from 1; see tianlai queue move --help"),
            ("queue goto 1-2", "queue goto: N is one number, from 1; see tianlai queue goto --help"),
            (
                "playlist save a.pls",
                "playlist save: a playlist is written as .m3u8 or .xspf; see tianlai playlist save --help"
            ),
            (
                "playlist save a/b",
                "playlist save: a playlist is written as .m3u8 or .xspf; see tianlai playlist save --help"
            ),
            (
                "library search a --play --add",
                "library search: --play and --add exclude each other; see tianlai library search --help"
            ),
            (
                "library search a --limit 0",
                "library search: --limit is a number, from 1; see tianlai library search --help"
            ),
            (
                "sleep 0",
                "sleep: TIME is like 30m, 1h30m or 45 (minutes), a day at most, or off; see tianlai sleep --help"
            ),
            ("loop all", "loop: it can be none, track or playlist; see tianlai loop --help"),
            ("status --yaml", "status: there is no option --yaml; see tianlai status --help"),
            (
                "status --json --format {{title}}",
                "status: --json and --format exclude each other; see tianlai status --help"
            ),
            (
                "status --format={{title",
                "status: --format, character 8: “}}” is missing; see tianlai status --help"
            ),
            ("status --json=1", "status: --json takes no value; see tianlai status --help"),
            ("serve --output", "serve: --output needs its pulse|silent; see tianlai serve --help"),
            ("serve --output=loud", "serve: --output is pulse or silent; see tianlai serve --help"),
            ("render a.mp3", "render: -o OUT.wav is missing; see tianlai render --help"),
            ("render -o x.wav", "render: FILE… is missing; see tianlai render --help"),
            ("tags", "tags: FILE… is missing; see tianlai tags --help"),
        ]
    )
    func wrong(line: String, message: String) {
        #expect(throws: UsageError(Phrase(verbatim: message))) { try request(line) }
    }

    @Test("serve takes its options in any order")
    func serve() throws {
        var expected = ServeOptions()
        expected.locations = [.path(path("Music")), .uri("https://example.org/a")]
        expected.play = true
        expected.output = .silent
        for line in [
            "serve --play --output silent Music https://example.org/a",
            "serve Music --output=silent https://example.org/a --play",
        ] {
            #expect(try request(line) == .serve(expected))
        }
        #expect(try request("serve") == .serve(ServeOptions()))
    }

    @Test("render and tags name files")
    func files() throws {
        var render = RenderOptions(output: path("o.wav"), files: [path("a"), path("b")])
        #expect(try request("render a -o o.wav b") == .render(render))
        render.json = true
        #expect(try request("render --output=o.wav --json a b") == .render(render))
        #expect(try request("tags a") == .tags(ShowOptions(files: [path("a")])))
    }

    @Test("file names need not be text")
    func bytes() throws {
        let name: [UInt8] = [0x61, 0xFF, 0x3A, 0x2F, 0x2F]
        let file = try #require(FilePath(bytes: name))
        #expect(try Request([Array("play".utf8), name]) == .player(.open([.path(file)])))
        #expect(throws: UsageError("play: a path is empty; see tianlai play --help")) {
            try Request([Array("play".utf8), []])
        }
    }

    @Test("every command explains itself", arguments: Command.all.map(\.name))
    func help(name: String) throws {
        guard case .show(let help) = try request("\(name) --help") else {
            Issue.record("\(name) --help shows nothing")
            return
        }
        #expect(help.hasPrefix("usage: tianlai \(name)"))
        let command = try #require(Command.all.first { $0.name == name })
        for option in command.options { #expect(help.contains(option.name)) }
        #expect(Command.overview.contains("  \(name) "))
        #expect(help.split(separator: "\n").allSatisfy { $0.count <= 110 })
        #expect(Command.all.filter { $0.name == name }.count == 1)
    }

    @Test("a group of commands lists them", arguments: ["queue", "playlist", "library"])
    func groupHelp(group: String) throws {
        guard case .show(let help) = try request("\(group) --help") else {
            Issue.record("\(group) --help shows nothing")
            return
        }
        #expect(help.hasPrefix("usage: tianlai \(group) COMMAND"))
        let members = Command.all.filter { $0.name.hasPrefix(group + " ") }
        #expect(members.count >= 3)
        for member in members {
            #expect(help.contains("\n  \(member.name.dropFirst(group.count + 1)) "))
        }
    }
}

@Suite("Locations")
struct LocationTests {
    @Test(
        "as another process finds them",
        arguments: [
            ("a b.mp3", "file:///home/me/a%20b.mp3"),
            ("/天", "file:///%E5%A4%A9"),
            ("Op. 3: Largo.mp3", "file:///home/me/Op.%203%3A%20Largo.mp3"),
            ("note:x", "file:///home/me/note%3Ax"),
            ("file:///x%20y", "file:///x%20y"),
            ("https://example.org/", "https://example.org/"),
        ]
    )
    func uri(argument: String, uri: String) throws {
        let location = try #require(Location(argument: Array(argument.utf8)))
        #expect(location.uri(from: path("/home/me")) == uri)
    }
}
