import Language
import Music
import Service

extension Command {
    /// What is about the library.
    static let library: [Command] = [
        Command(
            name: "library scan",
            synopsis: "",
            summary: "looks through the folders of the library for what is new",
            detail: """
                Waits until that is done; Ctrl-C leaves it going on. Which folders those are stands in
                ~/.config/tianlai/config.ini; without one, it is your folder of music.
                """,
            options: [
                .flag(
                    "--loudness",
                    help: "then measures how loud the songs are that do not say it themselves"
                )
            ]
        ) { arguments throws(UsageError) in
            .scanLibrary(measuresLoudness: arguments.has("--loudness"))
        },
        Command(
            name: "library search",
            synopsis: "WORDS…",
            summary: "finds songs by words in title, artist, album or path",
            detail: "Each word has to be there, or one that begins so.",
            options: [
                .flag("--play", help: "makes what is found the queue and plays it"),
                .flag("--add", help: "puts what is found into the queue, behind all that is there"),
                .value("--limit", of: "N", help: "how many songs at most; 1000 where it is not given"),
                .flag("--json", help: "a JSON object for each song"),
            ],
            operands: 1...Int.max
        ) { arguments throws(UsageError) in
            .searchLibrary(try SearchOptions(arguments))
        },
        Command(
            name: "library status",
            synopsis: "",
            summary: "shows what the library holds",
            options: [.flag("--json", help: "as a JSON object")]
        ) { arguments throws(UsageError) in
            .libraryStatus(json: arguments.has("--json"))
        },
    ]
}

extension SearchOptions {
    fileprivate init(_ arguments: Arguments) throws(UsageError) {
        words = arguments.operands.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
        guard words.contains(where: { !$0.isWhitespace }) else { throw UsageError("the words are empty") }
        switch (arguments.has("--play"), arguments.has("--add")) {
        case (true, true): throw UsageError("--play and --add exclude each other")
        case (true, false): use = .play
        case (false, true): use = .add
        case (false, false): use = .show
        }
        json = arguments.has("--json")
        guard !json || use == .show else {
            throw UsageError("--json only shows; leave --play and --add away")
        }
        if let limit = arguments.value("--limit") {
            guard let number = ClosedRange<Int>(numbers: String(decoding: limit, as: UTF8.self)),
                number.count == 1
            else { throw UsageError("--limit is a number, from 1") }
            self.limit = number.lowerBound
        }
    }
}
