import Charset
import Music

/// The tracks that a cue sheet makes of its files.
///
/// A track goes from its INDEX 01 to the next one in the same file, so that what lies before a track's INDEX 01 (its
/// pregap) is heard at the end of the track before it, and nothing is lost between them. Where FILE stands between TRACK
/// and INDEX 01, the track is in that file (C247).
struct CueSheet {
    private let text: ListText
    private var (files, tracks) = ([[UInt8]](), [Track]())
    /// The file that the next INDEX is in; `nil` before the first and in one that is no sound.
    private var file: Int?
    private var albumTitle: String?
    private var albumArtist: String?
    /// The track whose INDEX 01 is still to come.
    private var pending: Track?
    /// Whether titles are the track's and not the album's.
    private var isInTrack = false

    private struct Track {
        var number: Int32?
        var isAudio: Bool
        var title: String?
        var artist: String?
        var album: String?
        var file = 0
        var start = TrackTime.zero
    }

    init(_ lines: LineReader, _ encoding: TextEncoding) throws(PlaylistError) {
        text = ListText(encoding)
        while let words = try lines.next({ Words(trimmed($0)) }) {
            guard tracks.count < PlaylistFile.mostEntries else { break }
            read(words)
        }
    }

    /// The tracks of sound, in the order of the sheet.
    var entries: [PlaylistEntry] {
        tracks.indices.filter { tracks[$0].isAudio }.map { index in
            let track = tracks[index]
            var entry = PlaylistEntry(WrittenLocation(path: files[track.file], text.encoding), text)
            var excerpt = Excerpt(start: track.start, end: end(of: index))
            excerpt.title = track.title
            excerpt.artist = track.artist
            excerpt.album = track.album
            excerpt.number = track.number
            entry.excerpt = excerpt
            entry.title = track.title
            entry.artist = track.artist
            entry.album = track.album
            entry.duration = excerpt.end.map {
                TrackTime(microseconds: $0.microseconds - track.start.microseconds)
            }
            return entry
        }
    }

    /// Where the next track of the same file begins, unless that does not come after this one.
    private func end(of index: Int) -> TrackTime? {
        guard index + 1 < tracks.count, tracks[index + 1].file == tracks[index].file,
            tracks[index + 1].start > tracks[index].start
        else { return nil }
        return tracks[index + 1].start
    }

    private mutating func read(_ words: Words) {
        switch words.command {
        case "FILE":
            let (name, kind) = words.file
            let isSound = !["BINARY", "MOTOROLA"].contains(kind) && !name.isEmpty && !name.contains(0)
            file = isSound ? files.count : nil
            if isSound { files.append(name) }
            isInTrack = false
        case "TRACK":
            let (number, kind) = words.pair
            pending = Track(
                number: Int32(number).flatMap { $0 > 0 ? $0 : nil },
                isAudio: ["", "AUDIO"].contains(kind)
            )
            isInTrack = true
        case "TITLE": set(\.title, \.albumTitle, words)
        case "PERFORMER": set(\.artist, \.albumArtist, words)
        case "INDEX":
            let (number, time) = words.pair
            guard Int32(number) == 1, var track = pending, let file, let start = Self.time(time) else {
                return
            }
            pending = nil
            isInTrack = true
            track.file = file
            track.start = start
            track.artist = track.artist ?? albumArtist
            track.album = albumTitle
            tracks.append(track)
        default: return
        }
    }

    /// A title or performer: the album's before the first TRACK of a file, else the track's, also behind its INDEX.
    private mutating func set(
        _ field: WritableKeyPath<Track, String?>,
        _ album: WritableKeyPath<CueSheet, String?>,
        _ words: Words
    ) {
        let text = self.text.field(words.text)
        if !isInTrack {
            self[keyPath: album] = text
        } else if pending != nil {
            pending?[keyPath: field] = text
        } else if let last = tracks.indices.last {
            tracks[last][keyPath: field] = text
        }
    }

    /// `mm:ss:ff` with as many minutes as there are (C248), in frames of a 75th of a second.
    private static func time(_ text: String) -> TrackTime? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, parts.allSatisfy({ $0.utf8.allSatisfy(digits.contains) }),
            let minutes = Int64(parts[0]), minutes < 1_000_000,
            let seconds = Int64(parts[1]), seconds < 60, let frames = Int64(parts[2]), frames < 75
        else { return nil }
        return TrackTime(frames: (minutes * 60 + seconds) * 75 + frames, rate: 75)
    }
}

/// A line of a cue sheet: a command in capitals, and what follows it.
///
/// Split as bytes: no encoding that sheets are in has a quote or a blank within a character.
private struct Words {
    var command: String
    private var rest: [UInt8]

    init(_ line: UnsafeRawBufferPointer) {
        let word = line.prefix { !isBlank($0) }
        command = String(decoding: word.prefix(16), as: UTF8.self).uppercased()
        rest = Array(trimmed(UnsafeRawBufferPointer(rebasing: line[word.endIndex...])))
    }

    /// All that follows as one text, without quotes; the closing one may be missing.
    var text: [UInt8] { Self.unquoted(rest[...]) }

    /// Two words, of which the second is in capitals; what is missing is empty.
    var pair: (String, String) {
        let words = rest.split(whereSeparator: isBlank).map { String(decoding: $0, as: UTF8.self) }
        return (words.first ?? "", words.count > 1 ? words[1].uppercased() : "")
    }

    /// A file name, with or without quotes, and the kind of file, which may be missing.
    var file: (name: [UInt8], kind: String) {
        let last = rest.lastIndex(where: isBlank).map { rest[($0 + 1)...] } ?? []
        let kind = String(decoding: last, as: UTF8.self).uppercased()
        let isKind = ["WAVE", "MP3", "AIFF", "FLAC", "BINARY", "MOTOROLA", "OGG", "OPUS", "APE", "WV"]
            .contains(kind)
        if rest.first == quote, let end = rest.lastIndex(of: quote), end > 0 {
            return (Array(rest[1..<end]), isKind ? kind : "")
        }
        return (Self.unquoted(isKind ? rest[..<last.startIndex] : rest[...]), isKind ? kind : "")
    }

    private static func unquoted(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var bytes = bytes
        while let last = bytes.last, isBlank(last) { bytes.removeLast() }
        if bytes.first == quote {
            bytes.removeFirst()
            if bytes.last == quote { bytes.removeLast() }
        }
        return Array(bytes)
    }
}

private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

private let quote = UInt8(ascii: "\"")
