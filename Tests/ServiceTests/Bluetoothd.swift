import BusTestSupport
import DBus
import TestSupport

/// What BlueZ's daemon is to `mpris-proxy`: takes players, hears of their changes, and presses a headset's buttons.
///
/// On a system bus of the test's own, with one adapter that is switched on.
final class Bluetoothd {
    let bus: PrivateBus
    /// The properties with which the player was registered, or as they have changed since.
    private(set) var properties: [String: BusValue] = [:]
    /// Where the player is; `nil` without one.
    private(set) var player: String?
    private let loop: TestLoop
    private let connection: BusConnection
    private let server = ObjectServer()
    private var changes: Subscription?

    init() throws {
        bus = try PrivateBus()
        loop = try TestLoop()
        connection = try BusConnection(to: BusAddress(bus.address), on: loop.loop)
        server.export("/", [objects.serving(Borrowed(self))])
        server.export(adapter, [media.serving(Borrowed(self))])
        server.attach(connection)
        guard try connection.requestName("org.bluez") == .owned else { throw TestFailure("no org.bluez") }
    }

    /// Runs until the player is as told.
    func wait(for what: String, until condition: () -> Bool) throws {
        try loop.wait(what, until: condition)
    }

    /// A text of the player's metadata.
    func metadata(_ key: String) -> String? {
        guard case .dictionary(_, _, let entries) = properties["Metadata"] else { return nil }
        return entries.first { $0.key.text == key }?.value.unwrapped.text
    }

    /// Presses a button: calls the player, as is done for what a headset says.
    func press(_ button: String) throws {
        guard let player else { throw TestFailure("no player") }
        // Nobody else is on this bus.
        let names = try connection.callAndWait(.bus("ListNames")).first
        guard case .array(_, let values) = names,
            let proxy = values.compactMap(\.text).first(where: {
                $0.hasPrefix(":") && $0 != connection.uniqueName
            })
        else { throw TestFailure("no mpris-proxy") }
        // Without wanting an answer, as BlueZ does.
        try connection.send(MethodCall(to: proxy, path: player, interface: Bus.player, button))
    }

    fileprivate func register(_ path: String, _ values: BusValue) {
        player = path
        take(values)
        changes = connection.subscribe(SignalMatch(path: path, member: "PropertiesChanged")) {
            [unowned self] signal in
            take(signal.arguments[1])
        }
    }

    fileprivate func unregister() {
        (player, changes) = (nil, nil)
    }

    private func take(_ values: BusValue) {
        guard case .dictionary(_, _, let entries) = values else { return }
        for entry in entries { properties[entry.key.text ?? ""] = entry.value.unwrapped }
    }
}

private let adapter = "/org/bluez/hci0"
private let mediaName = "org.bluez.Media1"

private let objects = Interface<Borrowed<Bluetoothd>>(
    "org.freedesktop.DBus.ObjectManager",
    methods: [
        Method("GetManagedObjects", out: [Argument("Objects", "a{oa{sa{sv}}}")]) { _, _ in
            let none = BusValue.variants([])
            let switchedOn = BusValue.variants([("Powered", .boolean(true))])
            let interfaces = BusValue.dictionary(
                key: "s",
                value: "a{sv}",
                [.init(.string("org.bluez.Adapter1"), switchedOn), .init(.string(mediaName), none)]
            )
            return [.dictionary(key: "o", value: "a{sa{sv}}", [.init(.objectPath(adapter), interfaces)])]
        }
    ]
)

private let media = Interface<Borrowed<Bluetoothd>>(
    mediaName,
    methods: [
        Method("RegisterPlayer", in: [Argument("Player", "o"), Argument("Properties", "a{sv}")]) {
            daemon,
            arguments in
            daemon.owner?.register(arguments[0].text ?? "", arguments[1])
            return []
        },
        Method("UnregisterPlayer", in: [Argument("Player", "o")]) { daemon, _ in
            daemon.owner?.unregister()
            return []
        },
    ]
)
