import DBus
import Language
import Music
import Service

/// What the service says of one song: a Metadata map of MPRIS, read.
///
/// What the command cannot make sense of counts as absent: the other side may be any version.
struct Song: Equatable, Sendable {
    /// The object path that names the entry of the queue; what is only in the library has none that matters.
    var trackID: String?
    var title: String?
    var artists: [String] = []
    var album: String?
    var url: String?
    var artURL: String?
    var length: TrackTime?

    init() {}

    init(metadata: BusValue) {
        trackID = metadata["mpris:trackid"]?.text
        title = metadata["xesam:title"]?.text
        artists = metadata["xesam:artist"]?.strings ?? []
        album = metadata["xesam:album"]?.text
        url = metadata["xesam:url"]?.text
        artURL = metadata["mpris:artUrl"]?.text
        length = metadata["mpris:length"]?.integer.map(TrackTime.init(microseconds:))
    }

    /// What a person knows it by: its title, or the name of its file.
    var shownTitle: String {
        title.map(Text.cleanLine) ?? url.flatMap(FileURI.decode)?.stem ?? Phrase("Untitled").description
    }

    var shownArtists: String { artists.map(Text.cleanLine).joined(separator: ", ") }

    /// Title and artists.
    var name: String { artists.isEmpty ? shownTitle : "\(shownTitle) — \(shownArtists)" }

    /// What stands behind the name in a list of songs: the length, where it is known.
    func shownEnd(_ style: TextStyle) -> String {
        length.map { style.faint(", \($0)") } ?? ""
    }

    /// For programs; what is not known is null.
    var json: JSON {
        .members([
            "title": .string(orNull: title),
            "artist": .strings(artists),
            "album": .string(orNull: album),
            "url": .string(orNull: url),
            "artUrl": .string(orNull: artURL),
            "length_us": .integer(orNull: length?.microseconds),
        ])
    }
}

extension JSON {
    /// One object with the members of both, those of `other` behind.
    func followed(by other: JSON) -> JSON {
        guard case .object(let first) = self, case .object(let second) = other else { return self }
        return .object(first + second)
    }
}
