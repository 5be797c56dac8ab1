/// The words of a song, cleaned like all text that is shown.
package enum Lyrics: Equatable, Sendable {
    /// Lines without times; an empty one parts verses.
    case plain([String])
    /// Lines in the order of their times; of equal ones, such as words and their translation, in the order of the file.
    case timed([Line])

    /// A line, and when it is sung.
    package struct Line: Equatable, Sendable {
        /// From the start of the track.
        package var time: TrackTime
        /// One line; empty where nothing is sung.
        package var text: String

        package init(_ time: TrackTime, _ text: String) {
            self.time = time
            self.text = text
        }
    }

    /// The lines without their times.
    package var texts: [String] {
        switch self {
        case .plain(let texts): texts
        case .timed(let lines): lines.map(\.text)
        }
    }

    package var isTimed: Bool {
        if case .timed = self { true } else { false }
    }
}

extension Lyrics {
    /// Those of a stretch of the file that they belong to, with times from its start; `nil` where it has none.
    ///
    /// Words without times belong to the file as a whole, and to none of its stretches.
    package func cut(to excerpt: Excerpt) -> Lyrics? {
        guard case .timed(let lines) = self else { return nil }
        let end = excerpt.end ?? TrackTime(microseconds: .max)
        let inside = lines.filter { $0.time >= excerpt.start && $0.time < end }
        guard inside.contains(where: { !$0.text.isEmpty }) else { return nil }
        return .timed(inside.map { Line($0.time - excerpt.start, $0.text) })
    }
}
