import Language
import Music
import Service

extension Command {
    /// What is about playlists.
    static let playlist: [Command] = [
        Command(
            name: "playlist list",
            synopsis: "",
            summary: "shows the playlists that there are",
            detail: "Those saved with tianlai playlist save, and the files in the folders of the library.",
            options: [.flag("--json", help: "a JSON object for each playlist")]
        ) { arguments throws(UsageError) in
            .listPlaylists(json: arguments.has("--json"))
        },
        Command(
            name: "playlist play",
            synopsis: "NAME",
            summary: "makes a playlist the queue and plays it",
            detail: """
                Upper and lower case are the same where that is enough to tell playlists apart. Of two with one name,
                the id in tianlai playlist list --json can stand for the name.
                """,
            operands: 1...1
        ) { arguments throws(UsageError) in
            guard !arguments.word.isEmpty else { throw UsageError("the name is empty") }
            return .playlist(.play(arguments.word))
        },
        Command(
            name: "playlist save",
            synopsis: "NAME|PATH.m3u8|PATH.xspf",
            summary: "writes the queue to a playlist, and shows where that is",
            detail: "A name alone is kept among Tianlai's own playlists; one that is there is written anew.",
            operands: 1...1
        ) { arguments throws(UsageError) in
            .playlist(.save(try PlaylistTarget(arguments.operands[0])))
        },
    ]
}

extension PlaylistTarget {
    /// A name, or where there is a slash or a playlist's suffix, a file.
    init(_ operand: [UInt8]) throws(UsageError) {
        guard let path = FilePath(bytes: operand) else { throw UsageError("the name is empty") }
        guard let text = String(validating: operand, as: UTF8.self) else {
            throw UsageError("the name is not in UTF-8; choose another")
        }
        let isPath = operand.contains(UInt8(ascii: "/"))
        switch path.suffix {
        case "m3u8", "xspf": self = .file(path)
        case _ where isPath, "m3u", "pls", "cue": throw UsageError("a playlist is written as .m3u8 or .xspf")
        default: self = .name(text)
        }
    }
}
