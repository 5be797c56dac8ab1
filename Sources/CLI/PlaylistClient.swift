import DBus
import Language
import Music
import Service

/// A playlist as the Playlists interface tells of it.
struct PlaylistEntry: Equatable, Sendable {
    /// The object path that names it.
    var id: String
    var name: String
    var isActive = false

    /// Reads one `(oss)`; `nil` where it is something else.
    init?(_ value: BusValue) {
        guard let members = value.elements, members.count >= 2, let id = members[0].text,
            let name = members[1].text
        else { return nil }
        self.id = id
        self.name = name
    }

    func line(_ style: TextStyle) -> String {
        let name = Text.cleanLine(name)
        return isActive ? "> \(style.strong(name))" : "  \(name)"
    }

    var json: JSON {
        .members(["name": .string(name), "id": .string(id), "active": .bool(isActive)])
    }
}

extension [PlaylistEntry] {
    /// The only one that `name` can mean: by its id, to the letter, or else without regard to case.
    func named(_ name: String) throws(Refusal) -> PlaylistEntry {
        let ways: [(PlaylistEntry) -> Bool] = [
            { $0.id == name },
            { $0.name == name },
            { $0.name.lowercased() == name.lowercased() },
        ]
        for way in ways {
            let found = filter(way)
            if found.count > 1 {
                throw Refusal(
                    "there are \(found.count) playlists “\(name)”; say its id, from tianlai playlist list --json"
                )
            }
            if let only = found.first { return only }
        }
        throw Refusal("there is no playlist “\(name)”; tianlai playlist list shows them")
    }
}

extension PlayerClient {
    /// Has the service do it; returns when it has.
    func perform(_ request: PlaylistRequest) throws(Refusal) {
        switch request {
        case .play(let name):
            let before = try player(startingService: true)
            let playlist = try playlists().named(name)
            // The file is read before the answer comes.
            let call = MethodCall.player(
                "ActivatePlaylist",
                [.objectPath(playlist.id)],
                interface: Player.playlists
            )
            try self.call(call, timeout: .seconds(25))
            try waitUntilHeard(from: before, isOpening: true)
        case .save(let target):
            guard try player().queueLength > 0 else {
                throw Refusal("the queue is empty; fill it: tianlai queue add PATH…")
            }
            let text = try target.text(from: .working)
            let path = try call(.control("SavePlaylist", [.string(text)]), timeout: .seconds(60))
            if let path = path?.text { Terminal.show(Text.cleanLine(path) + "\n") }
        }
    }

    /// Shows the playlists by name.
    func listPlaylists(json: Bool) throws(Refusal) {
        _ = try player(startingService: true)
        let text = try playlists().map { json ? "\($0.json)\n" : $0.line(Terminal.style) + "\n" }
        Terminal.show(text.joined())
    }

    /// All that there are, by name.
    private func playlists() throws(Refusal) -> [PlaylistEntry] {
        let page = UInt32(QueuePlan.page)
        var playlists: [PlaylistEntry] = []
        var isMore = true
        while isMore {
            let arguments: [BusValue] = [
                .uint32(UInt32(playlists.count)), .uint32(page), .string("Alphabetical"), .boolean(false),
            ]
            let answer = try call(.player("GetPlaylists", arguments, interface: Player.playlists))
            let found = (answer?.elements ?? []).compactMap(PlaylistEntry.init)
            playlists += found
            isMore = found.count == Int(page)
        }
        let active = try call(
            .player(
                "Get",
                [.string(Player.playlists), .string("ActivePlaylist")],
                interface: Player.properties
            )
        )
        if let members = active?.elements, members.first?.boolean == true, let entry = members.last?.elements
        {
            for index in playlists.indices where playlists[index].id == entry.first?.text {
                playlists[index].isActive = true
            }
        }
        return playlists
    }
}

extension PlaylistTarget {
    /// What the service is told: a name, or an absolute path, since it may be in another folder.
    func text(from folder: FilePath) throws(Refusal) -> String {
        switch self {
        case .name(let name): return name
        case .file(let path):
            let whole = folder.appending(path.bytes)
            guard let text = String(validating: whole.bytes, as: UTF8.self) else {
                throw Refusal("\(whole): a folder's name is not in UTF-8; save it elsewhere")
            }
            return text
        }
    }
}
