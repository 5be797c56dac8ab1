import Audio
import Covers
import LyricsReading
import Music
import TagReading

/// Shows what is read in files, and returns the exit code.
///
/// One JSON object a file on standard output, or lines for people; needs no service.
package func showTags(_ options: ShowOptions) -> CInt {
    showFiles(options) { (path) throws(TagError) in
        let file = try tags(of: path)
        let cover = ShownCover(of: path, file)
        return ShownFile(json: json(path, file, cover), lines: lines(path, file, cover))
    }
}

/// A file that has no tags must at least be music, or the answer would be that anything is.
private func tags(of path: FilePath) throws(TagError) -> FileTags {
    let file = try TagReader.read(path, wantsLyrics: true)
    guard file == FileTags() else { return file }
    do throws(DecoderError) {
        _ = try TrackFiles.open(TrackLocation(path))
        return file
    } catch {
        throw TagError(error.description)
    }
}

private func json(_ path: FilePath, _ file: FileTags, _ cover: ShownCover?) -> JSON {
    let tags = file.tags
    return .members([
        "path": .string(path.description),
        "title": .string(orNull: tags.title),
        "artist": .strings(tags.artists),
        "album": .string(orNull: tags.album),
        "albumartist": .strings(tags.albumArtists),
        "track": .integer(orNull: tags.trackNumber.map(Int64.init)),
        "disc": .integer(orNull: tags.discNumber.map(Int64.init)),
        "date": .string(orNull: tags.date),
        "genre": .strings(tags.genres),
        "composer": .strings(tags.composers),
        "lyrics": .string(orNull: lyricsKind(file)),
        "cover": .integer(orNull: file.cover.map { Int64($0.count) }),
        "shown_cover": cover?.json ?? .null,
        "replaygain": json(tags.replayGain),
    ])
}

/// `timed` or `plain`, of the words in the tag; `nil` where there are none.
private func lyricsKind(_ file: FileTags) -> String? {
    LyricsText.best(of: file.lyrics.lines, file.lyrics.texts).map { $0.isTimed ? "timed" : "plain" }
}

private func line(_ gain: Double?, _ peak: Double?) -> [String] {
    let parts = [gain.map { "\($0) dB" }, peak.map { "peak \($0)" }].compactMap(\.self)
    return parts.isEmpty ? [] : [parts.joined(separator: ", ")]
}

private func json(_ gain: ReplayGain) -> JSON {
    guard gain != ReplayGain() else { return .null }
    func number(_ value: Double?) -> JSON { value.map { .double($0) } ?? .null }
    return .members([
        "track_gain": number(gain.trackGain), "track_peak": number(gain.trackPeak),
        "album_gain": number(gain.albumGain), "album_peak": number(gain.albumPeak),
    ])
}

/// The path, then a line for each thing that is known.
private func lines(_ path: FilePath, _ file: FileTags, _ cover: ShownCover?) -> String {
    let tags = file.tags
    let rows: [(String, [String])] = [
        ("Title", [tags.title].compactMap(\.self)),
        ("Artist", tags.artists),
        ("Album", [tags.album].compactMap(\.self)),
        ("Album artist", tags.albumArtists),
        ("Track", [tags.trackNumber].compactMap { $0.map(String.init) }),
        ("Disc", [tags.discNumber].compactMap { $0.map(String.init) }),
        ("Date", [tags.date].compactMap(\.self)),
        ("Genre", tags.genres),
        ("Composer", tags.composers),
        ("ReplayGain", line(tags.replayGain.trackGain, tags.replayGain.trackPeak)),
        ("of the album", line(tags.replayGain.albumGain, tags.replayGain.albumPeak)),
        ("Lyrics", [lyricsKind(file)].compactMap(\.self)),
        ("Cover", [cover].compactMap { $0?.line }),
    ]
    let known = rows.flatMap { name, values in
        values.map { "  \(name):\(String(repeating: " ", count: 13 - name.count))\($0)" }
    }
    return ([path.description] + (known.isEmpty ? ["  no tags"] : known)).joined(separator: "\n")
}
