import Audio
import Charset
import Covers
import Glibc
import LyricsReading
import Music
import TagReading

/// Shows what is read in files, and returns the exit code.
///
/// One JSON object a file on standard output, with the texts as they are stored, or lines for people, with what is made
/// of them; needs no service, but goes by the user's settings.
package func showTags(_ options: ShowOptions) -> CInt {
    let encodings = Settings.read(in: Folders(), report: report).tagEncodings
    return showFiles(options) { (path) throws(TagError) in
        let file = try tags(of: path, encodings)
        let cover = ShownCover(of: path, file)
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

private func json(_ gain: ReplayGain) -> JSON {
    guard gain != ReplayGain() else { return .null }
    return .members([
        "track_gain": number(gain.trackGain), "track_peak": number(gain.trackPeak),
        "album_gain": number(gain.albumGain), "album_peak": number(gain.albumPeak),
    ])
}

private func number(_ value: Double?) -> JSON { value.map { .double($0) } ?? .null }

private func line(_ gain: Double?, _ peak: Double?) -> [String] {
    let parts = [gain.map { "\($0) dB" }, peak.map { "peak \($0)" }].compactMap(\.self)
    return parts.isEmpty ? [] : [parts.joined(separator: ", ")]
}

/// The path, then a line for each thing that is known.
private func lines(_ path: FilePath, _ file: FileTags, _ cover: ShownCover?) -> String {
    let tags = file.tags
    func text(_ value: (some CustomStringConvertible)?) -> [String] { value.map { [$0.description] } ?? [] }
    let rows: [(String, [String])] = [
        ("Title", text(tags.title)),
        ("Artist", tags.artists),
        ("Album", text(tags.album)),
        ("Album artist", tags.albumArtists),
        ("Track", text(tags.trackNumber)),
        ("Disc", text(tags.discNumber)),
        ("Date", text(tags.date)),
        ("Genre", tags.genres),
        ("Composer", tags.composers),
        ("Comment", tags.comments.map(Text.cleanLine)),
        ("Beats/minute", text(tags.beatsPerMinute)),
        ("Rating", text(tags.rating)),
        ("MusicBrainz", text(tags.musicBrainz.recording)),
        ("ReplayGain", line(tags.replayGain.trackGain, tags.replayGain.trackPeak)),
        ("of the album", line(tags.replayGain.albumGain, tags.replayGain.albumPeak)),
        ("Lyrics", [lyricsKind(file)].compactMap(\.self)),
        ("Cover", [cover].compactMap { $0?.line }),
        ("Encoding", text(file.encoding.map { "\($0.encoding.name), because \($0.reason)" })),
    ]
    let known = rows.flatMap { name, values in
        values.map { "  \(name):\(String(repeating: " ", count: 13 - name.count))\($0)" }
    }
    return ([path.description] + (known.isEmpty ? ["  no tags"] : known)).joined(separator: "\n")
}
