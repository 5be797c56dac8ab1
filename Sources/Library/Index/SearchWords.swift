import Music

/// The words that find a track.
struct SearchWords {
    let title, artist, album, path: String

    init(_ tags: Tags, path: ArraySlice<UInt8>) {
        title = SearchText.indexed(tags.title ?? "")
        let artists = tags.artists + tags.albumArtists.filter { !tags.artists.contains($0) }
        artist = SearchText.indexed(artists.joined(separator: "; "))
        album = SearchText.indexed(tags.album ?? "")
        let name = path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? path.startIndex
        // The suffix is that of thousands of others.
        let end = path[name...].lastIndex(of: UInt8(ascii: ".")) ?? path.endIndex
        self.path = SearchText.indexed(String(decoding: path[..<end], as: UTF8.self))
    }
}
