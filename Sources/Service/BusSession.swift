import DBus
import EventLoop
import Glibc
import Library
import MPRIS
import Music
import Playback

/// The service's place on the session bus: its objects, its name, and the way back when the bus has gone (C115).
///
/// On the loop only.
final class BusSession {
    private let loop: EventLoop
    private let server = ObjectServer()
    private let publisher: PropertyPublisher
    private let retry: Timer
    private let player: any PlayerControl
    private let positionInterval: TrackTime
    /// Runs out when the position is to be told, where that is wanted.
    private let progress: Timer
    /// Called with each connection to the session bus, as soon as it is made.
    var onConnected: ((BusConnection) -> Void)?
    private var connection: BusConnection?
    private var name: String?
    private var delay = TrackTime.zero

    private static let firstDelay = TrackTime.seconds(0.5)
    private static let longestDelay = TrackTime.seconds(30)

    /// Serves `player` and `library` as soon as there is a connection.
    ///
    /// While it plays, the position is told every `positionInterval`, or not at all where that is 0. `save` writes the queue
    /// to a playlist; `quit` is called when a client wants the service to end.
    init(
        loop: EventLoop,
        player: any PlayerControl,
        library: any LibraryControl,
        positionInterval: TrackTime,
        save: @escaping SavePlaylist,
        quit: @escaping () -> Void
    ) {
        final class Later { weak var session: BusSession? }
        let later = Later()
        self.loop = loop
        self.player = player
        self.positionInterval = positionInterval
        publisher = PropertyPublisher(player: player, library: library, server: server)
        retry = loop.timer { later.session?.comeBack() }
        progress = loop.timer { later.session?.publisher.tellPosition() }
        later.session = self
        server.export(player, library: library, save: save, quit: quit)
    }

    /// Connects to the session bus; the name is asked for separately, when all that clients will read is there.
    func connect() throws(BusError) {
        let connection = try BusConnection(on: loop)
        server.attach(connection)
        connection.onDisconnected = { [weak self] in self?.lost() }
        self.connection = connection
        onConnected?(connection)
    }

    /// Takes the player's name, or where another Tianlai has it, one of its own beside it (G-3, C-1).
    func takeName() throws(CallError) {
        guard let connection else { return }
        publisher.start()
        for name in [BusName.player, BusName.instance(getpid())]
        where try connection.requestName(name) == .owned {
            if name != BusName.player { report("another Tianlai is running; this one is \(name)") }
            self.name = name
            return
        }
        throw .failed("the names of a second Tianlai are taken too; quit one of them")
    }

    /// Tells clients what has changed; at the end of each turn.
    func publish() {
        publisher.publish()
        guard positionInterval > .zero else { return }
        if player.status.playback != .playing {
            progress.stop()
        } else if !progress.isRunning {
            progress.start(after: positionInterval)
        }
    }

    /// Gives up the name and goes, with everything said that was to be said (C112).
    func leave() {
        retry.stop()
        connection?.onDisconnected = nil
        if let name { connection?.releaseName(name) }
        connection?.close()
        connection = nil
    }

    private func lost() {
        report("the session bus has gone; the music goes on, and so does the search for the bus")
        connection = nil
        name = nil
        delay = Self.firstDelay
        retry.start(after: delay)
    }

    private func comeBack() {
        do {
            try connect()
            try takeName()
            report("back on the session bus")
        } catch {
            connection?.onDisconnected = nil
            connection = nil
            delay = min(Self.longestDelay, delay + delay)
            retry.start(after: delay)
        }
    }
}
