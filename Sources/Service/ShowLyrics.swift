import Audio
import Language
import LyricsReading
package import Music
import TagReading

/// Shows the words that are read in songs and in files of lyrics, and returns the exit code.
///
/// One JSON object a file on standard output, or lines for people; needs no service.
package func showLyrics(_ options: ShowOptions) -> CInt {
    showFiles(options) { (path) throws(LyricsError) in
        let lyrics = try lyrics(of: path)
        let lines = (lyrics.map(shownLines) ?? [Phrase("no words").description]).map {
            $0.isEmpty ? "" : "  \($0)"
        }
        return ShownFile(
            json: lyricsJSON(path.description, lyrics),
            lines: ([path.description] + lines).joined(separator: "\n")
        )
    }
}

/// For programs: `lines` are pairs of milliseconds and text where `kind` is `timed`, texts where it is `plain`.
package func lyricsJSON(_ path: String?, _ lyrics: Lyrics?) -> JSON {
    let lines: [JSON] =
        switch lyrics {
        case .timed(let lines):
            lines.map { .array([.integer(($0.time.microseconds + 500) / 1000), .string($0.text)]) }
        case .plain(let texts): texts.map(JSON.string)
        case nil: []
        }
    return .members([
        "path": .string(orNull: path),
        "kind": .string(lyrics.map { $0.isTimed ? "timed" : "plain" } ?? "none"),
        "lines": .array(lines),
    ])
}

/// For people: each line, and where it is known when that is sung in front of it, straight.
package func shownLines(_ lyrics: Lyrics) -> [String] {
    guard case .timed(let lines) = lyrics else { return lyrics.texts }
    let times = lines.map(\.time.description)
    let width = times.map(\.columns).max() ?? 0
    return zip(times, lines).map { time, line in
        time.indented(to: width) + (line.text.isEmpty ? "" : "  \(line.text)")
    }
}

private let lyricsSuffixes: Set<String> = ["lrc", "txt"]

/// What has neither words nor tags must at least be music, or the answer would be that anything is.
private func lyrics(of path: FilePath) throws(LyricsError) -> Lyrics? {
    if lyricsSuffixes.contains(path.suffix) { return try LyricsFile.read(path) }
    let tags: FileTags
    do throws(TagError) {
        tags = try TagReader.read(path, wantsLyrics: true)
    } catch {
        throw LyricsError(error.description)
    }
    let lyrics = SongLyrics.read(TrackLocation(path), tags.lyrics)
    guard lyrics == nil, tags == FileTags() else { return lyrics }
    do throws(DecoderError) {
        _ = try TrackFiles.open(TrackLocation(path))
        return nil
    } catch {
        throw LyricsError(error.description)
    }
}
