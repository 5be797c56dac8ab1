package import Music

/// Which line of a song is sung at some position, and how long until the next.
///
/// Worked out from the position whenever that is known anew: nothing ticks.
package struct LyricsClock: Equatable, Sendable {
    /// The first of the lines that are sung now: words and their translation have one time.
    ///
    /// `nil` before the first line, and where no line has a time.
    package var line: Int?
    /// Until another line is sung; `nil` behind the last.
    package var untilNext: TrackTime?

    package init(_ lyrics: Lyrics?, at position: TrackTime) {
        guard case .timed(let lines) = lyrics else { return }
        let next = Self.firstIndex(in: lines) { $0 > position }
        if next < lines.count { untilNext = lines[next].time - position }
        if next > 0 {
            let time = lines[next - 1].time
            line = Self.firstIndex(in: lines) { $0 >= time }
        }
    }

    /// The first line whose time is what `isBehind` says, which holds from some line on.
    private static func firstIndex(in lines: [Lyrics.Line], where isBehind: (TrackTime) -> Bool) -> Int {
        var (low, high) = (0, lines.count)
        while low < high {
            let middle = (low + high) / 2
            if isBehind(lines[middle].time) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension Lyrics {
    /// What is sung with the line at `index`: its text, and those of the same time below it.
    package func sung(at index: Int) -> [String] {
        guard case .timed(let lines) = self, lines.indices.contains(index) else { return [] }
        let time = lines[index].time
        return lines[index...].prefix { $0.time == time }.map(\.text).filter { !$0.isEmpty }
    }
}
