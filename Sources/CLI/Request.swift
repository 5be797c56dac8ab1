import Music
import Service

/// What a command line asks for, understood and checked, before anything is done.
enum Request: Equatable, Sendable {
    /// Text to be shown.
    case show(String)
    case serve(ServeOptions)
    case render(RenderOptions)
    case tags(ShowOptions)
    case showPlaylist(ShowOptions)
    case showLyrics(ShowOptions)
    case player(PlayerRequest)
    case showSleep
    case status(StatusOptions)
    case lyrics(LyricsOptions)
    case queue(QueueRequest)
    case listQueue(QueueListOptions)
    case playlist(PlaylistRequest)
    case listPlaylists(json: Bool)
    case scanLibrary(measuresLoudness: Bool)
    case searchLibrary(SearchOptions)
    case libraryStatus(json: Bool)
}

/// What the running player is asked to do.
enum PlayerRequest: Equatable, Sendable {
    case play
    /// Opens these one after the other; at least one.
    case open([Location])
    case pause, toggle, next, previous, stop, quit
    case seek(SeekTarget)
    case volume(VolumeChange)
    case shuffle(ShuffleChange)
    /// Whether to stop at the end of the current song, once.
    case stopAfterCurrent(Bool)
    case loop(LoopMode)
    case sleep(SleepChange)

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
    enum Form: Equatable, Sendable {
        case lines, json
        case template(StatusTemplate)
    }

    var form = Form.lines
    var follow = false
}

/// How `tianlai lyrics` shows the words of what plays.
struct LyricsOptions: Equatable, Sendable {
    var json = false
    var follow = false
}

/// What is to become of the queue.
///
/// Songs go by their numbers, from 1.
enum QueueRequest: Equatable, Sendable {
    /// At least one, behind all or behind the current song.
    case add([Location], next: Bool)
    case remove([ClosedRange<Int>])
    /// Takes these out and puts them back so that the first has the number `to`, or they are the last.
    case move(ClosedRange<Int>, to: Int)
    case clear
    case goTo(Int)

    /// Whether it makes sense to start the service for it: with the service, the last queue comes back.
    var startsService: Bool {
        switch self {
        case .add, .goTo: true
        default: false
        }
    }
}

/// How `tianlai queue list` shows the queue.
struct QueueListOptions: Equatable, Sendable {
    var json = false
    /// `nil` is all of it.
    var numbers: ClosedRange<Int>?
}

/// What is to be done with playlists.
enum PlaylistRequest: Equatable, Sendable {
    case play(String)
    /// Writes the queue there.
    case save(PlaylistTarget)
}

/// Where a playlist is written to.
enum PlaylistTarget: Equatable, Sendable {
    /// Among the user's playlists, under this name.
    case name(String)
    /// A file, whose suffix says which format it has.
    case file(FilePath)
}

/// What `tianlai library search` is asked for.
struct SearchOptions: Equatable, Sendable {
    enum Use: Equatable, Sendable {
        case show, play, add
    }

    var words: String
    var use = Use.show
    /// How many songs at most; at least 1.
    var limit = 1000
    var json = false
}
