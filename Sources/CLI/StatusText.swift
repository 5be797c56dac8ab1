import Language
import Music
import Service

/// How text is set off on a terminal; plain elsewhere.
struct TextStyle: Sendable {
    var isPlain: Bool

    func strong(_ text: String) -> String { isPlain ? text : "\u{1B}[1m\(text)\u{1B}[0m" }
    func faint(_ text: String) -> String { isPlain ? text : "\u{1B}[2m\(text)\u{1B}[0m" }
    func warning(_ text: String) -> String { isPlain ? text : "\u{1B}[31m\(text)\u{1B}[0m" }
}

extension PlayerSnapshot {
    /// For people: what plays, line by line.
    func lines(_ style: TextStyle) -> String {
        var lines: [String] = []
        if song.trackID != nil {
            lines.append(style.strong(song.shownTitle))
            if !song.artists.isEmpty { lines.append(song.shownArtists) }
            if let album = song.album { lines.append(Text.cleanLine(album)) }
        }
        lines.append(shownPlayback)
        lines.append(style.faint(shownModes.description))
        if let problem { lines.append(style.warning(Text.cleanLine(problem))) }
        return lines.map { $0 + "\n" }.joined()
    }

    /// For people: what plays, on one line, the time first since what is at the end may be cut off.
    func line(_ style: TextStyle) -> String {
        guard song.trackID != nil else { return shownPlayback }
        let problem = problem.map { "  " + style.warning(Text.cleanLine($0)) } ?? ""
        return "\(shownPlayback)  \(style.strong(song.name))\(problem)"
    }

    /// For programs; what is not known is null.
    var json: JSON {
        let status: JSON = .members(["status": .string(playback.rawValue)])
        return status.followed(by: song.json).followed(
            by: .members([
                "position_us": .integer(position.microseconds),
                "volume": .double(volume),
                "shuffle": .bool(isShuffled),
                "shuffleKind": .string(shuffleKind.rawValue),
                "loop": .string(loop.rawValue),
                "stopAfterCurrent": .bool(stopsAfterCurrent),
                "sleep_us": .integer(orNull: timeToSleep?.microseconds),
                "number": .integer(orNull: place.map(Int64.init)),
                "queueLength": .integer(Int64(queueLength)),
                "canGoNext": .bool(canGoNext),
                "canGoPrevious": .bool(canGoPrevious),
                "canPlay": .bool(canPlay),
                "canPause": .bool(canPause),
                "canSeek": .bool(canSeek),
                "problem": .string(orNull: problem),
            ])
        )
    }

    /// For people: what `tianlai sleep` shows.
    var sleepLine: Phrase { timeToSleep.map { "pauses in \($0)" } ?? "no sleep timer is set" }

    /// The state, and with a song its time and its place: `Playing  0:12 / 1:40  (3/20)`.
    private var shownPlayback: String {
        guard song.trackID != nil else { return playback.phrase.description }
        let time = song.length.map { "\(position) / \($0)" } ?? "\(position)"
        let place = place.map { "  (\($0)/\(queueLength))" } ?? ""
        return "\(playback.phrase)  \(time)\(place)"
    }

    private var shownModes: Phrase {
        let percent = Int((min(10, max(0, volume)) * 100).rounded())
        let shuffle: Phrase = isShuffled ? shuffleKind == .albums ? "albums" : "on" : "off"
        var modes: Phrase = "volume \(percent)%, shuffle \(shuffle), loop \(loop.phrase)"
        if stopsAfterCurrent { modes = Phrase("\(modes), stops after this song") }
        if let timeToSleep { modes = Phrase("\(modes), pauses in \(timeToSleep)") }
        return modes
    }
}

extension PlaybackStatus {
    var phrase: Phrase {
        switch self {
        case .playing: "Playing"
        case .paused: "Paused"
        case .stopped: "Stopped"
        }
    }
}

extension LoopMode {
    fileprivate var phrase: Phrase {
        switch self {
        case .none: "none"
        case .track: "track"
        case .playlist: "playlist"
        }
    }
}
