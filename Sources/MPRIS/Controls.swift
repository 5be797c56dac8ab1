import DBus
package import Library
package import Music
import Playback

/// What the interfaces beyond the player's own act on.
///
/// On the loop only.
struct Controls {
    let player: any PlayerControl
    let library: any LibraryControl
    let save: SavePlaylist

    var snapshot: Snapshot { Snapshot(player.status, library.status) }
}

/// Writes the queue to a playlist of this name, and hands over on the loop where it is now.
package typealias SavePlaylist = (String, @escaping (Result<FilePath, LibraryError>) -> Void) -> Void

/// The most entries that one call hears of: a queue can be longer than a message, and the loop has other work.
let longestAnswer = 1000

extension CallError {
    init(_ error: LibraryError) {
        self = .failed(error.description)
    }
}
