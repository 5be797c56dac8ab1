import Language
import Music
import Service

extension Command {
    /// What is about the queue.
    static let queue: [Command] = [
        Command(
            name: "queue list",
            synopsis: "[FROM-TO]",
            summary: "shows the queue, or a part of it",
            detail: "The song that is current is marked. The first song has number 1.",
            options: [.flag("--json", help: "a JSON object for each song")],
            operands: 0...1
        ) { arguments throws(UsageError) in
            var options = QueueListOptions(json: arguments.has("--json"))
            options.numbers = try arguments.operands.first.map(numbers)
            return .listQueue(options)
        },
        Command(
            name: "queue add",
            synopsis: "PATH|URI|PLAYLIST…",
            summary: "puts music into the queue, behind all that is there",
            detail: "Folders are walked, playlists become their songs. What plays goes on.",
            options: [.flag("--next", help: "behind the song that is current")],
            operands: 1...Int.max
        ) { arguments throws(UsageError) in
            .queue(.add(try locations(arguments.operands), next: arguments.has("--next")))
        },
        Command(
            name: "queue remove",
            synopsis: "N|N-M…",
            summary: "takes songs out of the queue, by their numbers",
            detail: "Where the current song is among them, the next one follows.",
            operands: 1...Int.max
        ) { arguments throws(UsageError) in
            .queue(.remove(try arguments.operands.map(numbers)))
        },
        Command(
            name: "queue move",
            synopsis: "N|N-M TO",
            summary: "gives songs another place in the queue",
            detail: "The first of them gets the number TO, or they become the last.",
            operands: 2...2
        ) { arguments throws(UsageError) in
            let to = try numbers(arguments.operands[1])
            guard to.count == 1 else { throw UsageError("TO is one number, from 1") }
            return .queue(.move(try numbers(arguments.operands[0]), to: to.lowerBound))
        },
        Command(name: "queue clear", synopsis: "", summary: "empties the queue") { _ throws(UsageError) in
            .queue(.clear)
        },
        Command(
            name: "queue goto",
            synopsis: "N",
            summary: "plays the song with this number",
            operands: 1...1
        ) { arguments throws(UsageError) in
            let number = try numbers(arguments.operands[0])
            guard number.count == 1 else { throw UsageError("N is one number, from 1") }
            return .queue(.goTo(number.lowerBound))
        },
    ]
}

private func numbers(_ operand: [UInt8]) throws(UsageError) -> ClosedRange<Int> {
    let word = String(decoding: operand, as: UTF8.self)
    guard let numbers = ClosedRange<Int>(numbers: word) else {
        throw UsageError("“\(Text.cleanLine(word))” is no number of a song, nor a range like 3-5")
    }
    return numbers
}
