import BusTestSupport
import DBus
import EventLoop
import Library
import MPRIS
import Music
import Playback
import TestSupport
import Testing

let properties = "org.freedesktop.DBus.Properties"

/// A scripted player and library on a bus of their own, and a client that hears their signals.
final class Desktop {
    let bus: PrivateBus
    let loop: TestLoop
    let player = ScriptedPlayer()
    let library = ScriptedLibrary()
    let server = ObjectServer()
    let service: BusConnection
    let client: BusConnection
    let publisher: PropertyPublisher
    private(set) var signals: [ReceivedSignal] = []
    private(set) var quits = 0
    /// The playlists that were to be saved, and whom to tell.
    private(set) var saves: [(name: String, done: (Result<FilePath, LibraryError>) -> Void)] = []
    private var subscription: Subscription?

    init() throws {
        bus = try PrivateBus()
        loop = try TestLoop()
        service = try BusConnection(to: BusAddress(bus.address), on: loop.loop)
        client = try BusConnection(to: BusAddress(bus.address), on: loop.loop)
        let track = Track(TrackLocation(try #require(FilePath("/m/a.mp3"))), length: .seconds(100))
        player.status.current = CurrentTrack(id: TrackID(1), track: track)
        publisher = PropertyPublisher(player: player, library: library, server: server)
        server.export(
            player,
            library: library,
            save: { [unowned self] name, done in saves.append((name, done)) },
            quit: { [unowned self] in quits += 1 }
        )
        server.attach(service)
        #expect(try service.requestName(BusName.player) == .owned)
        loop.loop.atTurnEnd { [unowned self] in publisher.publish() }
        subscription = client.subscribe(SignalMatch(from: service.uniqueName)) { [unowned self] in
            signals.append($0)
        }
        _ = try client.callAndWait(.bus("GetId"))
    }

    @discardableResult
    func call(
        _ member: String,
        _ arguments: [BusValue] = [],
        on interface: String = InterfaceName.player,
        at path: String = ObjectPath.player
    ) throws -> Result<[BusValue], CallError> {
        let call = MethodCall(to: BusName.player, path: path, interface: interface, member, arguments)
        return try loop.call(call, over: client)
    }

    /// The name of the error, if there is one.
    func set(
        _ name: String,
        _ value: BusValue,
        on interface: String = InterfaceName.player,
        at path: String = ObjectPath.player
    ) throws -> String? {
        let arguments: [BusValue] = [.string(interface), .string(name), .variant(value)]
        return try call("Set", arguments, on: properties, at: path).failure?.name
    }

    func getAll(_ interface: String, at path: String = ObjectPath.player) throws -> BusValue {
        try #require(try call("GetAll", [.string(interface)], on: properties, at: path).get().first)
    }

    /// What has been heard since the last time asked: all that was sent before the call.
    func takeSignals() throws -> [ReceivedSignal] {
        // One call, so that the turn that sends is over, and another behind the signals.
        for _ in 0..<2 { _ = try call("Ping", on: "org.freedesktop.DBus.Peer") }
        defer { signals = [] }
        return signals
    }
}
