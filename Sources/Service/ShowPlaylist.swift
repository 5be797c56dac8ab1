import Language
import Music
import Playlists

/// Shows what is read in playlists, and what of it is there, and returns the exit code.
///
/// One JSON object a list on standard output, or lines for people; needs no service and fetches nothing.
package func showPlaylist(_ options: ShowOptions) -> CInt {
    showFiles(options) { (path) throws(PlaylistError) in
        let playlist = try PlaylistFile.read(path)
        let list = FilePath.current?.appending(path.bytes) ?? path
        let resolver = EntryResolver(list: list, musicSuffixes: TrackFiles.suffixes)
        let entries = playlist.entries.map { Shown($0, resolver) }
        return ShownFile(json: json(path, playlist, entries), lines: lines(path, playlist, entries))
    }
}

/// An entry and what it means on this machine.
private struct Shown {
    var entry: PlaylistEntry
    /// `nil` for what is on the network or on another system's drive.
    var path: FilePath?
    var isThere: Bool

    init(_ entry: PlaylistEntry, _ resolver: EntryResolver) {
        self.entry = entry
        let found = resolver.find(entry)?.path
        path = found ?? resolver.path(of: entry)
        isThere = found != nil
    }
}

private func json(_ path: FilePath, _ playlist: Playlist, _ entries: [Shown]) -> JSON {
    .members([
        "path": .string(path.description),
        "title": .string(orNull: playlist.title),
        "entries": .array(
            entries.map { shown in
                let (entry, excerpt) = (shown.entry, shown.entry.excerpt)
                return .members([
                    "location": .string(entry.text),
                    "path": .string(orNull: shown.path?.description),
                    "found": .bool(shown.isThere),
                    "title": .string(orNull: entry.title),
                    "artist": .string(orNull: entry.artist),
                    "album": .string(orNull: entry.album),
                    "track": .integer(orNull: excerpt?.number.map(Int64.init)),
                    "start_ms": .integer(orNull: excerpt.map { milliseconds($0.start) }),
                    "end_ms": .integer(orNull: excerpt?.end.map(milliseconds)),
                    "duration_ms": .integer(orNull: entry.duration.map(milliseconds)),
                ])
            }
        ),
    ])
}

private func milliseconds(_ time: TrackTime) -> Int64 { (time.microseconds + 500) / 1000 }

/// The path, then a line for each entry.
private func lines(_ path: FilePath, _ playlist: Playlist, _ entries: [Shown]) -> String {
    let width = "\(entries.count)".count
    let rows = entries.enumerated().map { "  \("\($0 + 1)".indented(to: width))  \(line($1))" }
    let heading = playlist.title.map { "\(path): \($0)" } ?? path.description
    return ([heading] + (rows.isEmpty ? ["  \(Phrase("no entries"))"] : rows)).joined(separator: "\n")
}

private func line(_ shown: Shown) -> String {
    let entry = shown.entry
    var words: [String] = []
    if let title = entry.title {
        words.append([entry.artist, title].compactMap(\.self).joined(separator: " - "))
    }
    if let excerpt = entry.excerpt {
        let start = excerpt.start
        let place = excerpt.end.map { Phrase("from \(start) to \($0)") } ?? Phrase("from \(start)")
        words.append(place.description)
    } else if let duration = entry.duration {
        words.append("\(duration)")
    }
    words.append(shown.isThere ? shown.path?.description ?? entry.text : entry.text)
    if !shown.isThere {
        let reason = entry.isOnNetwork ? Phrase("(on the network)") : Phrase("(not there)")
        words.append(reason.description)
    }
    return words.joined(separator: "  ")
}
