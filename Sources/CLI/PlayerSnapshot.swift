import DBus
import EventLoop
import Music

/// What the player says of itself at one moment, read from its properties.
///
/// What the command cannot make sense of counts as absent: the other side may be any version.
struct PlayerSnapshot: Equatable, Sendable {
    var playback = PlaybackStatus.stopped
    /// The current one; nothing is known of it where there is none.
    var song = Song()
    /// All that the service tells of it.
    var metadata: BusValue?
    var position = TrackTime.zero
    var volume = 1.0
    var isShuffled = false
    var shuffleKind = ShuffleKind.tracks
    var loop = LoopMode.none
    var stopsAfterCurrent = false
    /// When the sleep timer runs out; `nil` while none is set.
    var sleepsAt: Instant?
    var queueLength = 0
    /// The place of the current song in the queue, from 1; `nil` where there is none, or the service does not say.
    var place: Int?
    var canGoNext = false
    var canGoPrevious = false
    var canPlay = false
    var canPause = false
    var canSeek = false
    /// Why nothing is heard although it should be.
    var problem: String?

    init() {}

    /// Reads what `GetAll` gives of the Player interface, and of Control1 where that could be had.
    init(properties: BusValue, control: BusValue?) {
        playback = properties["PlaybackStatus"]?.text.flatMap(PlaybackStatus.init) ?? .stopped
        song = properties["Metadata"].map(Song.init(metadata:)) ?? Song()
        metadata = properties["Metadata"].flatMap { $0.entries == nil ? nil : $0 }
        position = TrackTime(microseconds: properties["Position"]?.integer ?? 0)
        volume = properties["Volume"]?.double ?? 1
        isShuffled = properties["Shuffle"]?.boolean ?? false
        loop = properties["LoopStatus"]?.text.flatMap(LoopMode.init(rawValue:)) ?? .none
        canGoNext = properties["CanGoNext"]?.boolean ?? false
        canGoPrevious = properties["CanGoPrevious"]?.boolean ?? false
        canPlay = properties["CanPlay"]?.boolean ?? false
        canPause = properties["CanPause"]?.boolean ?? false
        canSeek = properties["CanSeek"]?.boolean ?? false
        guard let control else { return }
        shuffleKind = control["ShuffleKind"]?.text.flatMap(ShuffleKind.init(rawValue:)) ?? .tracks
        stopsAfterCurrent = control["StopAfterCurrent"]?.boolean ?? false
        sleepsAt = control["SleepAt"]?.integer.flatMap { microseconds in
            (1..<Int64.max / 1000).contains(microseconds) ? Instant(nanoseconds: microseconds * 1000) : nil
        }
        queueLength = control.count("QueueLength")
        place = control["QueueIndex"]?.integer.flatMap {
            (0..<Int64(Int32.max)).contains($0) ? Int($0) + 1 : nil
        }
        problem = control.line("Problem")
    }

    /// Whether something else than the position has changed that tells of playing.
    func isAnotherSituation(than other: PlayerSnapshot) -> Bool {
        song.trackID != other.song.trackID || playback != other.playback || problem != other.problem
    }

    /// How long the sleep timer still runs, 0 when it is about to have run out; `nil` while none is set.
    var timeToSleep: TrackTime? { sleepsAt.map { max(.zero, $0.since(.now())) } }

    /// The same at another position.
    func at(_ position: TrackTime) -> PlayerSnapshot {
        var moved = self
        moved.position = position
        return moved
    }
}

extension BusValue {
    /// The number of things that this dictionary has at `key`; 0 where it tells none.
    func count(_ key: String) -> Int {
        self[key]?.integer.map { Int(max(0, $0)) } ?? 0
    }

    /// The text at `key`; `nil` where there is none or it is empty.
    func line(_ key: String) -> String? {
        self[key]?.text.flatMap { $0.isEmpty ? nil : $0 }
    }
}
