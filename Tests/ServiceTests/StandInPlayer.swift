import BusTestSupport
import DBus
import EventLoop
import TestSupport

/// Another player on the bus, which remembers what it is asked.
///
/// It answers while its loop is run.
final class StandInPlayer {
    /// What it was asked, such as `Get` or `Pause`.
    private(set) var asked: [String] = []
    private(set) var status: String
    let connection: BusConnection
    private let loop: TestLoop
    private let server = ObjectServer()

    /// Comes onto `bus` as `org.mpris.MediaPlayer2.NAME`.
    init(_ name: String, _ status: String, on bus: PrivateBus, _ loop: TestLoop) throws {
        self.status = status
        self.loop = loop
        connection = try BusConnection(to: BusAddress(bus.address), on: loop.loop)
        server.export(Bus.path, [Self.table.serving(self)])
        server.attach(connection)
        _ = try connection.requestName("org.mpris.MediaPlayer2.\(name)")
    }

    /// Plays, rests, or says once more that it does.
    func become(_ status: String) {
        self.status = status
        server.propertiesChanged(Bus.path, Bus.player, changed: [("PlaybackStatus", .string(status))])
    }

    /// Returns when the service has seen what was said before, and all that it has sent has come.
    func settle() throws {
        let ping = MethodCall(to: Bus.name, path: Bus.path, interface: "org.freedesktop.DBus.Peer", "Ping")
        _ = try loop.call(ping, over: connection).get()
        for _ in 0..<20 { loop.loop.turn(waiting: false) }
    }

    private static let table = Interface<StandInPlayer>(
        Bus.player,
        methods: ["Play", "Pause", "PlayPause", "Stop"].map { name in
            .plain(name) { player in
                player.asked.append(name)
                if name == "Pause" { player.become("Paused") }
            }
        },
        properties: [
            Property("PlaybackStatus", "s") { player in
                player.asked.append("Get")
                return .string(player.status)
            }
        ]
    )
}
