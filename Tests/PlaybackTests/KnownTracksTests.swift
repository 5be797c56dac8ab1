import Music
import Testing

@testable import Playback

@Suite("What is known of tracks")
struct KnownTracksTests {
    @Test("the words of a track that is not to play are forgotten, and read again when it is")
    func words() throws {
        var tracks = KnownTracks()
        let locations = try ["a", "b", "c"].map { TrackLocation(try #require(FilePath("/m/\($0).mp3"))) }
        let entries = locations.enumerated().map { QueueEntry(id: TrackID(UInt64($0)), location: $1) }
        for (entry, lyrics) in zip(entries, [Lyrics.plain(["a"]), .plain(["b"]), nil]) {
            tracks.learn(entry.id, Track(entry.location, length: .seconds(1), lyrics: lyrics), isWhole: true)
        }
        tracks.forgetLyrics(but: [entries[0].id])
        #expect(tracks[entries[0].id]?.lyrics == .plain(["a"]))
        #expect(tracks[entries[1].id] == Track(locations[1], length: .seconds(1)))
        #expect(tracks.missing(in: entries, whole: true).map(\.id) == [entries[1].id])
        #expect(tracks.missing(in: entries, whole: false).isEmpty)
    }
}
