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

    func add(
        _ locations: [String],
        at place: QueuePlace,
        isAdded: @escaping (Int) -> Void
    ) throws(OpenError) {
        for location in locations { try open(location) }
        isAdded(locations.count)
    }

    var queue = PlayQueue(seed: 1)
}
