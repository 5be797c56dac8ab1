import Charset
package import Music

/// The entries of a playlist, one after the other, so that the first can play before the last has been read.
///
/// An M3U list, which may be long, is read as it goes; the others are read whole when this is made. One thread owns it
/// and blocks while it reads. Nothing that the list names is looked for: that is what ``EntryResolver`` is for.
package final class PlaylistReader {
    private enum Source {
        case lines(M3UReader)
        case whole(ArraySlice<PlaylistEntry>)
    }

    private var source: Source
    private var wholeTitle: String?
    private var count = 0
    /// Why it ended before the end of the list, if it did.
    package private(set) var problem: PlaylistError?
    /// What the file is the same by, under whatever path.
    let identity: FileIdentity

    /// Opens a list; `readsTitles` is false for who only wants to know what there is to play.
    package init(_ path: FilePath, readsTitles: Bool = true) throws(PlaylistError) {
        let file = try ListFile(path)
        identity = file.identity
        var lines = try LineReader(file)
        var encoding = TextEncoding.utf8
        if let mark = TextEncoding.announced(by: lines.beginning) {
            lines.skip(mark.length)
            if mark.encoding != .utf8 {
                lines = LineReader(Array(TextDecoder(mark.encoding).leniently(try lines.rest()).utf8))
            }
        } else {
            encoding = ListText.encoding(of: lines.beginning)
        }
        switch try PlaylistFormat(lines.beginning, suffix: path.suffix) {
        case .m3u:
            source = .lines(M3UReader(lines, encoding, readsTitles: readsTitles))
        case .pls:
            source = .whole(try PLSList(lines, encoding).entries[...])
        case .cue:
            let entries = try CueSheet(lines, encoding).entries
            guard !entries.isEmpty else { throw PlaylistError("it is a cue sheet without a track of sound") }
            source = .whole(entries[...])
        case .xspf:
            let list = try XSPFList(XMLEncoding.inUTF8(try lines.rest(), encoding))
            source = .whole(list.entries[...])
            wholeTitle = list.title
        case .tags:
            let document = try lines.rest()
            let text = encoding == .utf8 ? document : Array(TextDecoder(encoding).leniently(document).utf8)
            let list = try TagSoup(text)
            source = .whole(list.entries[...])
            wholeTitle = list.title
        }
    }

    /// What the list calls itself; of an M3U list once that line has been read.
    package var title: String? {
        switch source {
        case .lines(let reader): reader.title
        case .whole: wholeTitle
        }
    }

    /// The next entry; `nil` at the end, and where it cannot be read on (then there is a ``problem``).
    package func next() -> PlaylistEntry? {
        guard problem == nil else { return nil }
        switch source {
        case .lines(let reader):
            do throws(PlaylistError) {
                guard let entry = try reader.next() else { return nil }
                count += 1
                guard count <= PlaylistFile.mostEntries else { throw .tooManyEntries }
                return entry
            } catch {
                problem = error
                return nil
            }
        case .whole(var entries):
            source = .whole([])
            defer { source = .whole(entries) }
            return entries.popFirst()
        }
    }
}

/// In what an XML document is: expat knows only some of the encodings that lists are written in.
private enum XMLEncoding {
    /// The document in UTF-8, out of the encoding that it declares, or is in against its word.
    static func inUTF8(_ document: [UInt8], _ guess: TextEncoding) -> [UInt8] {
        switch declaration(of: document).map({ TextEncoding(label: $0) }) ?? .utf8 {
        // By its mark, that has been converted already.
        case .other(let name) where name.hasPrefix("UTF-16"): document
        case .utf8: guess == .utf8 ? document : Array(TextDecoder(guess).leniently(document).utf8)
        case let encoding: Array(TextDecoder(encoding).leniently(document).utf8)
        }
    }

    /// The encoding that `<?xml … encoding="…"?>` names.
    private static func declaration(of document: [UInt8]) -> String? {
        let head = String(decoding: document.prefix(256), as: UTF8.self)
        guard head.hasPrefix("<?xml") else { return nil }
        // `name="value"`, one behind the other, up to the mark that ends it.
        var rest = head.dropFirst(5).prefix { $0 != "?" }
        while let sign = rest.firstIndex(of: "=") {
            let name = rest[..<sign].split(whereSeparator: \.isWhitespace).last
            let quoted = rest[sign...].dropFirst().drop(while: \.isWhitespace)
            guard let mark = quoted.first, mark == "\"" || mark == "'" else { return nil }
            let value = quoted.dropFirst().prefix { $0 != mark }
            if name == "encoding" { return String(value) }
            rest = rest[value.endIndex...].dropFirst()
        }
        return nil
    }
}
