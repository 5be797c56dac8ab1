import DBus
import Music

/// What the player says of itself at one moment, read from its properties.
///
/// What the command cannot make sense of counts as absent: the other side may be any version.
struct PlayerSnapshot: Equatable, Sendable {
    var playback = PlaybackStatus.stopped
    var trackID: String?
    var title: String?
    var artists: [String] = []
    var album: String?
    var url: String?
    var artURL: String?
    var length: TrackTime?
    var position = TrackTime.zero
    var volume = 1.0
    var isShuffled = false
    var loop = LoopMode.none
    var canGoNext = false
    var canGoPrevious = false
    var canPlay = false
    var canPause = false
    var canSeek = false
    /// Why nothing is heard although it should be.
    var problem: String?

    init() {}

    /// Reads what `GetAll` of the Player interface gives, and `Problem` of Control1 where that could be had.
    init(properties: BusValue, problem: String?) {
        playback = properties["PlaybackStatus"]?.text.flatMap(PlaybackStatus.init) ?? .stopped
        position = TrackTime(microseconds: properties["Position"]?.integer ?? 0)
        volume = properties["Volume"]?.double ?? 1
        isShuffled = properties["Shuffle"]?.boolean ?? false
        loop = properties["LoopStatus"]?.text.flatMap(LoopMode.init(rawValue:)) ?? .none
        canGoNext = properties["CanGoNext"]?.boolean ?? false
        canGoPrevious = properties["CanGoPrevious"]?.boolean ?? false
        canPlay = properties["CanPlay"]?.boolean ?? false
        canPause = properties["CanPause"]?.boolean ?? false
        canSeek = properties["CanSeek"]?.boolean ?? false
        self.problem = problem.flatMap { $0.isEmpty ? nil : $0 }
        guard let metadata = properties["Metadata"] else { return }
        trackID = metadata["mpris:trackid"]?.text
        title = metadata["xesam:title"]?.text
        artists = metadata["xesam:artist"]?.strings ?? []
        album = metadata["xesam:album"]?.text
        url = metadata["xesam:url"]?.text
        artURL = metadata["mpris:artUrl"]?.text
        length = metadata["mpris:length"]?.integer.map(TrackTime.init(microseconds:))
    }

    /// Whether something else than the position has changed that tells of playing.
    func isAnotherSituation(than other: PlayerSnapshot) -> Bool {
        trackID != other.trackID || playback != other.playback || problem != other.problem
    }

    /// The same at another position.
    func at(_ position: TrackTime) -> PlayerSnapshot {
        var moved = self
        moved.position = position
        return moved
    }
}
