package import DBus
package import Music
package import Playback

/// The `Metadata` map: what is known of a track under the names and in the exact types of MPRIS (C-9, C-19 to C-24).
package enum Metadata {
    /// The whole map of `current`, holding only what is there; the empty map where there is no track (C-26).
    ///
    /// Only here are the words of the song, which are long: lists go without.
    package static func value(of current: CurrentTrack?) -> BusValue {
        guard let current else { return .variants([]) }
        return value(of: current.track, id: current.id, words: current.track.lyrics.flatMap(text))
    }

    /// The whole map of an entry of the queue.
    package static func value(of listed: ListedTrack) -> BusValue {
        value(of: listed.track, id: listed.id)
    }

    /// The whole map of `track`; without an identity where it is no entry of the queue.
    package static func value(of track: Track, id: TrackID?) -> BusValue {
        value(of: track, id: id, words: nil)
    }

    private static func value(of track: Track, id: TrackID?, words: String?) -> BusValue {
        let tags = track.tags
        var map: [(String, BusValue)] = []
        func add(_ key: String, _ value: BusValue?) {
            if let value { map.append((key, value)) }
        }
        add("mpris:trackid", id.map { .objectPath(ObjectPath.track($0)) })
        add("mpris:length", track.length.flatMap { $0 > .zero ? .int64($0.microseconds) : nil })
        add("mpris:artUrl", track.cover.map { .string(FileURI.encode($0)) })
        add("xesam:url", .string(FileURI.encode(track.location.path)))
        add("xesam:title", .string(track.title))
        add("xesam:artist", list(tags.artists))
        add("xesam:album", tags.album.map(BusValue.string))
        add("xesam:albumArtist", list(tags.albumArtists))
        add("xesam:trackNumber", tags.trackNumber.map(BusValue.int32))
        add("xesam:discNumber", tags.discNumber.map(BusValue.int32))
        add("xesam:genre", list(tags.genres))
        add("xesam:composer", list(tags.composers))
        add("xesam:comment", list(tags.comments))
        add("xesam:audioBPM", tags.beatsPerMinute.map(BusValue.int32))
        add("xesam:userRating", tags.rating.map(BusValue.double))
        add("xesam:contentCreated", tags.date.map(BusValue.string))
        add("xesam:asText", words.map(BusValue.string))
        return .variants(map)
    }

    /// More bytes of lyrics are cut: every change of track sends them to everybody.
    private static let longestText = 32 << 10

    /// The lines with line breaks between them, as many as fit, and of the next its beginning; `nil` without a word.
    private static func text(_ lyrics: Lyrics) -> String? {
        var text = ""
        for line in lyrics.texts.drop(while: \.isEmpty) {
            if !text.isEmpty { text += "\n" }
            let room = longestText - text.utf8.count
            guard line.utf8.count <= room else {
                for character in line {
                    guard text.utf8.count + character.utf8.count <= longestText else { break }
                    text.append(character)
                }
                break
            }
            text += line
        }
        let end = text.utf8.lastIndex { $0 != UInt8(ascii: "\n") }
        return end.map { String(text[...$0]) }
    }

    private static func list(_ texts: [String]) -> BusValue? {
        texts.isEmpty ? nil : .strings(texts)
    }
}
