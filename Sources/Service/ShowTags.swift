import Audio
import Library
import Mpg123
import Music

/// Shows what is read in files, and returns the exit code.
///
/// One JSON object a file on standard output, or lines for people; needs no service.
package func showTags(_ options: ShowOptions) -> CInt {
    showFiles(options) { (path) throws(TagError) in
        let file = try tags(of: path)
        return ShownFile(json: json(path, file), lines: lines(path, file))
    }
}

/// A file that has no tags must at least be music, or the answer would be that anything is.
private func tags(of path: FilePath) throws(TagError) -> FileTags {
    let file = try TagReader.read(path)
    guard file == FileTags() else { return file }
    do throws(DecoderError) {
        _ = try Mpg123.open(path)
        return file
    } catch {
        throw TagError(error.description)
    }
}

private func json(_ path: FilePath, _ file: FileTags) -> JSON {
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
        "cover": .integer(orNull: file.cover.map { Int64($0.count) }),
    ])
}

/// The path, then a line for each thing that is known.
private func lines(_ path: FilePath, _ file: FileTags) -> String {
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
        ("Cover", [file.cover].compactMap { $0.map { "\($0.count) bytes" } }),
    ]
    let known = rows.flatMap { name, values in
        values.map { "  \(name):\(String(repeating: " ", count: 13 - name.count))\($0)" }
    }
    return ([path.description] + (known.isEmpty ? ["  no tags"] : known)).joined(separator: "\n")
}
