package import DBus
package import Library
import Music
package import Playback

/// Tells the desktop what has changed, once at the end of a loop turn; nothing else sends signals.
///
/// On the loop only.
package final class PropertyPublisher {
    private let player: any PlayerControl
    private let library: any LibraryControl
    private let server: ObjectServer
    /// What clients know.
    private var told: Snapshot

    /// Takes the present status as what clients will read for themselves.
    package init(player: any PlayerControl, library: any LibraryControl, server: ObjectServer) {
        self.player = player
        self.library = library
        self.server = server
        told = Snapshot(player.status, library.status)
    }

    /// Takes the present status as known: before the name is asked for, and again on a new connection (C-2).
    package func start() {
        told = snapshot
    }

    /// Sends what has changed since the last time; call at the end of each turn of the loop.
    package func publish() {
        let snapshot = snapshot
        guard snapshot != told else { return }
        let announcements = Announcement.between(told, snapshot, position: player.position)
        told = snapshot
        for announcement in announcements { send(announcement) }
    }

    /// Tells where the position has come to by itself, for those who want it without asking; most do not (C-31).
    package func tellPosition() {
        send(
            [PropertyChange("Position", .position(player.position))],
            of: InterfaceName.player,
            at: ObjectPath.player
        )
    }

    private var snapshot: Snapshot { Snapshot(player.status, library.status).asNews(after: told) }

    private func send(_ announcement: Announcement) {
        switch announcement {
        case .player(let changes): send(changes, of: InterfaceName.player, at: ObjectPath.player)
        case .playlists(let changes): send(changes, of: InterfaceName.playlists, at: ObjectPath.player)
        case .control(let changes): send(changes, of: InterfaceName.control, at: ObjectPath.control)
        case .lyrics(let current):
            let arguments = ControlInterface.lyricsArguments(current)
            server.emit(ObjectPath.control, InterfaceName.control, "LyricsChanged", arguments)
        case .seeked(let position):
            server.emit(ObjectPath.player, InterfaceName.player, "Seeked", [.position(position)])
        case .trackList(let change):
            server.emit(ObjectPath.player, InterfaceName.trackList, change.member, change.arguments)
        case .tracks:
            let (path, interface) = (ObjectPath.player, InterfaceName.trackList)
            server.propertiesChanged(path, interface, changed: [], invalidated: ["Tracks"])
        case .playlist(let playlist):
            let arguments = [PlaylistsInterface.value(of: playlist)]
            server.emit(ObjectPath.player, InterfaceName.playlists, "PlaylistChanged", arguments)
        }
    }

    private func send(_ changes: [PropertyChange], of interface: String, at path: String) {
        server.propertiesChanged(path, interface, changed: changes.map { ($0.name, $0.value) })
    }
}

extension TrackListChange {
    fileprivate var member: String {
        switch self {
        case .replaced: "TrackListReplaced"
        case .added: "TrackAdded"
        case .removed: "TrackRemoved"
        case .metadataChanged: "TrackMetadataChanged"
        }
    }

    fileprivate var arguments: [BusValue] {
        switch self {
        case .replaced(let ids, let current): [.objectPaths(ids.map(ObjectPath.track)), path(of: current)]
        case .added(let listed, let after): [Metadata.value(of: listed), path(of: after)]
        case .removed(let id): [path(of: id)]
        case .metadataChanged(let listed): [path(of: listed.id), Metadata.value(of: listed)]
        }
    }

    private func path(of id: TrackID?) -> BusValue {
        .objectPath(id.map(ObjectPath.track) ?? ObjectPath.noTrack)
    }
}

extension ObjectServer {
    /// Serves player and library to the desktop: MPRIS at its path, Control1 at ours.
    package func export(
        _ player: any PlayerControl,
        library: any LibraryControl,
        save: @escaping SavePlaylist,
        quit: @escaping () -> Void
    ) {
        let controls = Controls(player: player, library: library, save: save)
        export(
            ObjectPath.player,
            [
                RootInterface.table.serving(RootInterface(quit: quit)),
                PlayerInterface.table.serving(player),
                TrackListInterface.table.serving(player),
                PlaylistsInterface.table.serving(controls),
            ]
        )
        export(ObjectPath.control, [ControlInterface.table.serving(controls)])
    }
}
