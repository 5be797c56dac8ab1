package import Music

/// The player as its views know it: the bus, the command and a window show the same status and can each change it.
///
/// On the loop only.
package protocol PlayerControl: AnyObject {
    /// What is shown now, whole and consistent.
    var status: PlayerStatus { get }

    /// Where in the current track the sound that leaves the speakers now is: 0 when stopped, never beyond the length.
    var position: TrackTime { get }

    /// Carries out a command, or does nothing where it makes no sense now; never waits for a file or the sound server.
    func perform(_ command: PlayerCommand)

    /// Puts what `location` (a `file:` URI, an absolute path) names after the current entry, makes its first track
    /// current and plays it (P-12).
    ///
    /// Throws at once where the location cannot be one of ours; what turns out later not to play is reported and skipped.
    func open(_ location: String) throws(OpenError)

    /// Makes what `locations` name the whole queue and plays it; as ``open(_:)`` otherwise.
    func play(_ locations: [String]) throws(OpenError)

    /// Makes the playlist in this file the queue and plays it; it is the active one until the queue is another.
    func play(_ playlist: PlaylistID, in file: FilePath)

    /// Puts what `locations` name into the queue, and what is current stays so; as ``open(_:)`` otherwise.
    ///
    /// `isAdded` is called on the loop when all of it is there, with the number of new entries.
    func add(_ locations: [String], at place: QueuePlace, isAdded: @escaping (Int) -> Void) throws(OpenError)

    /// The queue as it is now; look at it and let it go: a copy that is kept makes the next edit slow.
    var queue: PlayQueue { get }
}

/// What a view can ask of the player.
package enum PlayerCommand: Equatable, Sendable {
    case play, pause, playPause, stop, next, previous
    /// Moves by an offset, which may be negative.
    case seek(TrackTime)
    /// Moves to a place in the track that the caller believes to be current; ignored when it is not (P-11).
    case setPosition(TrackID, TrackTime)
    case setLoop(LoopMode)
    case setShuffle(Bool)
    /// Makes an entry current and plays it, also when stopped or paused; ignored when there is no such entry (C151).
    case goTo(TrackID)
    /// Takes entries out; where the current one is among them the next one follows, in the state that there was.
    case remove([TrackID])
    /// Brings entries, in the order of the list, behind another; to the front where that is `nil`.
    case move([TrackID], after: TrackID?)
    /// Empties the queue.
    case clear
    case setShuffleKind(ShuffleKind)
    /// Whether to stop at the end of the current track, once.
    case setStopsAfterCurrent(Bool)
    /// 0 to 1; values outside are clamped. The caller has made sure that it is a number.
    case setVolume(Double)
    /// Pauses after this time, a day at most, with a fade before; `nil` or 0 takes that back.
    case sleep(after: TrackTime?)
}

/// Where in the queue something is put.
package enum QueuePlace: Equatable, Sendable {
    case start, end
    /// Behind the current entry.
    case next
    /// Behind this entry; at the end where there is no such.
    case after(TrackID)
}

/// Why something cannot be opened, in one line for people.
package struct OpenError: Error, Equatable, CustomStringConvertible {
    package var description: String

    package init(_ description: String) {
        self.description = description
    }
}

/// All that a view shows of the player but the position, which moves by itself.
package struct PlayerStatus: Equatable, Sendable {
    package var playback = PlaybackStatus.stopped
    package var loop = LoopMode.playlist
    package var isShuffled = false
    /// 0 to 1, the very number that was set (C-13).
    package var volume = 1.0
    /// `nil` when the queue is empty.
    package var current: CurrentTrack?
    /// The entries around the current one, at most 100, in the order of the list, with what is known of each (T-1, C153).
    ///
    /// All of a shorter queue. It stays as it is while the current entry is well inside it.
    package var listed: [ListedTrack] = []
    /// How many entries the queue has.
    package var queueCount = 0
    /// What a shuffle keeps together, also while there is none.
    package var shuffleKind = ShuffleKind.tracks
    package var stopsAfterCurrent = false
    /// When the sleep timer runs out, on the clock of `Instant.now()`; `nil` while none is set.
    package var sleepsAt: Instant?
    /// The playlist that the queue was made of.
    package var playlist: PlaylistID?
    /// Whether the call would change the track now (C-10, C065).
    package var canGoNext = false
    package var canGoPrevious = false
    /// How often the position has jumped within a track (seek, wrap, restart): a view tells each change once.
    package var jumps: UInt64 = 0
    /// Why there is no sound although there should be, and what to do about it, in one line.
    package var problem: String?
    /// The line of the current track's lyrics that is sung now, the first of several of one time (``LyricsClock``).
    package var lyricsLine: Int?

    package init() {}

    /// Whether Play and Pause have something to act on; not a matter of what sounds (P-27, P-28, C014).
    package var canPlay: Bool { current != nil }

    /// Whether the position can be moved (P-29).
    package var canSeek: Bool { current?.track.length != nil }
}

/// An entry of the queue, with what is known of its file by now but its lyrics: at least where it is.
package struct ListedTrack: Equatable, Sendable {
    package var id: TrackID
    package var track: Track

    package init(id: TrackID, track: Track) {
        self.id = id
        self.track = track
    }
}

/// The entry of the queue that is current, with all that is known of its file.
package struct CurrentTrack: Equatable, Sendable {
    package var id: TrackID
    package var track: Track

    package init(id: TrackID, track: Track) {
        self.id = id
        self.track = track
    }
}
