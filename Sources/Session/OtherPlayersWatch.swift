import DBus
import Music

/// Looks at the other players on the session bus, and pauses them or has this one paused, as the settings say.
///
/// On the loop only. Nobody is started by a call from here (C-16).
final class OtherPlayersWatch {
    private let settings: SessionSettings
    private let pause: () -> Void
    private weak var bus: BusConnection?
    private var players = OtherPlayers()
    private var subscriptions: [Subscription] = []
    private var isPlaying = false

    private static let path = "/org/mpris/MediaPlayer2"
    private static let player = "org.mpris.MediaPlayer2.Player"
    private static let properties = "org.freedesktop.DBus.Properties"
    /// Who does not answer in this time is not waited for.
    private static let patience = TrackTime.seconds(2)

    /// Nothing where the settings do not mind others.
    init?(settings: SessionSettings, pause: @escaping () -> Void) {
        guard settings.pausesOthers || settings.pausesWhenOthersPlay else { return nil }
        self.settings = settings
        self.pause = pause
    }

    func listen(on bus: BusConnection) {
        self.bus = bus
        players = OtherPlayers()
        subscriptions = []
        guard settings.pausesWhenOthersPlay else { return }
        let names = SignalMatch(
            from: "org.freedesktop.DBus",
            interface: "org.freedesktop.DBus",
            member: "NameOwnerChanged",
            firstArgumentNamespace: OtherPlayers.namespace
        )
        let changes = SignalMatch(
            path: Self.path,
            interface: Self.properties,
            member: "PropertiesChanged",
            firstArgument: Self.player
        )
        subscriptions = [
            bus.subscribe(names) { [unowned self] in nameChanged($0) },
            bus.subscribe(changes) { [unowned self] in propertiesChanged($0) },
        ]
        findOthers { [weak self] connection in
            self?.players.find(connection)
            self?.askWhetherPlaying(connection)
        }
    }

    func follow(isPlaying: Bool) {
        self.isPlaying = isPlaying
        guard isPlaying, settings.pausesOthers else { return }
        var paused: Set<String> = []
        findOthers { [weak self] connection in
            // One that is paused twice might begin again.
            guard paused.insert(connection).inserted else { return }
            self?.askStatus(of: connection) { [weak self] status in
                guard let self, self.isPlaying, status == "Playing" else { return }
                try? bus?.send(call("Pause", of: connection, interface: Self.player))
            }
        }
    }

    // MARK: What others do

    private func nameChanged(_ signal: ReceivedSignal) {
        let words = signal.arguments.map { $0.text ?? "" }
        guard words.count == 3, OtherPlayers.isPlayer(words[0]) else { return }
        if !words[1].isEmpty { players.leave(words[1]) }
        guard !words[2].isEmpty, words[2] != bus?.uniqueName else { return }
        players.enter(words[2])
        askWhetherPlaying(words[2])
    }

    private func propertiesChanged(_ signal: ReceivedSignal) {
        guard signal.sender != bus?.uniqueName, signal.arguments.count == 3 else { return }
        if let status = signal.arguments[1]["PlaybackStatus"]?.text {
            note(signal.sender, status)
        } else if signal.arguments[2].strings?.contains("PlaybackStatus") == true {
            askWhetherPlaying(signal.sender)
        }
    }

    private func note(_ connection: String, _ status: String) {
        if players.note(connection, isPlaying: status == "Playing") { pause() }
    }

    // MARK: Asking

    /// Hands over the connections of all players but this one, one after the other.
    private func findOthers(_ found: @escaping (String) -> Void) {
        ask(.bus("ListNames")) { [weak self] answer in
            for name in answer?.strings ?? [] where OtherPlayers.isPlayer(name) {
                self?.ask(.bus("GetNameOwner", [.string(name)])) { [weak self] answer in
                    guard let owner = answer?.text, owner != self?.bus?.uniqueName else { return }
                    found(owner)
                }
            }
        }
    }

    private func askWhetherPlaying(_ connection: String) {
        askStatus(of: connection) { [weak self] in self?.note(connection, $0) }
    }

    private func askStatus(of connection: String, _ done: @escaping (String) -> Void) {
        let arguments = [Self.player, "PlaybackStatus"].map(BusValue.string)
        ask(call("Get", of: connection, interface: Self.properties, arguments)) { answer in
            if let status = answer?.text { done(status) }
        }
    }

    private func call(
        _ member: String,
        of connection: String,
        interface: String,
        _ arguments: [BusValue] = []
    ) -> MethodCall {
        MethodCall(
            to: connection,
            path: Self.path,
            interface: interface,
            member,
            arguments,
            startsService: false
        )
    }

    /// Calls, and hands over the first thing that comes back, `nil` where nothing does.
    private func ask(_ call: MethodCall, _ done: @escaping (BusValue?) -> Void) {
        try? bus?.call(call, timeout: Self.patience) { done((try? $0.get())?.first) }
    }
}
