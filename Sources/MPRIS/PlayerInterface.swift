package import DBus
import Music
package import Playback

/// `org.mpris.MediaPlayer2.Player`: the player's status as MPRIS words it, and its commands.
package enum PlayerInterface {
    package static let table = Interface<any PlayerControl>(
        InterfaceName.player,
        methods: methods,
        properties: properties,
        signals: [Signal("Seeked", [Argument("Position", "x")])]
    )

    private static let methods: [Method<any PlayerControl>] = [
        .plain("Next") { $0.perform(.next) },
        .plain("Previous") { $0.perform(.previous) },
        .plain("Pause") { $0.perform(.pause) },
        .plain("PlayPause") { (player) throws(CallError) in
            // The only call for which MPRIS wants an error where there is nothing to act on (P-7).
            guard player.status.canPlay else { throw .failed("there is no track to play") }
            player.perform(.playPause)
        },
        .plain("Stop") { $0.perform(.stop) },
        .plain("Play") { $0.perform(.play) },
        Method("Seek", in: [Argument("Offset", "x")]) { (player, arguments) throws(CallError) in
            guard case .int64(let offset) = arguments.first else { throw .invalidArguments("no offset") }
            player.perform(.seek(TrackTime(microseconds: offset)))
            return []
        },
        Method(
            "SetPosition",
            in: [Argument("TrackId", "o"), Argument("Position", "x")]
        ) { (player, arguments) throws(CallError) in
            guard let path = arguments.first?.text, case .int64(let position) = arguments.last else {
                throw .invalidArguments("no position")
            }
            // A stale id is ignored, and so is one that never was ours (P-11, C-34).
            guard let track = ObjectPath.track(path) else { return [] }
            player.perform(.setPosition(track, TrackTime(microseconds: position)))
            return []
        },
        Method("OpenUri", in: [Argument("Uri", "s")]) { (player, arguments) throws(CallError) in
            guard let location = arguments.first?.text else { throw .invalidArguments("no URI") }
            do throws(OpenError) {
                try player.open(location)
            } catch {
                throw .failed(error.description)
            }
            return []
        },
    ]

    private static let properties: [Property<any PlayerControl>] = [
        Property("PlaybackStatus", "s", get: { $0.status.playbackValue }),
        Property(
            "LoopStatus",
            "s",
            get: { $0.status.loopValue },
            set: { (player, value) throws(CallError) in
                guard let loop = value.text.flatMap(LoopMode.init(rawValue:)) else {
                    throw .invalidArguments("LoopStatus is None, Track or Playlist")
                }
                player.perform(.setLoop(loop))
            }
        ),
        Property(
            "Rate",
            "d",
            get: { _ in .double(1) },
            set: { (player, value) throws(CallError) in
                guard let rate = value.double, rate.isFinite else {
                    throw .invalidArguments("Rate is a number")
                }
                // There is but one speed; none at all is what a client means by pausing (P-16, C-12).
                if rate == 0 { player.perform(.pause) }
            }
        ),
        Property(
            "Shuffle",
            "b",
            get: { $0.status.shuffleValue },
            set: { (player, value) throws(CallError) in
                guard let isShuffled = value.boolean else {
                    throw .invalidArguments("Shuffle is true or false")
                }
                player.perform(.setShuffle(isShuffled))
            }
        ),
        Property("Metadata", "a{sv}", get: { Metadata.value(of: $0.status.current) }),
        Property(
            "Volume",
            "d",
            get: { $0.status.volumeValue },
            set: { (player, value) throws(CallError) in
                guard let volume = value.double, !volume.isNaN else {
                    throw .invalidArguments("Volume is a number from 0 to 1")
                }
                player.perform(.setVolume(min(max(volume, 0), 1)))
            }
        ),
        Property("Position", "x", emits: .nothing, get: { .position($0.position) }),
        Property("MinimumRate", "d", get: { _ in .double(1) }),
        Property("MaximumRate", "d", get: { _ in .double(1) }),
        Property("CanGoNext", "b", get: { .boolean($0.status.canGoNext) }),
        Property("CanGoPrevious", "b", get: { .boolean($0.status.canGoPrevious) }),
        Property("CanPlay", "b", get: { .boolean($0.status.canPlay) }),
        Property("CanPause", "b", get: { .boolean($0.status.canPause) }),
        Property("CanSeek", "b", get: { .boolean($0.status.canSeek) }),
        Property("CanControl", "b", emits: .nothing, get: { _ in .boolean(true) }),
    ]
}

// MARK: The status in the bus's types, for Get and for signals alike

extension PlayerStatus {
    var playbackValue: BusValue { .string(playback.rawValue) }
    var loopValue: BusValue { .string(loop.rawValue) }
    var shuffleValue: BusValue { .boolean(isShuffled) }
    var volumeValue: BusValue { .double(volume) }
    /// The same as `canPlay`, also while stopped: PlayPause needs both in some clients (C-10, D-4).
    var canPause: Bool { canPlay }
}

extension BusValue {
    static func position(_ time: TrackTime) -> BusValue { .int64(max(0, time.microseconds)) }
}
