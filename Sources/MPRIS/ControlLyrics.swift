import DBus
import Music
import Playback

/// The words of the current track on Control1: all of them for who asks, and the line that is sung for who listens.
extension ControlInterface {
    static let lyricsMethods: [Method<Controls>] = [
        Method(
            "Lyrics",
            out: [Argument("Track", "o"), Argument("Kind", "s"), Argument("Lines", "a(xs)")]
        ) { controls, _ in
            let current = controls.player.status.current
            let lines = current?.track.lyrics.map(lines) ?? []
            return lyricsArguments(current) + [.array(of: "(xs)", lines)]
        }
    ]

    /// These are small, so that whoever shows a line needs nothing else.
    static let lyricsProperties = [
        ToldProperty("LyricsKind", "s") { .string(kind($0.player.current?.track.lyrics)) },
        ToldProperty("LyricsIndex", "i") { .int32($0.player.lyricsLine.map { Int32(clamping: $0) } ?? -1) },
        ToldProperty("LyricsLine", "s") { snapshot in
            let player = snapshot.player
            let lines = player.lyricsLine.flatMap { player.current?.track.lyrics?.sung(at: $0) } ?? []
            return .string(lines.joined(separator: "\n"))
        },
    ]

    static let lyricsSignals = [Signal("LyricsChanged", [Argument("Track", "o"), Argument("Kind", "s")])]

    /// What ``lyricsSignals`` carry for this track.
    static func lyricsArguments(_ current: CurrentTrack?) -> [BusValue] {
        [
            .objectPath(current.map { ObjectPath.track($0.id) } ?? ObjectPath.noTrack),
            .string(kind(current?.track.lyrics)),
        ]
    }

    private static func kind(_ lyrics: Lyrics?) -> String {
        switch lyrics {
        case .timed: "timed"
        case .plain: "plain"
        case nil: "none"
        }
    }

    /// Microseconds and text of each line; -1 where it is not known when that is sung.
    private static func lines(_ lyrics: Lyrics) -> [BusValue] {
        switch lyrics {
        case .timed(let lines): lines.map { .structure([.int64($0.time.microseconds), .string($0.text)]) }
        case .plain(let texts): texts.map { .structure([.int64(-1), .string($0)]) }
        }
    }
}
