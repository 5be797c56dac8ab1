import Audio
import Covers
import Language
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

private func shownLyricsKind(_ file: FileTags) -> String? {
    switch lyricsKind(file) {
    case "timed": Phrase("timed").description
    case .some: Phrase("plain").description
    case nil: nil
    }
}

private func line(_ gain: Double?, _ peak: Double?) -> [String] {
    let parts = [gain.map { "\($0) dB" }, peak.map { Phrase("peak \($0)").description }].compactMap(\.self)
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
    let rows: [(name: Phrase, values: [String])] = [
        (Phrase("Title"), [tags.title].compactMap(\.self)),
        (Phrase("Artist"), tags.artists),
        (Phrase("Album"), [tags.album].compactMap(\.self)),
        (Phrase("Album artist"), tags.albumArtists),
        (Phrase("Track"), [tags.trackNumber].compactMap { $0.map(String.init) }),
        (Phrase("Disc"), [tags.discNumber].compactMap { $0.map(String.init) }),
        (Phrase("Date"), [tags.date].compactMap(\.self)),
        (Phrase("Genre"), tags.genres),
        (Phrase("Composer"), tags.composers),
        (Phrase("ReplayGain"), line(tags.replayGain.trackGain, tags.replayGain.trackPeak)),
        (Phrase("of the album"), line(tags.replayGain.albumGain, tags.replayGain.albumPeak)),
        (Phrase("Lyrics"), [shownLyricsKind(file)].compactMap(\.self)),
        (Phrase("Cover"), [cover].compactMap { $0?.line.description }),
    ]
    let names = rows.map { "\($0.name): " }
    let width = names.map(\.columns).max() ?? 0
    let known = zip(names, rows).flatMap { name, row in
        row.values.map { "  \(name.padded(to: width))\($0)" }
    }
    return ([path.description] + (known.isEmpty ? ["  \(Phrase("no tags"))"] : known)).joined(separator: "\n")
}
