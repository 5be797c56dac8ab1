package import Music

/// Keeps what must outlive the process; called on the loop after each change, before anybody is answered.
package protocol PlaybackRecorder: AnyObject {
    /// Keeps these edits, in order; `queue` is what they have led to.
    func record(_ edits: [QueueEdit], leadingTo queue: PlayQueue)

    /// A long queue has come in, piece by piece: keeps it in one, so that it comes back quickly.
    func recordWhole(_ queue: PlayQueue)

    /// Keeps how the queue is played now.
    func record(_ modes: PlaybackModes)

    /// Keeps where the entry `track` has come to; about once a second while it plays, so it must not touch a disk.
    func record(_ place: TrackTime, of track: TrackID)
}

/// How the queue is played: all of the player that outlives the process but the queue itself.
package struct PlaybackModes: Equatable, Sendable {
    package var loop = LoopMode.playlist
    /// 0 to 1.
    package var volume = 1.0
    package var stopsAfterCurrent = false
    /// What a shuffle keeps together when it is turned on.
    package var shuffleKind = ShuffleKind.tracks
    /// Whether the current track begins at its start when it is played again.
    package var isStopped = false
    /// Where the current track was when this was kept; later is what was kept of its place alone.
    package var place = TrackTime.zero
    /// The playlist that the queue was made of.
    package var playlist: PlaylistID?

    package init() {}
}

/// What a former process has left.
package struct RestoredPlayback: Equatable, Sendable {
    package var queue: PlayQueue
    package var modes: PlaybackModes
    /// Where the current track was.
    package var place: TrackTime

    package init(queue: PlayQueue, modes: PlaybackModes, place: TrackTime) {
        self.queue = queue
        self.modes = modes
        self.place = place
    }
}
