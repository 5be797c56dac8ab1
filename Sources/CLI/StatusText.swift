import Music
import Service

/// How text is set off on a terminal; plain elsewhere.
struct TextStyle: Sendable {
    var isPlain: Bool

    func strong(_ text: String) -> String { isPlain ? text : "\u{1B}[1m\(text)\u{1B}[0m" }
    func faint(_ text: String) -> String { isPlain ? text : "\u{1B}[2m\(text)\u{1B}[0m" }
    func warning(_ text: String) -> String { isPlain ? text : "\u{1B}[33m\(text)\u{1B}[0m" }
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
        lines.append(style.faint(shownModes))
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
    var sleepLine: String { timeToSleep.map { "pauses in \($0)\n" } ?? "no sleep timer is set\n" }

    /// The state, and with a song its time and its place: `Playing  0:12 / 1:40  (3/20)`.
    private var shownPlayback: String {
        guard song.trackID != nil else { return playback.rawValue }
        let time = song.length.map { "\(position) / \($0)" } ?? "\(position)"
        let place = place.map { "  (\($0)/\(queueLength))" } ?? ""
        return "\(playback.rawValue)  \(time)\(place)"
    }

    private var shownModes: String {
        let percent = Int((min(10, max(0, volume)) * 100).rounded())
        let shuffle = isShuffled ? shuffleKind == .albums ? "albums" : "on" : "off"
        let end = stopsAfterCurrent ? ", stops after this song" : ""
        let sleep = timeToSleep.map { ", pauses in \($0)" } ?? ""
        return "volume \(percent)%, shuffle \(shuffle), loop \(loop.word)\(end)\(sleep)"
    }
}
