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

    /// The entry that `path` is the identity of, or `nil` for what we never gave out, such as `NoTrack`.
    package static func track(_ path: String) -> TrackID? {
        guard path.hasPrefix(trackPrefix), let number = UInt64(path.dropFirst(trackPrefix.count)) else {
            return nil
        }
        let id = TrackID(number)
        // Leading zeros and signs read as numbers too.
        return track(id) == path ? id : nil
    }

    private static let trackPrefix = "/org/tianlai/track/"
}

/// The names of the interfaces.
package enum InterfaceName {
    package static let root = "org.mpris.MediaPlayer2"
    package static let player = "org.mpris.MediaPlayer2.Player"
    package static let control = "org.tianlai.Control1"
}
