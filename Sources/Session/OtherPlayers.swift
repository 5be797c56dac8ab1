/// The other players on the bus: which of them play, and when one has begun.
///
/// Values only. A player is known by its connection, which may have more than one name. Pausing is all that ever comes of
/// it, and nothing is begun by a pause, so two that look at each other come to rest.
struct OtherPlayers: Equatable {
    static let namespace = "org.mpris.MediaPlayer2"

    /// The players by their connections; `nil` while it is not known whether one plays.
    private var players: [String: Bool?] = [:]

    /// Whether a name is that of a player that is heard here.
    ///
    /// Some show what others play under a name of their own: playerctld what plays on the same bus, also this player,
    /// KDE Connect and GSConnect what plays on a phone.
    static func isPlayer(_ name: String) -> Bool {
        guard name.hasPrefix(namespace + ".") else { return false }
        let own = name.dropFirst(namespace.count + 1)
        let first = own.prefix { $0 != "." }
        return !own.isEmpty && !["playerctld", "kdeconnect", "GSConnect"].contains(String(first))
    }

    /// A player that was there before anybody looked; what it does is still to be asked.
    mutating func find(_ connection: String) {
        if players[connection] == nil { players[connection] = .some(nil) }
    }

    /// A player that has just come: whatever it plays, it begins now.
    mutating func enter(_ connection: String) {
        if players[connection] == nil { players[connection] = false }
    }

    mutating func leave(_ connection: String) {
        players[connection] = nil
    }

    /// A player says, asked or not, whether it plays; returns whether it has begun to.
    ///
    /// Many say so again at each track. Of what is none of ours it says nothing.
    mutating func note(_ connection: String, isPlaying: Bool) -> Bool {
        guard let former = players[connection] else { return false }
        players[connection] = isPlaying
        return isPlaying && former == false
    }
}
