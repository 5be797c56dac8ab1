import Music
import Playback

/// A player that keeps what it is told, and shows what the test wants.
final class ScriptedPlayer: PlayerControl {
    var status = PlayerStatus()
    var position = TrackTime.zero
    private(set) var commands: [PlayerCommand] = []
    private(set) var opened: [String] = []

    /// The commands since the last time asked.
    func takeCommands() -> [PlayerCommand] {
        defer { commands = [] }
        return commands
    }

    func perform(_ command: PlayerCommand) {
        commands.append(command)
        switch command {
        case .setVolume(let volume): status.volume = volume
        case .setLoop(let loop): status.loop = loop
        case .setShuffle(let isShuffled): status.isShuffled = isShuffled
        case .play: status.playback = .playing
        case .pause: status.playback = .paused
        default: break
        }
    }

    func open(_ location: String) throws(OpenError) {
        guard location.hasPrefix("file:") else { throw OpenError("'\(location)' is no file") }
        opened.append(location)
    }

    func play(_ locations: [String]) throws(OpenError) {
        for location in locations { try open(location) }
    }

    func play(_ playlist: PlaylistID, in file: FilePath) {
        status.playlist = playlist
        opened.append(FileURI.encode(file))
    }

    /// Puts new entries into the queue at once, and tells so now, or when the test says.
    func add(
        _ locations: [String],
        at place: QueuePlace,
        isAdded: @escaping (Int) -> Void
    ) throws(OpenError) {
        for location in locations { try open(location) }
        added.append(place)
        let index =
            switch place {
            case .start: 0
            case .end: queue.count
            case .next: (queue.currentIndex ?? -1) + 1
            case .after(let id): queue.index(of: id).map { $0 + 1 } ?? queue.count
            }
        queue.apply(.insert(locations.compactMap(FileURI.decode).map { TrackLocation($0) }, at: index))
        additions.append { isAdded(locations.count) }
        if !isSlow { finishAdditions() }
    }

    /// Whether additions take until ``finishAdditions()``.
    var isSlow = false
    private(set) var added: [QueuePlace] = []
    private var additions: [() -> Void] = []

    func finishAdditions() {
        defer { additions = [] }
        for addition in additions { addition() }
    }

    var queue = PlayQueue(seed: 1)
}
