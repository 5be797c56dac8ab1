import Language
import Music
import Service

extension Command {
    /// Every command, in the order of the help.
    static let all = player + queue + playlist + library + files

    /// The service, and what a remote control has.
    private static let player: [Command] = [
        Command(
            name: "serve",
            synopsis: "[PATH|URI…]",
            summary: "runs the service in the foreground",
            detail: """
                The files, folders and playlists named become the queue; without any, the last queue comes back.
                It waits, paused, until something asks it to play, unless --play is given.
                """,
            options: [
                .flag("--play", help: "starts to play at once"),
                .value(
                    "--output",
                    of: "pulse|silent",
                    help: "where the sound goes: the sound server, or nowhere"
                ),
            ],
            operands: 0...Int.max
        ) { arguments throws(UsageError) in
            var options = ServeOptions()
            options.locations = try locations(arguments.operands)
            options.play = arguments.has("--play")
            if let name = arguments.value("--output") {
                guard let output = ServeOptions.Output(rawValue: String(decoding: name, as: UTF8.self)) else {
                    throw UsageError("--output is pulse or silent")
                }
                options.output = output
            }
            return .serve(options)
        },
        Command(
            name: "play",
            synopsis: "[PATH|URI…]",
            summary: "plays on, or makes files and folders the queue and plays them",
            detail: "What is named takes the place of the queue; folders are walked.",
            operands: 0...Int.max
        ) { arguments throws(UsageError) in
            let locations = try locations(arguments.operands)
            return .player(locations.isEmpty ? .play : .open(locations))
        },
        plain("pause", .pause, summary: "pauses"),
        plain("toggle", .toggle, summary: "pauses, or plays on"),
        plain("next", .next, summary: "goes to the next song"),
        plain("previous", .previous, summary: "goes to the song before"),
        Command(
            name: "stop",
            synopsis: "",
            summary: "stops; the next play begins the song again",
            options: [
                .flag("--after", help: "stops when the song has ended"),
                .flag("--no-after", help: "takes that back"),
            ]
        ) { arguments throws(UsageError) in
            switch (arguments.has("--after"), arguments.has("--no-after")) {
            case (false, false): return .player(.stop)
            case (true, true): throw UsageError("--after and --no-after exclude each other")
            case (let stops, _): return .player(.stopAfterCurrent(stops))
            }
        },
        Command(
            name: "seek",
            synopsis: "[+-]TIME",
            summary: "goes to a place in the song, or on or back",
            detail: """
                TIME is in seconds (90, 7.5), m:ss or h:mm:ss. With + or - it counts from here:
                tianlai seek 1:30, tianlai seek +10, tianlai seek -0:05
                """,
            operands: 1...1
        ) { arguments throws(UsageError) in
            guard let target = SeekTarget(arguments.word) else {
                throw UsageError("TIME is like 90, 1:30 or 1:02:03.5, with + or - for from here")
            }
            return .player(.seek(target))
        },
        Command(
            name: "volume",
            synopsis: "[+-]N%",
            summary: "sets the volume of Tianlai, or turns it up or down",
            detail: "tianlai volume 40%, tianlai volume +5%",
            operands: 1...1
        ) { arguments throws(UsageError) in
            guard let change = VolumeChange(arguments.word) else {
                throw UsageError("N% is 0% to 100%, with + or - for a step")
            }
            return .player(.volume(change))
        },
        Command(
            name: "shuffle",
            synopsis: "on|off|toggle|tracks|albums",
            summary: "plays the queue in random order, or as it is",
            detail: "With albums, the songs of an album stay together, in their order; with tracks, none do.",
            operands: 1...1
        ) { arguments throws(UsageError) in
            guard let change = ShuffleChange(arguments.word) else {
                throw UsageError("it can be on, off, toggle, tracks or albums")
            }
            return .player(.shuffle(change))
        },
        Command(
            name: "loop",
            synopsis: "none|track|playlist",
            summary: "repeats nothing, the song or the queue",
            operands: 1...1
        ) { arguments throws(UsageError) in
            guard let mode = LoopMode(word: arguments.word) else {
                throw UsageError("it can be none, track or playlist")
            }
            return .player(.loop(mode))
        },
        Command(
            name: "sleep",
            synopsis: "[TIME|off]",
            summary: "pauses after a time, softly, or shows how long that is yet",
            detail:
                "TIME is like 30m, 1h30m or 45 (minutes), a day at most. The last ten seconds grow softer.",
            operands: 0...1
        ) { arguments throws(UsageError) in
            guard !arguments.operands.isEmpty else { return .showSleep }
            guard let change = SleepChange(arguments.word) else {
                throw UsageError("TIME is like 30m, 1h30m or 45 (minutes), a day at most, or off")
            }
            return .player(.sleep(change))
        },
        Command(
            name: "status",
            synopsis: "",
            summary: "shows what plays",
            detail: """
                FORMAT is text with {{title}}, {{artist}}, {{album}}, {{status}}, {{position}}, {{length}} and others
                where these come, or functions of them: {{lc(x)}}, {{uc(x)}}, {{duration(position)}},
                {{emoji(status)}}, {{trunc(title, 20)}}, {{default(album, "none")}}, {{markup_escape(title)}}.
                """,
            options: [
                .flag("--json", help: "as a JSON object"),
                .value("--format", "-F", of: "FORMAT", help: "in this form, as playerctl has it"),
                .flag(
                    "--follow",
                    "-f",
                    help: "goes on showing it until Ctrl-C, also while the service is away"
                ),
            ]
        ) { arguments throws(UsageError) in
            .status(try StatusOptions(arguments))
        },
        Command(
            name: "lyrics",
            synopsis: "",
            summary: "shows the words of the song that plays",
            detail: """
                With --follow it writes each line when it is sung, and an empty one where none is: for a status bar.
                Words come from an LRC file beside the song, or from its tag.
                """,
            options: [
                .flag("--json", help: "as a JSON object; with --follow, one for each line"),
                .flag(
                    "--follow",
                    "-f",
                    help: "goes on line by line until Ctrl-C, also while the service is away"
                ),
            ]
        ) { arguments throws(UsageError) in
            .lyrics(LyricsOptions(json: arguments.has("--json"), follow: arguments.has("--follow")))
        },
        plain("quit", .quit, summary: "ends the service"),
    ]

