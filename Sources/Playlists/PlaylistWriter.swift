package import Music

/// Writes playlists that other programs read as well: M3U8 and XSPF.
///
/// Files at or below the list's folder are named relative to it, others from the root. A part of a file, as a cue sheet makes
/// one, is said in XSPF by a fragment `#t=FROM,TO` of the location (other players play the whole file). M3U has no words
/// for it: there a file stands once in place of its parts that follow each other.
package enum PlaylistWriter {
    /// The suffixes, in lower case and without dot, of what can be written.
    package static let suffixes: Set<String> = ["m3u8", "m3u", "xspf"]

    /// Writes `tracks` to `path`, whose suffix decides on the kind, and returns a line for people about what could not be
    /// said, if anything.
    ///
    /// Paths are absolute. A list that was there before is replaced by one `rename`, after the new one is on the disk, or not at
    /// all (C244, C245). Blocks, on any thread.
    @discardableResult
    package static func write(
        _ tracks: some Sequence<Track>,
        title: String? = nil,
        to path: FilePath
    ) throws(PlaylistError) -> String? {
        let document: Document
        switch path.suffix {
        case "m3u8", "m3u": document = try m3u(tracks, title: title, in: path.folder)
        case "xspf": document = Document(bytes: xspf(tracks, title: title, in: path.folder))
        default: throw PlaylistError("only .m3u8 and .xspf can be written; give it one of these names")
        }
        try AtomicFile.write(document.bytes, to: path)
        return document.hasLostParts
            ? "\(path) names whole files where parts of them were meant; .xspf can say parts" : nil
    }

    private struct Document {
        var bytes: [UInt8]
        var hasLostParts = false
    }

    private static func m3u(
        _ tracks: some Sequence<Track>,
        title: String?,
        in folder: FilePath?
    ) throws(PlaylistError) -> Document {
        var list = Document(bytes: Array("#EXTM3U\n".utf8))
        if let title = line(title) { list.bytes += Array("#PLAYLIST:\(title)\n".utf8) }
        var lastPart: FilePath?
        for track in tracks {
            let isPart = track.location.excerpt != nil
            if isPart {
                list.hasLostParts = true
                if lastPart == track.location.path { continue }
            }
            lastPart = isPart ? track.location.path : nil
            // The title of a part is not that of the file.
            if !isPart, let info = info(track) { list.bytes += Array("#EXTINF:\(info)\n".utf8) }
            list.bytes += try m3uName(track.location.path, in: folder) + [newline]
        }
        return list
    }

    private static func info(_ track: Track) -> String? {
        guard track.tags.title != nil || track.length != nil else { return nil }
        // Whole seconds, rounded: what every reader understands.
        let seconds = track.length.map { ($0.microseconds + 500_000) / 1_000_000 } ?? -1
        let artist = line(track.tags.artists.joined(separator: ", "))
        return "\(seconds)," + [artist, line(track.title)].compactMap(\.self).joined(separator: " - ")
    }

    /// The line for a file: its bytes, whatever they are.
    private static func m3uName(_ path: FilePath, in folder: FilePath?) throws(PlaylistError) -> [UInt8] {
        let name = relative(path, to: folder)
        let isUnsayable =
            name.contains(newline) || name.contains(0x0D) || name.last == 0x20 || name.last == 0x09
        guard !isUnsayable else {
            throw PlaylistError(
                "a name that holds a line break or ends in a blank cannot be said in M3U; use .xspf (\(path))"
            )
        }
        // A remark, a blank or the scheme of a URI at the front would be taken for one.
        let isOdd = name.first == UInt8(ascii: "#") || isBlank(name.first) || name.contains(UInt8(ascii: ":"))
        return isOdd && name.first != slash ? Array("./".utf8) + name : name
    }

    private static func xspf(_ tracks: some Sequence<Track>, title: String?, in folder: FilePath?) -> [UInt8]
    {
        var list = """
            <?xml version="1.0" encoding="UTF-8"?>
            <playlist version="1" xmlns="http://xspf.org/ns/0/">

            """
        func add(_ name: String, _ text: String?, indent: String) {
            guard let text = line(text) else { return }
            list += "\(indent)<\(name)>\(escaped(text))</\(name)>\n"
        }
        add("title", title, indent: "  ")
        list += "  <trackList>\n"
        for track in tracks {
            let (path, excerpt) = (track.location.path, track.location.excerpt)
            list += "    <track>\n"
            add(
                "location",
                uri(path, in: folder) + (excerpt.map(MediaFragment.write) ?? ""),
                indent: "      "
            )
            add("title", excerpt?.title ?? track.tags.title, indent: "      ")
            add("creator", excerpt?.artist ?? track.tags.artists.joined(separator: ", "), indent: "      ")
            add("album", excerpt?.album ?? track.tags.album, indent: "      ")
            add("trackNum", (excerpt?.number ?? track.tags.trackNumber).map { "\($0)" }, indent: "      ")
            add("duration", track.length.map { "\(($0.microseconds + 500) / 1000)" }, indent: "      ")
            list += "    </track>\n"
        }
        list += "  </trackList>\n</playlist>\n"
        return Array(list.utf8)
    }

    /// A URI reference, every byte but the unreserved ones percent-encoded.
    private static func uri(_ path: FilePath, in folder: FilePath?) -> String {
        let name = relative(path, to: folder)
        guard name.first != slash, let relative = FilePath(bytes: name) else { return FileURI.encode(path) }
        return String(FileURI.encode(relative).dropFirst("file://".count))
    }

    private static func relative(_ path: FilePath, to folder: FilePath?) -> [UInt8] {
        guard let folder else { return path.bytes }
        let prefix = folder.bytes.last == slash ? folder.bytes : folder.bytes + [slash]
        guard path.bytes.starts(with: prefix), path.bytes.count > prefix.count,
            path.bytes[prefix.count] != slash
        else { return path.bytes }
        return Array(path.bytes[prefix.count...])
    }

    private static func line(_ text: String?) -> String? {
        guard let text = text.map(Text.cleanLine), !text.isEmpty else { return nil }
        return text
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    private static func isBlank(_ byte: UInt8?) -> Bool { byte == 0x20 || byte == 0x09 }

    private static let newline = UInt8(ascii: "\n")
}
