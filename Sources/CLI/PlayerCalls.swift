import DBus
import Language
import Music
import Service

/// Why a request cannot be carried out, in one line that says what to do.
struct Refusal: Error, Equatable, CustomStringConvertible {
    var phrase: Phrase

    init(_ phrase: Phrase) {
        self.phrase = phrase
    }

    /// What the service or the bus says, which is in English.
    init(told text: String) {
        phrase = Phrase(verbatim: text)
    }

    var description: String { phrase.description }

    static let notRunning = Refusal("not running; to start it: tianlai play")
    /// Also those that would start it find nothing to start: it has not been installed.
    static let notInstalled = Refusal("not running, and the bus cannot start it; run: tianlai serve")
    static let emptyQueue = Refusal("there is nothing to play; give it music: tianlai play PATH…")
}

/// Where the service is on the bus.
enum Player {
    static let name = "org.mpris.MediaPlayer2.tianlai"
    static let path = "/org/mpris/MediaPlayer2"
    static let interface = "org.mpris.MediaPlayer2.Player"
    static let controlPath = "/org/tianlai/Control1"
    static let control = "org.tianlai.Control1"
    static let playlists = "org.mpris.MediaPlayer2.Playlists"
    /// What stands for the place before the first song.
    static let noTrack = "/org/mpris/MediaPlayer2/TrackList/NoTrack"
    static let properties = "org.freedesktop.DBus.Properties"

    /// All properties of the Player interface.
    static func state(startsService: Bool = false) -> MethodCall {
        .properties(of: interface, at: path, startsService: startsService)
    }

    /// All properties of Control1.
    static func controlState(startsService: Bool = false) -> MethodCall {
        .properties(of: control, at: controlPath, startsService: startsService)
    }
}

extension PlayerRequest {
    /// The calls that carry it out when the player is as `player` says.
    ///
    /// The bus answers a call that does nothing like one that does something, so what would do nothing is refused here.
    /// `folder` is where relative paths start.
    func calls(on player: PlayerSnapshot, folder: FilePath) throws(Refusal) -> [MethodCall] {
        switch self {
        case .play:
            guard player.canPlay else { throw .emptyQueue }
            return [.player("Play")]
        case .toggle:
            guard player.canPlay else { throw .emptyQueue }
            return [.player("PlayPause")]
        case .open(let locations):
            return [.control("Play", [.strings(locations.map { $0.uri(from: folder) })])]
        case .pause: return [.player("Pause")]
        case .stop: return [.player("Stop")]
        case .stopAfterCurrent(let stops):
            guard !stops || player.canPlay else { throw .emptyQueue }
            return [.setControl("StopAfterCurrent", .boolean(stops))]
        case .next:
            guard player.canGoNext else { throw Refusal("there is no next song") }
            return [.player("Next")]
        case .previous:
            guard player.canGoPrevious else { throw Refusal("there is no song before this") }
            return [.player("Previous")]
        case .seek(let target): return [try seek(target, on: player)]
        case .volume(.to(let volume)): return [.set("Volume", .double(volume))]
        case .volume(.by(let step)):
            return [.set("Volume", .double(min(1, max(0, hundredths(player.volume + step)))))]
        case .shuffle(.switched(let change)):
            return [.set("Shuffle", .boolean(change == .toggle ? !player.isShuffled : change == .on))]
        case .shuffle(.of(let kind)):
            return [.setControl("ShuffleKind", .string(kind.rawValue)), .set("Shuffle", .boolean(true))]
        case .loop(let mode): return [.set("LoopStatus", .string(mode.rawValue))]
        case .sleep(.off): return [.control("Sleep", [.int64(0)])]
        case .sleep(.after(let time)): return [.control("Sleep", [.int64(time.microseconds)])]
        case .quit: return [.player("Quit", interface: "org.mpris.MediaPlayer2")]
        }
    }

    private func seek(_ target: SeekTarget, on player: PlayerSnapshot) throws(Refusal) -> MethodCall {
        guard player.canSeek, let track = player.song.trackID else {
            throw player.canPlay
                ? Refusal("one cannot seek in this song") : Refusal("there is no song to seek in")
        }
        switch target {
        case .by(let offset): return .player("Seek", [.int64(offset.microseconds)])
        case .to(let position):
            if let length = player.song.length, position > length {
                throw Refusal("the song is only \(length) long")
            }
            return .player("SetPosition", [.objectPath(track), .int64(position.microseconds)])
        }
    }

    /// Steps of a percent add up to whole percents.
    private func hundredths(_ volume: Double) -> Double {
        (volume * 10_000).rounded() / 10_000
    }
}

extension MethodCall {
    /// A call of the player as every desktop knows it.
    static func player(
        _ member: String,
        _ arguments: [BusValue] = [],
        interface: String = Player.interface
    ) -> MethodCall {
        MethodCall(
            to: Player.name,
            path: Player.path,
            interface: interface,
            member,
            arguments,
            startsService: false
        )
    }

    /// A call of what only Tianlai has.
    static func control(
        _ member: String,
        _ arguments: [BusValue] = [],
        interface: String = Player.control
    ) -> MethodCall {
        MethodCall(
            to: Player.name,
            path: Player.controlPath,
            interface: interface,
            member,
            arguments,
            startsService: false
        )
    }

    fileprivate static func properties(
        of interface: String,
        at path: String,
        startsService: Bool
    ) -> MethodCall {
        MethodCall(
            to: Player.name,
            path: path,
            interface: Player.properties,
            "GetAll",
            [.string(interface)],
            startsService: startsService
        )
    }

    fileprivate static func set(_ property: String, _ value: BusValue) -> MethodCall {
        .player(
            "Set",
            [.string(Player.interface), .string(property), .variant(value)],
            interface: Player.properties
        )
    }

    fileprivate static func setControl(_ property: String, _ value: BusValue) -> MethodCall {
        .control(
            "Set",
            [.string(Player.control), .string(property), .variant(value)],
            interface: Player.properties
        )
    }
}