    /// What needs no service.
    private static let files: [Command] = [
        Command(
            name: "render",
            synopsis: "FILE…",
            summary: "writes what would be heard to a WAV file",
            detail: "Needs no service. Several files follow each other without a gap.",
            options: [
                .value("-o", "--output", of: "OUT.wav", help: "the file to write; must be given"),
                .value(
                    "--gain",
                    of: "track|album",
                    help: "makes all equally loud; without it, samples are the file's"
                ),
                .flag("--json", help: "a JSON object for each file"),
            ],
            operands: 1...Int.max
        ) { arguments throws(UsageError) in
            guard let output = arguments.value("-o") else { throw UsageError("-o OUT.wav is missing") }
            let paths = try paths([output] + arguments.operands)
            var options = RenderOptions(output: paths[0], files: Array(paths.dropFirst()))
            options.json = arguments.has("--json")
            if let word = arguments.value("--gain") {
                switch String(decoding: word, as: UTF8.self) {
                case "track": options.gain = .track
                case "album": options.gain = .album
                default: throw UsageError("--gain is track or album")
                }
            }
            return .render(options)
        },
        showing("tags", summary: "shows what Tianlai reads in files", detail: "Needs no service.") {
            .tags($0)
        },
        showing(
            "playlist show",
            summary: "shows what Tianlai reads in playlists",
            detail: "Needs no service. M3U, M3U8, PLS, XSPF, CUE, ASX and WPL are read."
        ) { .showPlaylist($0) },
        showing(
            "lyrics show",
            summary: "shows the words that Tianlai finds for songs",
            detail:
                "Needs no service. FILE is a song, whose words are beside it or in its tag, or a file of words itself."
        ) { .showLyrics($0) },
    ]

    /// A command of one word.
    private static func plain(_ name: String, _ request: PlayerRequest, summary: Phrase) -> Command {
        Command(name: name, synopsis: "", summary: summary) { _ throws(UsageError) in .player(request) }
    }

    /// A command that shows what is read in files.
    private static func showing(
        _ name: String,
        summary: Phrase,
        detail: Phrase,
        _ request: @escaping @Sendable (ShowOptions) -> Request
    ) -> Command {
        Command(
            name: name,
            synopsis: "FILE…",
            summary: summary,
            detail: detail,
            options: [.flag("--json", help: "a JSON object for each file")],
            operands: 1...Int.max
        ) { arguments throws(UsageError) in
            var options = ShowOptions(files: try paths(arguments.operands))
            options.json = arguments.has("--json")
            return request(options)
        }
    }
}

extension StatusOptions {
    fileprivate init(_ arguments: Arguments) throws(UsageError) {
        follow = arguments.has("--follow")
        switch (arguments.has("--json"), arguments.value("--format")) {
        case (false, nil): form = .lines
        case (true, nil): form = .json
        case (false, .some(let text)):
            form = .template(try StatusTemplate(String(decoding: text, as: UTF8.self)))
        case (true, .some): throw UsageError("--json and --format exclude each other")
        }
    }
}

/// The operands as places where music is.
func locations(_ operands: [[UInt8]]) throws(UsageError) -> [Location] {
    var locations: [Location] = []
    for operand in operands {
        guard let location = Location(argument: operand) else { throw UsageError("a path is empty") }
        locations.append(location)
    }
    return locations
}

/// The operands as paths.
func paths(_ operands: [[UInt8]]) throws(UsageError) -> [FilePath] {
    var paths: [FilePath] = []
    for operand in operands {
        guard let path = FilePath(bytes: operand) else { throw UsageError("a path is empty") }
        paths.append(path)
    }
    return paths
}
