package import DBus
package import Playback

/// Tells the desktop what has changed, once at the end of a loop turn; nothing else sends signals.
///
/// On the loop only.
package final class PropertyPublisher {
    private let player: any PlayerControl
    private let server: ObjectServer
    /// The status that clients know of.
    private var told: PlayerStatus

    /// Takes the present status as what clients will read for themselves.
    package init(player: any PlayerControl, server: ObjectServer) {
        self.player = player
        self.server = server
        told = player.status
    }

    /// Takes the present status as known: before the name is asked for, and again on a new connection (C-2).
    package func start() {
        told = player.status
    }

    /// Sends what has changed since the last time; call at the end of each turn of the loop.
    package func publish() {
        let status = player.status
        guard status != told else { return }
        let announcements = Announcement.between(told, status, position: player.position)
        told = status
        for announcement in announcements { send(announcement) }
    }

    private func send(_ announcement: Announcement) {
        switch announcement {
        case .player(let changes): send(changes, of: InterfaceName.player, at: ObjectPath.player)
        case .control(let changes): send(changes, of: InterfaceName.control, at: ObjectPath.control)
        case .seeked(let position):
            server.emit(ObjectPath.player, InterfaceName.player, "Seeked", [.position(position)])
        }
    }

    private func send(_ changes: [PropertyChange], of interface: String, at path: String) {
        server.propertiesChanged(path, interface, changed: changes.map { ($0.name, $0.value) })
    }
}

extension ObjectServer {
    /// Serves the player to the desktop: MPRIS at its path, Control1 at ours.
    package func export(_ player: any PlayerControl, quit: @escaping () -> Void) {
        export(
            ObjectPath.player,
            [
                RootInterface.table.serving(RootInterface(quit: quit)),
                PlayerInterface.table.serving(player),
            ]
        )
        export(ObjectPath.control, [ControlInterface.table.serving(player)])
    }
}
