import DBus
import Language
import Music
import Service

extension PlayerClient {
    /// Has the service change the queue; returns when it has.
    func perform(_ request: QueueRequest) throws(Refusal) {
        if case .add(let locations, _) = request { try Self.checkFiles(locations) }
        let before = try player(startingService: request.startsService)
        let plan = QueuePlan(count: before.queueLength)
        switch request {
        case .add(let locations, let next):
            let uris = locations.map { $0.uri(from: .working) }
            try add(uris, at: next ? "next" : "end")
        case .remove(let ranges):
            var ids: [String] = []
            for range in try plan.removed(ranges) { ids += try self.ids(range) }
            try call(.control("Remove", [.objectPaths(ids)]))
        case .move(let numbers, let to):
            let predecessor = try plan.predecessor(of: numbers, to: to)
            let after = try predecessor.map { (number) throws(Refusal) in try id(number) } ?? Player.noTrack
            try call(.control("Move", [.objectPaths(try ids(numbers)), .objectPath(after)]))
        case .clear:
            try call(.control("Clear"))
        case .goTo(let number):
            try plan.check(number)
            try call(.control("GoTo", [.objectPath(try id(number))]))
            try waitUntilHeard(from: before, isOpening: false)
        }
    }

    /// Puts music into the queue; refuses where there was none.
    func add(_ uris: [String], at place: String) throws(Refusal) {
        // Folders are walked and playlists are read before the answer comes.
        let added = try call(.control("Add", [.strings(uris), .string(place)]), timeout: .seconds(60))
        guard added?.integer != 0 else { throw Refusal("there is no music in that") }
    }

    /// Shows the queue, a page at a time.
    func listQueue(_ options: QueueListOptions) throws(Refusal) {
        let player = try player()
        guard let numbers = try QueuePlan(count: player.queueLength).shown(options.numbers) else {
            if !options.json {
                Terminal.show(Terminal.style.faint(Phrase("the queue is empty").description) + "\n")
            }
            return
        }
        let list = QueueList(count: player.queueLength, current: player.place)
        for page in QueuePlan.pages(of: numbers) {
            let songs = try songs(page)
            let text = zip(page, songs).map { number, song in
                options.json
                    ? "\(list.json(number, song))\n" : list.line(number, song, Terminal.style) + "\n"
            }
            Terminal.show(text.joined())
            // It has become shorter meanwhile.
            if songs.count < page.count { return }
        }
    }

    /// The songs with these numbers, at most a page of them.
    private func songs(_ numbers: ClosedRange<Int>) throws(Refusal) -> [Song] {
        let arguments: [BusValue] = [.uint32(UInt32(numbers.lowerBound - 1)), .uint32(UInt32(numbers.count))]
        let answer = try call(.control("Queue", arguments))
        return (answer?.elements ?? []).map(Song.init(metadata:))
    }

    /// What the service calls the songs with these numbers, of which there may be any number.
    private func ids(_ numbers: ClosedRange<Int>) throws(Refusal) -> [String] {
        var ids: [String] = []
        for page in QueuePlan.pages(of: numbers) { ids += try songs(page).compactMap(\.trackID) }
        guard ids.count == numbers.count else {
            throw Refusal("the queue has changed meanwhile; look at it again: tianlai queue list")
        }
        return ids
    }

    private func id(_ number: Int) throws(Refusal) -> String {
        let ids = try ids(number...number)
        return ids[0]
    }
}

/// How the queue is shown.
struct QueueList: Equatable, Sendable {
    var count: Int
    /// The number of the current song.
    var current: Int?

    /// The number, a mark at the current song, and the song.
    func line(_ number: Int, _ song: Song, _ style: TextStyle) -> String {
        let digits = "\(number)"
        let blank = String(repeating: " ", count: max(0, "\(count)".count - digits.count))
        let isCurrent = number == current
        let title = isCurrent ? style.strong(song.name) : song.name
        return "\(isCurrent ? ">" : " ") \(blank)\(style.faint(digits))  \(title)\(song.shownEnd(style))"
    }

    func json(_ number: Int, _ song: Song) -> JSON {
        .members([
            "number": .integer(Int64(number)),
            "current": .bool(number == current),
            "id": .string(orNull: song.trackID),
        ])
        .followed(by: song.json)
    }
}
