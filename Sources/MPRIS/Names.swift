package import Music

/// Where the player is found on the bus.
package enum BusName {
    /// The name of a lone instance (C-1, C107, C108).
    package static let player = "org.mpris.MediaPlayer2.tianlai"

    /// The name of a further instance in the process `identifier` (G-3, G-4, C103).
    package static func instance(_ identifier: Int32) -> String { "\(player).instance\(identifier)" }
}

/// The object paths.
package enum ObjectPath {
    /// What MPRIS asks for (G-5).
    package static let player = "/org/mpris/MediaPlayer2"
    /// Our own, apart from MPRIS: some clients take any change at its path for the player's (C-6).
    package static let control = "/org/tianlai/Control1"

    /// The identity of a queue entry as MPRIS has it: a path outside of `/org/mpris` (P-2, P-3, C-19).
    package static func track(_ id: TrackID) -> String { trackPrefix + String(id.number) }

    /// The entry that `path` is the identity of, or `nil` for what we never gave out, such as ``noTrack``.
    package static func track(_ path: String) -> TrackID? {
        number(in: path, after: trackPrefix).map(TrackID.init)
    }

    /// What stands for "no track" where MPRIS wants a track (P-3).
    package static let noTrack = "/org/mpris/MediaPlayer2/TrackList/NoTrack"

    /// The identity of a playlist, the same whatever it is called (L-2).
    package static func playlist(_ id: PlaylistID) -> String { playlistPrefix + String(id.number) }

    /// The playlist that `path` is the identity of, or `nil` for what we never gave out.
    package static func playlist(_ path: String) -> PlaylistID? {
        number(in: path, after: playlistPrefix).map(PlaylistID.init)
    }

    /// What stands for "no playlist" (L-3).
    package static let noPlaylist = "/"

    private static let trackPrefix = "/org/tianlai/track/"
    private static let playlistPrefix = "/org/tianlai/playlist/"

    private static func number(in path: String, after prefix: String) -> UInt64? {
        guard path.hasPrefix(prefix), let number = UInt64(path.dropFirst(prefix.count)),
            // Leading zeros and signs read as numbers too.
            prefix + String(number) == path
        else { return nil }
        return number
    }
}

/// The names of the interfaces.
package enum InterfaceName {
    package static let root = "org.mpris.MediaPlayer2"
    package static let player = "org.mpris.MediaPlayer2.Player"
    package static let trackList = "org.mpris.MediaPlayer2.TrackList"
    package static let playlists = "org.mpris.MediaPlayer2.Playlists"
    package static let control = "org.tianlai.Control1"
}
