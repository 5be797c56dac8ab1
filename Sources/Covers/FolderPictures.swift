import Glibc
import Music

/// Which pictures that lie beside music may be its cover, judged by their names alone.
enum FolderPictures {
    /// What people and rippers call them, the best first (C165).
    private static let stems = ["cover", "folder", "front", "album", "albumart"]
    private static let suffixes = ["jpg", "jpeg", "png", "webp"]

    private static let ranks: [String: Int] = {
        var ranks: [String: Int] = [:]
        for stem in stems {
            for suffix in suffixes { ranks["\(stem).\(suffix)"] = ranks.count }
        }
        return ranks
    }()

    /// How good a name is, in any letter case: 0 is the best; `nil` for what is not the cover of a folder.
    static func rank(_ name: [UInt8]) -> Int? {
        // Most names of a folder are other ones, and longer.
        guard (9...13).contains(name.count) else { return nil }
        return ranks[String(decoding: name, as: UTF8.self).lowercased()]
    }

    /// Whether a folder is one of several of an album, such as `CD1`, `cd 02`, `Disc 2 - Live`: the cover is then often in
    /// the folder above.
    static func isDisc(_ name: some Collection<UInt8>) -> Bool {
        let name = String(decoding: name, as: UTF8.self).lowercased()
        guard let word = ["cd", "disc", "disk"].first(where: name.hasPrefix) else { return false }
        let rest = name.utf8.dropFirst(word.utf8.count).drop { " -_.#".utf8.contains($0) }
        let behind = rest.drop { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard behind.count < rest.count, let next = behind.first else { return behind.count < rest.count }
        return !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains(next) && next < 0x80
    }

    /// What a picture of this track alone would be called: as the track, but for the suffix.
    static func ofTrack(_ track: FilePath) -> [FilePath] {
        let name = track.name
        guard let end = name.lastIndex(of: UInt8(ascii: ".")), end > name.startIndex else { return [] }
        let stem = track.bytes[...end]
        return suffixes.flatMap { [$0, $0.uppercased()] }.compactMap { FilePath(bytes: stem + $0.utf8) }
    }

    /// The pictures that may be the cover of `folder`, the best first; nothing where it may not be read.
    static func inFolder(_ folder: FilePath) -> [FilePath] {
        guard let stream = folder.withCString({ opendir($0) }) else { return [] }
        defer { closedir(stream) }
        var found: [(rank: Int, name: [UInt8])] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if let rank = rank(name) { found.append((rank, name)) }
        }
        // Of two that differ only in letter case always the same.
        found.sort { $0.rank != $1.rank ? $0.rank < $1.rank : $0.name.lexicographicallyPrecedes($1.name) }
        return found.map { folder.appending($0.name) }
    }
}
