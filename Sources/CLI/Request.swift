import Music
import Service

/// What a command line asks for, understood and checked, before anything is done.
enum Request: Equatable, Sendable {
    /// Text to be shown.
    case show(String)
    case serve(ServeOptions)
    case render(RenderOptions)
    case tags(TagsOptions)
    case showPlaylist(ShowPlaylistOptions)
    case player(PlayerRequest)
    case status(StatusOptions)
}

/// What the running player is asked to do.
enum PlayerRequest: Equatable, Sendable {
    case play
    /// Opens these one after the other; at least one.
    case open([Location])
    case pause, toggle, next, previous, stop, quit
    case seek(SeekTarget)
    case volume(VolumeChange)
    case shuffle(Switch)
    case loop(LoopMode)

    /// Whether it makes sense to start the service for it.
    var startsService: Bool {
        switch self {
        case .play, .open, .toggle: true
        default: false
        }
    }
}

/// How `tianlai status` shows what plays.
struct StatusOptions: Equatable, Sendable {
    var json = false
    var follow = false
}
