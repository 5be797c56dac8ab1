package import Music

/// Reads the words of a song out of a text: LRC, whose lines say when they are sung, or any other.
package enum LyricsText {
    /// More lines, or more bytes of them, than any song has are left out: all of it goes over the bus.
    static let mostLines = 50_000
    static let mostBytes = 2 << 20

    /// The lyrics that `text` is; `nil` where there is no word in it.
    ///
    /// One stamp makes it LRC, of which only the lines with stamps count (C252, C253, C255). Without any, all lines are
    /// words but those of the header.
    package static func read(_ text: String) -> Lyrics? {
        var lines = LyricsLines()
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty, !lines.isFull {
            let line = rest.prefix { $0 != newline && $0 != carriageReturn }
            rest = rest[line.endIndex...]
            // A break may be of two characters.
            if let first = rest.popFirst(), first == carriageReturn, rest.first == newline {
                rest.removeFirst()
            }
            lines.take(LyricsLine(line))
        }
        return lines.lyrics
    }

    /// The lyrics of a tag that has `lines` with times, or texts, or both (C254).
    ///
    /// What has times goes before what has none, and of equal texts the first.
    package static func best(of lines: [Lyrics.Line], _ texts: [String]) -> Lyrics? {
        if lines.contains(where: { !$0.text.isEmpty }) { return .timed(lines) }
        let all = texts.lazy.compactMap(read)
        return all.first(where: \.isTimed) ?? all.first
    }
}

/// The lines of a text put together, one after the other.
private struct LyricsLines {
    private var timed: [Lyrics.Line] = []
    private var plain: [String] = []
    private var offset = TrackTime.zero
    private var room = LyricsText.mostBytes

    var isFull: Bool { room <= 0 || timed.count + plain.count >= LyricsText.mostLines }

    mutating func take(_ line: LyricsLine) {
        switch line {
        case .timed(let times, let text):
            // What has no stamps is no word any more.
            plain = []
            for time in times where !isFull {
                timed.append(Lyrics.Line(time, text))
                room -= text.utf8.count + 1
            }
        case .plain(let text) where timed.isEmpty:
            plain.append(text)
            room -= text.utf8.count + 1
        case .offset(let time): offset = time
        case .plain, .header: break
        }
    }

    var lyrics: Lyrics? {
        guard timed.isEmpty else { return .timed(sorted) }
        let texts = plain.drop(while: \.isEmpty)
        guard let last = texts.lastIndex(where: { !$0.isEmpty }) else { return nil }
        return .plain(Array(texts[...last]))
    }

    /// By their times, equal ones in the order of the file; no offset moves any of them before the start.
    private var sorted: [Lyrics.Line] {
        let isSorted = zip(timed, timed.dropFirst()).allSatisfy { $0.time <= $1.time }
        let lines =
            isSorted
            ? timed
            : timed.enumerated().sorted { left, right in
                (left.element.time, left.offset) < (right.element.time, right.offset)
            }.map(\.element)
        guard offset != .zero else { return lines }
        // A positive offset has always meant earlier.
        return lines.map { Lyrics.Line(max(.zero, $0.time - offset), $0.text) }
    }
}

private let newline = UInt8(ascii: "\n")
private let carriageReturn = UInt8(ascii: "\r")
