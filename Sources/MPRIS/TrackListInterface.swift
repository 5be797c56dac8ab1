import DBus
import Music
import Playback

/// `org.mpris.MediaPlayer2.TrackList`: the entries round the current one, and edits of the queue.
///
/// What it shows is a window of a long queue (T-1, C153); what it is asked for may be any entry.
enum TrackListInterface {
    static let table = Interface<any PlayerControl>(
        InterfaceName.trackList,
        methods: methods,
        properties: [
            Property(
                "Tracks",
                "ao",
                emits: .invalidation,
                get: { .objectPaths($0.status.listed.map { ObjectPath.track($0.id) }) }
            ),
            Property("CanEditTracks", "b", get: { _ in .boolean(true) }),
        ],
        signals: [
            Signal("TrackListReplaced", [Argument("Tracks", "ao"), Argument("CurrentTrack", "o")]),
            Signal("TrackAdded", [Argument("Metadata", "a{sv}"), Argument("AfterTrack", "o")]),
            Signal("TrackRemoved", [Argument("TrackId", "o")]),
            Signal("TrackMetadataChanged", [Argument("TrackId", "o"), Argument("Metadata", "a{sv}")]),
        ]
    )

    private static let methods: [Method<any PlayerControl>] = [
        Method(
            "GetTracksMetadata",
            in: [Argument("TrackIds", "ao")],
            out: [Argument("Metadata", "aa{sv}")]
        ) { (player, arguments) throws(CallError) in
            let paths = arguments.first?.strings ?? []
            guard paths.count <= longestAnswer else {
                throw .invalidArguments("at most \(longestAnswer) tracks a call")
            }
            // Unknown ones are left out, and the order is the caller's (C150).
            let listed = player.tracks(paths.compactMap { ObjectPath.track($0) })
            return [.array(of: "a{sv}", listed.map(Metadata.value))]
        },
        Method(
            "AddTrack",
            in: [Argument("Uri", "s"), Argument("AfterTrack", "o"), Argument("SetAsCurrent", "b")]
        ) { (player, arguments) throws(CallError) in
            guard let location = arguments.first?.text, let after = arguments.dropFirst().first?.text,
                let isToBeCurrent = arguments.last?.boolean
            else { throw .invalidArguments("no track to add") }
            // MPRIS says nothing of a track that is not there: as if it were the last.
            let place =
                after == ObjectPath.noTrack ? .start : ObjectPath.track(after).map(QueuePlace.after) ?? .end
            do throws(OpenError) {
                try player.add([location], at: place) { [weak player] count in
                    guard isToBeCurrent, let player, let first = player.queue.first(of: count, addedAt: place)
                    else { return }
                    player.perform(.goTo(first))
                }
            } catch {
                throw .failed(error.description)
            }
            return []
        },
        Method("RemoveTrack", in: [Argument("TrackId", "o")]) { player, arguments in
            if let id = arguments.first?.text.flatMap(ObjectPath.track) { player.perform(.remove([id])) }
            return []
        },
        Method("GoTo", in: [Argument("TrackId", "o")]) { player, arguments in
            if let id = arguments.first?.text.flatMap(ObjectPath.track) { player.perform(.goTo(id)) }
            return []
        },
    ]
}

extension PlayerControl {
    /// What is known at once of the entries with these ids: at least where they are; without those that there are not.
    fileprivate func tracks(_ ids: [TrackID]) -> [ListedTrack] {
        var known = shownTracks
        let queue = queue
        for id in ids where known[id] == nil {
            known[id] = queue.entry(id).map { Track($0.location) }
        }
        return ids.compactMap { id in known[id].map { ListedTrack(id: id, track: $0) } }
    }

    /// The tracks that the status shows.
    var shownTracks: [TrackID: Track] {
        let status = status
        var tracks = Dictionary(
            status.listed.map { ($0.id, $0.track) },
            uniquingKeysWith: { first, _ in first }
        )
        if let current = status.current { tracks[current.id] = current.track }
        return tracks
    }
}

extension PlayQueue {
    /// The first of `count` entries that have just been put at `place`.
    fileprivate func first(of count: Int, addedAt place: QueuePlace) -> TrackID? {
        guard count > 0 else { return nil }
        let index: Int
        switch place {
        case .start: index = 0
        case .end: index = self.count - count
        case .next: index = currentIndex.map { $0 + 1 } ?? 0
        case .after(let id): index = self.index(of: id).map { $0 + 1 } ?? self.count - count
        }
        return ids(in: index..<index + 1).first
    }
}
