import Audio
import Charset
import Covers
import Glibc
import Language
import LyricsReading
import Music
import TagReading

/// Shows what is read in files, and returns the exit code.
///
/// One JSON object a file on standard output, with the texts as they are stored, or lines for people, with what is made
/// of them; needs no service, but goes by the user's settings.
package func showTags(_ options: ShowOptions) -> CInt {
    let encodings = Settings.read(in: Folders(), report: report).tagEncodings
    let covers = TrackCovers(cache: nil)
    return showFiles(options) { (path) throws(TagError) in
        let file = try tags(of: path, encodings)
        let cover = ShownCover(of: path, file, covers)
        return ShownFile(json: json(path, file, cover), lines: lines(path, file, cover))
    }
}

/// A file that has no tags must at least be music, or the answer would be that anything is.
private func tags(of path: FilePath, _ encodings: TagEncodings) throws(TagError) -> FileTags {
    let file = try TagReader.read(absolute(path), encodings, wantsLyrics: true)
    guard file == FileTags() else { return file }
    do throws(DecoderError) {
        _ = try TrackFiles.open(TrackLocation(path))
        return file
    } catch {
        throw TagError(error.description)
    }
}

/// Settings name folders from the root on.
private func absolute(_ path: FilePath) -> FilePath {
    guard !path.isAbsolute, let here = getcwd(nil, 0) else { return path }
    defer { free(here) }
    return FilePath(String(cString: here)).map { $0.appending(path.bytes) } ?? path
}

private func json(_ path: FilePath, _ file: FileTags, _ cover: ShownCover?) -> JSON {
    let (tags, stored) = (file.tags, file.stored)
    return .members([
        "path": .string(path.description),
        "title": .string(orNull: stored[.title].first),
        "artist": .strings(stored[.artist]),
        "album": .string(orNull: stored[.album].first),
        "albumartist": .strings(stored[.albumArtist]),
        "track": .string(orNull: stored[.track].first),
        "disc": .string(orNull: stored[.disc].first),
        "date": .string(orNull: stored.date),
        "genre": .strings(tags.genres),
        "composer": .strings(stored[.composer]),
        "comment": .strings(stored[.comment]),
        "bpm": .integer(orNull: tags.beatsPerMinute.map(Int64.init)),
        "rating": number(tags.rating),
        "musicbrainz": json(tags.musicBrainz),
        "lyrics": .string(orNull: lyricsKind(file)),
        "cover": .integer(orNull: file.cover.map { Int64($0.count) }),
        "shown_cover": cover?.json ?? .null,
        "replaygain": json(tags.replayGain),
        "encoding": file.encoding.map(json) ?? .null,
    ])
}

private func json(_ decision: EncodingDecision) -> JSON {
    .members(["name": .string(decision.encoding.name), "why": .string(decision.reason)])
}

private func json(_ ids: MusicBrainzIDs) -> JSON {
    guard ids != MusicBrainzIDs() else { return .null }
    return .members([
        "recording": .string(orNull: ids.recording), "release_track": .string(orNull: ids.releaseTrack),
        "release": .string(orNull: ids.release), "release_group": .string(orNull: ids.releaseGroup),
        "artist": .strings(ids.artists), "albumartist": .strings(ids.albumArtists),
    ])
}

/// `timed` or `plain`, of the words in the tag; `nil` where there are none.
private func lyricsKind(_ file: FileTags) -> String? {
    LyricsText.best(of: file.lyrics.lines, file.lyrics.texts).map { $0.isTimed ? "timed" : "plain" }
}

private func shownLyricsKind(_ file: FileTags) -> Phrase? {
    lyricsKind(file).map { $0 == "timed" ? Phrase("timed") : Phrase("plain") }
}

private func json(_ gain: ReplayGain) -> JSON {
    guard gain != ReplayGain() else { return .null }
    return .members([
        "track_gain": number(gain.trackGain), "track_peak": number(gain.trackPeak),
        "album_gain": number(gain.albumGain), "album_peak": number(gain.albumPeak),
    ])
}

private func number(_ value: Double?) -> JSON { value.map { .double($0) } ?? .null }

private func line(_ gain: Double?, _ peak: Double?) -> [String] {
    let parts = [gain.map { "\($0) dB" }, peak.map { Phrase("peak \($0)").description }].compactMap(\.self)
    return parts.isEmpty ? [] : [parts.joined(separator: ", ")]
}

/// The path, then a line for each thing that is known.
private func lines(_ path: FilePath, _ file: FileTags, _ cover: ShownCover?) -> String {
    let tags = file.tags
    func text(_ value: (some CustomStringConvertible)?) -> [String] { value.map { [$0.description] } ?? [] }
    let rows: [(name: Phrase, values: [String])] = [
        (Phrase("Title"), text(tags.title)),
        (Phrase("Artist"), tags.artists),
        (Phrase("Album"), text(tags.album)),
        (Phrase("Album artist"), tags.albumArtists),
        (Phrase("Track"), text(tags.trackNumber)),
        (Phrase("Disc"), text(tags.discNumber)),
        (Phrase("Date"), text(tags.date)),
        (Phrase("Genre"), tags.genres),
        (Phrase("Composer"), tags.composers),
        (Phrase("Comment"), tags.comments.map(Text.cleanLine)),
        (Phrase("Beats/minute"), text(tags.beatsPerMinute)),
        (Phrase("Rating"), text(tags.rating)),
        (Phrase("MusicBrainz"), text(tags.musicBrainz.recording)),
        (Phrase("ReplayGain"), line(tags.replayGain.trackGain, tags.replayGain.trackPeak)),
        (Phrase("of the album"), line(tags.replayGain.albumGain, tags.replayGain.albumPeak)),
        (Phrase("Lyrics"), text(shownLyricsKind(file))),
        (Phrase("Cover"), text(cover?.line)),
        (Phrase("Encoding"), text(file.encoding.map { Phrase("\($0.encoding.name), because \($0.reason)") })),
    ]
    let names = rows.map { "\($0.name): " }
    let width = names.map(\.columns).max() ?? 0
    let known = zip(names, rows).flatMap { name, row in
        row.values.map { "  \(name.padded(to: width))\($0)" }
    }
    return ([path.description] + (known.isEmpty ? ["  \(Phrase("no tags"))"] : known)).joined(separator: "\n")
}
