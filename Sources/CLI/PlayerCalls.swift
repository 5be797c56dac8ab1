import DBus
import Music
import Service

/// Why a request cannot be carried out, in one line that says what to do.
struct Refusal: Error, Equatable, CustomStringConvertible {
    var description: String

    init(_ description: String) {
        self.description = description
    }

    static let notRunning = Refusal("not running; start it with: tianlai serve")
    static let emptyQueue = Refusal("there is nothing to play; give it music: tianlai play PATH…")
}

/// Where the service is on the bus.
enum Player {
    static let name = "org.mpris.MediaPlayer2.tianlai"
    static let path = "/org/mpris/MediaPlayer2"
    static let interface = "org.mpris.MediaPlayer2.Player"
    static let controlPath = "/org/tianlai/Control1"
    static let control = "org.tianlai.Control1"
    static let properties = "org.freedesktop.DBus.Properties"

    /// All properties of the Player interface.
    static func state(startsService: Bool = false) -> MethodCall {
        MethodCall(
            to: name,
            path: path,
            interface: properties,
            "GetAll",
            [.string(interface)],
            startsService: startsService
        )
    }

    /// Why there is no sound, empty where nothing is wrong.
    static let problem = MethodCall(
        to: name,
        path: controlPath,
        interface: properties,
        "Get",
        [.string(control), .string("Problem")],
        startsService: false
    )
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
            return [.play(locations.map { $0.uri(from: folder) })]
        case .pause: return [.player("Pause")]
        case .stop: return [.player("Stop")]
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
        case .shuffle(let change):
            return [.set("Shuffle", .boolean(change == .toggle ? !player.isShuffled : change == .on))]
        case .loop(let mode): return [.set("LoopStatus", .string(mode.rawValue))]
        case .quit: return [.player("Quit", interface: "org.mpris.MediaPlayer2")]
        }
    }

    private func seek(_ target: SeekTarget, on player: PlayerSnapshot) throws(Refusal) -> MethodCall {
        guard player.canSeek, let track = player.trackID else {
            throw Refusal(player.canPlay ? "one cannot seek in this song" : "there is no song to seek in")
        }
        switch target {
        case .by(let offset): return .player("Seek", [.int64(offset.microseconds)])
        case .to(let position):
            if let length = player.length, position > length {
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
    fileprivate static func player(
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

    fileprivate static func play(_ uris: [String]) -> MethodCall {
        MethodCall(
            to: Player.name,
            path: Player.controlPath,
            interface: Player.control,
            "Play",
            [.strings(uris)],
            startsService: false
        )
    }

    fileprivate static func set(_ property: String, _ value: BusValue) -> MethodCall {
        .player(
            "Set",
            [.string(Player.interface), .string(property), .variant(value)],
            interface: Player.properties
        )
    }
}
