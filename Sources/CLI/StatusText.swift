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
        if trackID != nil {
            lines.append(style.strong(shownTitle))
            if !artists.isEmpty { lines.append(shownArtists) }
            if let album { lines.append(Text.cleanLine(album)) }
        }
        lines.append(trackID == nil ? playback.rawValue : "\(playback.rawValue)  \(shownTime)")
        let percent = Int((min(10, max(0, volume)) * 100).rounded())
        lines.append(
            style.faint("volume \(percent)%, shuffle \(isShuffled ? "on" : "off"), loop \(loop.word)")
        )
        if let problem { lines.append(style.warning(Text.cleanLine(problem))) }
        return lines.map { $0 + "\n" }.joined()
    }

    /// For people: what plays, on one line, the time first since what is at the end may be cut off.
    func line(_ style: TextStyle) -> String {
        guard trackID != nil else { return playback.rawValue }
        let title = [shownTitle] + (artists.isEmpty ? [] : [shownArtists])
        let problem = problem.map { "  " + style.warning(Text.cleanLine($0)) } ?? ""
        return "\(playback.rawValue)  \(shownTime)  \(style.strong(title.joined(separator: " — ")))\(problem)"
    }

    /// For programs; what is not known is null.
    var json: JSON {
        .members([
            "status": .string(playback.rawValue),
            "title": .string(orNull: title),
            "artist": .strings(artists),
            "album": .string(orNull: album),
            "url": .string(orNull: url),
            "artUrl": .string(orNull: artURL),
            "length_us": .integer(orNull: length?.microseconds),
            "position_us": .integer(position.microseconds),
            "volume": .double(volume),
            "shuffle": .bool(isShuffled),
            "loop": .string(loop.rawValue),
            "canGoNext": .bool(canGoNext),
            "canGoPrevious": .bool(canGoPrevious),
            "canPlay": .bool(canPlay),
            "canPause": .bool(canPause),
            "canSeek": .bool(canSeek),
            "problem": .string(orNull: problem),
        ])
    }

    private var shownTitle: String { title.map(Text.cleanLine) ?? "Untitled" }
    private var shownArtists: String { artists.map(Text.cleanLine).joined(separator: ", ") }
    private var shownTime: String { length.map { "\(position) / \($0)" } ?? "\(position)" }
}
