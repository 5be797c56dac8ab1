import Charset
import Glibc
import Music

/// What an XSPF document says, under whatever prefix its namespace goes.
///
/// Tracks without a location are left out. Several locations of a track are alternatives. A fragment `#t=FROM,TO` (Media
/// Fragments) means a stretch of the file: so ``PlaylistWriter`` says what a cue sheet has made a track.
final class XSPFList: XMLListener {
    private(set) var entries: [PlaylistEntry] = []
    private(set) var title: String?

    /// Reads a document that is in UTF-8, whatever it says itself.
    init(_ document: [UInt8]) throws(PlaylistError) {
        try XMLReader.read(document, to: self)
    }

    /// What the text of an element is for.
    private enum Field { case title, location, trackTitle, creator, album, number, duration }

    private var depth = 0
    private var namespace: [UInt8] = []
    /// Whether we are in the list of tracks and in one of them.
    private var (isInList, isInTrack) = (false, false)
    /// What is being read: the text directly in an element, and how deep that is.
    private var field: (is: Field, depth: Int)?
    private var text: [UInt8] = []
    private let reader = ListText(.utf8)
    private var track = Track()
    /// The folders that `xml:base` names, with the depth that they hold from; `nil` for one on the network.
    private var bases: [(depth: Int, folder: [UInt8]?)] = [(0, [])]

    private struct Track {
        var locations: [WrittenLocation] = []
        /// Where the first location begins and ends in its file.
        var fragment: (start: TrackTime, end: TrackTime?)?
        var title: String?
        var creator: String?
        var album: String?
        var number: Int32?
        var duration: TrackTime?
    }

    func begin(_ name: XMLName, attribute: (StaticString) -> [UInt8]?) throws(PlaylistError) {
        depth += 1
        if let base = attribute("http://www.w3.org/XML/1998/namespace\nbase") {
            bases.append((depth, Self.folder(base, in: bases.last?.folder)))
        }
        if depth == 1 {
            guard name == "playlist" else { throw PlaylistError("it is XML, but no XSPF playlist") }
            namespace = name.namespace
        }
        guard depth <= 4, name.namespace == namespace else { return }
        switch depth {
        case 2 where name == "trackList": isInList = true
        case 2 where name == "title": begin(.title)
        case 3 where isInList && name == "track":
            isInTrack = true
            track = Track()
        case 4 where isInTrack:
            let fields: [(StaticString, Field)] = [
                ("location", .location), ("title", .trackTitle), ("creator", .creator), ("album", .album),
                ("duration", .duration), ("trackNum", .number),
            ]
            if let field = fields.first(where: { name == $0.0 }) { begin(field.1) }
        default: return
        }
    }

    private func begin(_ field: Field) {
        self.field = (field, depth)
        text.removeAll(keepingCapacity: true)
    }

    /// Expat hands text out in pieces: at entities, line breaks and its own borders (C242).
    func text(_ bytes: UnsafeRawBufferPointer) {
        guard let field, field.depth == depth, text.count + bytes.count <= Self.longest else { return }
        text.append(contentsOf: bytes)
    }

    func end() throws(PlaylistError) {
        if let field, field.depth == depth {
            take(field.is)
            self.field = nil
        }
        if depth == 3, isInTrack {
            isInTrack = false
            try append()
        }
        if depth == 2 { isInList = false }
        if let base = bases.last, base.depth == depth { bases.removeLast() }
        depth -= 1
    }

    private func take(_ field: Field) {
        switch field {
        case .title: title = line
        case .location:
            let written = text.withUnsafeBytes { Array(trimmed(Self.withoutBreaks($0))) }
            guard !written.isEmpty, !written.contains(0) else { return }
            if track.locations.isEmpty { track.fragment = MediaFragment.read(written) }
            track.locations.append(WrittenLocation(reference: written, base: bases.last?.folder))
        case .trackTitle: track.title = line
        case .creator: track.creator = line
        case .album: track.album = line
        case .number: track.number = line.flatMap { Int32($0) }.flatMap { $0 > 0 ? $0 : nil }
        case .duration:
            track.duration = line.flatMap { Int64($0) }.flatMap {
                (1..<1_000_000_000_000).contains($0) ? TrackTime(microseconds: $0 * 1000) : nil
            }
        }
    }

    private var line: String? { reader.field(text) }

    private func append() throws(PlaylistError) {
        guard let location = track.locations.first else { return }
        guard entries.count < PlaylistFile.mostEntries else { throw .tooManyEntries }
        var entry = PlaylistEntry(location, alternatives: Array(track.locations.dropFirst()))
        entry.title = track.title
        entry.artist = track.creator
        entry.album = track.album
        entry.duration = track.duration
        entry.excerpt = track.fragment.map { fragment in
            var excerpt = Excerpt(start: fragment.start, end: fragment.end)
            excerpt.title = track.title
            excerpt.artist = track.creator
            excerpt.album = track.album
            excerpt.number = track.number
            return excerpt
        }
        entries.append(entry)
    }

    /// The folder that a base names, within the one that held before: up to its last slash, decoded once (C243).
    private static func folder(_ base: [UInt8], in outer: [UInt8]?) -> [UInt8]? {
        switch WrittenLocation(reference: base, base: outer) {
        case let location where location.kind == .network: return nil
        case let location:
            guard let path = location.plainPath(ListText(.utf8)) else { return nil }
            return path.lastIndex(of: slash).map { Array(path[...$0]) } ?? []
        }
    }

    /// Without the line breaks that pretty printing puts round a text.
    private static func withoutBreaks(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var (start, end) = (0, text.count)
        while start < end, text[start] <= 0x20 { start += 1 }
        while end > start, text[end - 1] <= 0x20 { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: text[start..<end])
    }

    /// No text that is wanted is longer.
    private static let longest = 64 << 10
}

/// The fragment of a URI that means a stretch of time: `#t=1.5,30` (Media Fragments 1.0, normal play time in seconds).
enum MediaFragment {
    static func read(_ uri: [UInt8]) -> (start: TrackTime, end: TrackTime?)? {
        guard let hash = uri.lastIndex(of: UInt8(ascii: "#")) else { return nil }
        var text = uri[(hash + 1)...]
        guard text.starts(with: "t=".utf8) else { return nil }
        text = text.dropFirst(2)
        if text.starts(with: "npt:".utf8) { text = text.dropFirst(4) }
        let parts = text.split(separator: UInt8(ascii: ","), maxSplits: 1, omittingEmptySubsequences: false)
        guard let start = parts.first.map({ seconds($0) ?? .zero }) else { return nil }
        let end = parts.count > 1 ? seconds(parts[1]) : nil
        return (start, end.flatMap { $0 > start ? $0 : nil })
    }

    static func write(_ excerpt: Excerpt) -> String {
        "#t=" + seconds(excerpt.start) + (excerpt.end.map { "," + seconds($0) } ?? "")
    }

    private static func seconds(_ time: TrackTime) -> String {
        let (whole, rest) = max(0, time.microseconds).quotientAndRemainder(dividingBy: 1_000_000)
        guard rest > 0 else { return "\(whole)" }
        var digits = "\(1_000_000 + rest)".dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return "\(whole).\(digits)"
    }

    private static func seconds(_ text: some Sequence<UInt8>) -> TrackTime? { Playlists.seconds(text) }
}
