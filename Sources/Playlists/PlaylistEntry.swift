import Charset
package import Music

/// One entry of a playlist as it is written there: nothing has been looked for yet.
package struct PlaylistEntry: Equatable, Sendable {
    /// Where it says the music is.
    let location: WrittenLocation
    /// Other places for the same music, to be tried in this order (XSPF, ASX).
    let alternatives: [WrittenLocation]
    /// One line, cleaned, like the other texts.
    package var title: String?
    package var artist: String?
    package var album: String?
    package var duration: TrackTime?
    /// The stretch of the file that a cue sheet means.
    package var excerpt: Excerpt?
    /// The text of the location where that is not in UTF-8 and had to be decoded.
    private let decoded: String?

    /// An entry of a list in UTF-8, unless there is a `text` that can read its location.
    init(_ location: WrittenLocation, alternatives: [WrittenLocation] = [], _ text: ListText? = nil) {
        self.location = location
        self.alternatives = alternatives
        decoded = text?.encoding == .utf8 ? nil : text?.line(location.bytes)
    }

    /// The location as it is written, decoded and cleaned: for people, not to be opened.
    package var text: String { decoded ?? ListText(location.encoding).line(location.bytes) }

    /// Whether it is something on the network, which cannot be played.
    package var isOnNetwork: Bool {
        location.kind == .network && alternatives.allSatisfy { $0.kind == .network }
    }

    /// The path that it most plainly means, without a look at the disk; `folder` is the list's.
    ///
    /// `nil` for what is on the network or on a drive of Windows. ``EntryResolver`` finds what is really there.
    package func path(in folder: FilePath?) -> FilePath? { path(in: folder, ListText(location.encoding)) }

    func path(in folder: FilePath?, _ text: ListText) -> FilePath? {
        for location in [location] + alternatives {
            guard let plain = location.plainPath(text), let path = FilePath(bytes: plain) else { continue }
            return folder?.appending(path.bytes) ?? path
        }
        return nil
    }
}
