import Charset
package import Music

/// A playlist that has been read whole.
package struct Playlist: Equatable, Sendable {
    /// What the list calls itself.
    package var title: String?
    package var entries: [PlaylistEntry]
}

/// Playlist files of all kinds: M3U and M3U8, PLS, XSPF, cue sheets, and the ASX and WPL of Windows.
package enum PlaylistFile {
    /// The suffixes of playlists, in lower case and without dot.
    package static let suffixes: Set<String> = [
        "m3u", "m3u8", "pls", "xspf", "cue", "asx", "wax", "wvx", "wpl",
    ]

    /// Further entries are left out: nobody's list is longer.
    package static let mostEntries = 1_000_000

    /// Whether a file with this suffix, in lower case and without dot, is a playlist.
    package static func isPlaylist(_ suffix: String) -> Bool { suffixes.contains(suffix) }

    /// Reads a whole list, whatever it is called: content decides before the suffix does.
    ///
    /// Blocks while the file is read, on any thread; nothing that it names is looked for. Regular files up to 64 MiB only.
    package static func read(_ path: FilePath) throws(PlaylistError) -> Playlist {
        let reader = try PlaylistReader(path)
        var entries: [PlaylistEntry] = []
        while let entry = reader.next() { entries.append(entry) }
        if let problem = reader.problem { throw problem }
        return Playlist(title: reader.title, entries: entries)
    }
}

/// The kinds of playlist, by how they are read.
enum PlaylistFormat {
    case m3u, pls, cue, xspf, tags

    /// What a file is that begins with `beginning` and goes by `suffix`.
    init(_ beginning: [UInt8], suffix: String) throws(PlaylistError) {
        let text = beginning.drop { $0 <= 0x20 }
        func begins(_ word: String) -> Bool {
            String(decoding: text.prefix(word.utf8.count), as: UTF8.self).lowercased() == word
        }
        if text.first == UInt8(ascii: "<") {
            self = try Self.ofMarkup(text, suffix: suffix)
            return
        }
        guard Self.isText(beginning.prefix(4096)) else {
            throw PlaylistError("it holds no text, so it is no playlist")
        }
        if begins("#extm3u") {
            self = .m3u
        } else if begins("[playlist]") || begins("[reference]") {
            self = .pls
        } else {
            switch suffix {
            case "m3u", "m3u8": self = .m3u
            case "pls": self = .pls
            case "cue": self = .cue
            case "xspf", "asx", "wax", "wvx", "wpl":
                throw PlaylistError("it holds no \(suffix.uppercased()) playlist")
            default: throw PlaylistError("it is no playlist that is known (\(Self.known))")
            }
        }
    }

    private static let known = "M3U, PLS, XSPF, CUE, ASX or WPL"

    /// By the first element, since any of them may be called anything.
    private static func ofMarkup(
        _ text: ArraySlice<UInt8>,
        suffix: String
    ) throws(PlaylistError) -> PlaylistFormat {
        var rest = text.prefix(4096)
        while let open = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[(open + 1)...]
            let name = rest.prefix { isLetter($0) || $0 == UInt8(ascii: ":") || digits.contains($0) }
            let local = name.split(separator: UInt8(ascii: ":")).last ?? []
            switch String(decoding: local, as: UTF8.self).lowercased() {
            case "playlist": return .xspf
            case "asx", "smil": return .tags
            // A declaration, a remark or the type of the document: the element comes behind.
            case "" where rest.starts(with: "!--".utf8):
                while !rest.isEmpty, !rest.starts(with: "-->".utf8) { rest.removeFirst() }
            case "": continue
            default: throw PlaylistError("it is no playlist that is known (\(known))")
            }
        }
        // What comes before the first element may be long.
        if suffix == "xspf" { return .xspf }
        throw PlaylistError("it is no playlist that is known (\(known))")
    }

    /// Whether hardly any of it is a control character.
    private static func isText(_ bytes: ArraySlice<UInt8>) -> Bool {
        let controls = bytes.count { $0 < 0x20 && !(0x09...0x0D).contains($0) && $0 != 0x1B }
        return controls * 12 <= bytes.count
    }
}

extension PlaylistError {
    static let tooManyEntries = PlaylistError("it has more than a million entries")
}
