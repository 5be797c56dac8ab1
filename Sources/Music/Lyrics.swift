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
}
