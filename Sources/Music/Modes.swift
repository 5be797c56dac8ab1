/// What sounds, under the names that MPRIS gives it (P-14).
package enum PlaybackStatus: String, Sendable, CaseIterable {
    case playing = "Playing"
    case paused = "Paused"
    /// Nothing sounds and the next Play begins the current track at its start.
    case stopped = "Stopped"
}

/// What follows the end of a track or of the queue, under the names that MPRIS gives it (P-15).
package enum LoopMode: String, Sendable, CaseIterable {
    /// The queue plays once.
    case none = "None"
    /// A track that ends begins again; Next and Previous still move.
    case track = "Track"
    /// The queue begins again at its end, and Previous wraps round its start.
    case playlist = "Playlist"
}

/// What a shuffle keeps together.
package enum ShuffleKind: String, Sendable, CaseIterable {
    /// Nothing: every track comes at random.
    case tracks
    /// The tracks of an album, in the order of the list; an album is what lies in one folder or in one file.
    case albums
}
