import DBus
import EventLoop
import Foundation
import Glibc
import Music
import TestSupport
import Testing

/// A bus of the test's own and a player on it that remembers what it was asked, all on one loop.
final class Stage {
    let player = StandInPlayer()
    let loop: EventLoop
    private let daemon: PrivateBus
    private let server = ObjectServer()
    private var bus: BusConnection?

    init(withPlayer: Bool = true) throws {
        loop = try EventLoop()
        daemon = try PrivateBus()
        server.export(
            StandInPlayer.path,
            [
                StandInPlayer.root.serving(player), StandInPlayer.table.serving(player),
                StandInPlayer.playlistsTable.serving(player),
            ]
        )
        server.export(StandInPlayer.controlPath, [StandInPlayer.control.serving(player)])
        player.quit = { [unowned self] in bus?.releaseName(StandInPlayer.name) }
        if withPlayer { try enter() }
    }

    /// The player comes onto the bus.
    func enter() throws {
        let bus = try BusConnection(to: BusAddress(daemon.address), on: loop)
        server.attach(bus)
        self.bus = bus
        #expect(try bus.requestName(StandInPlayer.name) == .owned)
    }

    /// The player goes without a word.
    func leave() {
        bus?.close()
        bus = nil
    }

    func announce(_ properties: [(String, BusValue)]) {
        #expect(server.propertiesChanged(StandInPlayer.path, StandInPlayer.interface, changed: properties))
    }

    /// Tells what Control1 has to say.
    func announceControl(_ properties: [(String, BusValue)]) {
        let name = "org.tianlai.Control1"
        #expect(server.propertiesChanged(StandInPlayer.controlPath, name, changed: properties))
    }

    func announceSeek(to microseconds: Int64) {
        player.position = microseconds
        #expect(server.emit(StandInPlayer.path, StandInPlayer.interface, "Seeked", [.int64(microseconds)]))
    }

    /// Starts `tianlai WORDS`.
    func start(_ line: String, onBus: Bool = true) throws -> CommandRun {
        try start(line.split(separator: " ").map(String.init), onBus: onBus)
    }

    /// Starts `tianlai` with these words, or another executable of it, in this environment.
    func start(
        _ words: [String],
        onBus: Bool = true,
        program: URL = CommandRun.tianlai,
        environment: [String: String] = [:]
    ) throws -> CommandRun {
        let address = onBus ? daemon.address : nil
        return try CommandRun(program, words, bus: address, environment: environment, on: loop)
    }

    /// Runs `tianlai WORDS` to its end.
    func run(
        _ line: String,
        onBus: Bool = true,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> CommandRun {
        let command = try start(line, onBus: onBus)
        try wait("the end of \(line)", sourceLocation: sourceLocation) { command.hasEnded }
        return command
    }

    /// Turns the loop until `condition` holds, for at most ten seconds.
    func wait(
        _ what: Comment,
        sourceLocation: SourceLocation = #_sourceLocation,
        until condition: () -> Bool
    ) throws {
        var isLate = false
        let deadline = loop.timer { isLate = true }
        deadline.start(after: .seconds(60))
        while !condition(), !isLate { loop.turn() }
        try #require(condition(), what, sourceLocation: sourceLocation)
    }

    deinit {
        leave()
    }
}

/// A player that does nothing but remember.
final class StandInPlayer {
    static let name = "org.mpris.MediaPlayer2.tianlai"
    static let path = "/org/mpris/MediaPlayer2"
    static let interface = "org.mpris.MediaPlayer2.Player"
    static let controlPath = "/org/tianlai/Control1"

    /// Calls and settings, as `Seek 10000000` or `Volume = 0.4`.
    var asked: [String] = []
    var status = "Paused"
    var title = "雨"
    var position: Int64 = 12_000_000
    var volume = 0.5
    var canGoNext = true
    var canPlay = true
    var problem = ""
    /// What Control1 and Playlists tell besides.
    var library = StandInLibrary()
    /// What a call is answered with, when not with success.
    var error: CallError?
    var quit: () -> Void = {}
    /// What comes of a call, besides the answer.
    var reaction: () -> Void = {}

    func answer(_ call: String, _ arguments: [BusValue]) throws(CallError) {
        asked.append(
            ([call]
                + arguments.map {
                    $0.text ?? $0.integer.map(String.init) ?? $0.strings?.joined(separator: " ") ?? "?"
                })
                .joined(separator: " ")
        )
        if let error { throw error }
        reaction()
    }

    static func method(_ name: String, _ arguments: Argument...) -> Method<StandInPlayer> {
        Method(name, in: arguments) { (player, arguments) throws(CallError) in
            try player.answer(name, arguments)
            return []
        }
    }

    static let table = Interface<StandInPlayer>(
        interface,
        methods: [
            method("Play"), method("Pause"), method("PlayPause"), method("Stop"), method("Next"),
            method("Previous"),
            method("Seek", Argument("Offset", "x")),
            method("SetPosition", Argument("TrackId", "o"), Argument("Position", "x")),
            method("OpenUri", Argument("Uri", "s")),
        ],
        properties: [
            Property("PlaybackStatus", "s", get: { .string($0.status) }),
            Property(
                "Metadata",
                "a{sv}",
                get: { player in
                    .variants([
                        ("mpris:trackid", .objectPath("/track/1")), ("mpris:length", .int64(100_000_000)),
                        ("xesam:title", .string(player.title)), ("xesam:artist", .strings(["甲", "乙"])),
                    ])
                }
            ),
            Property("Position", "x", emits: .nothing, get: { .int64($0.position) }),
            Property(
                "Volume",
                "d",
                get: { .double($0.volume) },
                set: { (player, value) throws(CallError) in
                    player.asked.append("Volume = \(value.double ?? -1)")
                }
            ),
            Property(
                "Shuffle",
                "b",
                get: { _ in .boolean(false) },
                set: { (player, value) throws(CallError) in
                    player.asked.append("Shuffle = \(value.boolean ?? false)")
                }
            ),
            Property(
                "LoopStatus",
                "s",
                get: { _ in .string("None") },
                set: { (player, value) throws(CallError) in
                    player.asked.append("LoopStatus = \(value.text ?? "")")
                }
            ),
            Property("CanGoNext", "b", get: { .boolean($0.canGoNext) }),
            Property("CanGoPrevious", "b", get: { _ in .boolean(true) }),
            Property("CanPlay", "b", get: { .boolean($0.canPlay) }),
            Property("CanPause", "b", get: { .boolean($0.canPlay) }),
            Property("CanSeek", "b", get: { _ in .boolean(true) }),
        ],
        signals: [Signal("Seeked", [Argument("Position", "x")])]
    )

    static let root = Interface<StandInPlayer>(
        "org.mpris.MediaPlayer2",
        methods: [
            Method("Quit") { (player, _) throws(CallError) in
                player.asked.append("Quit")
                player.quit()
                return []
            }
        ]
    )
}
