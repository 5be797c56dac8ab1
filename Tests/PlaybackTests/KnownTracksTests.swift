import Music
import Testing

@testable import Playback

@Suite("What is known of tracks")
struct KnownTracksTests {
    private let entry: QueueEntry
    private let bare: Track
    private let text: Track
    private let whole: Track

    init() throws {
        entry = QueueEntry(id: TrackID(1), location: TrackLocation(try #require(FilePath("/a.mp3"))))
        bare = Track(entry.location)
        text = Track(entry.location, length: .seconds(3))
        whole = Track(entry.location, length: .seconds(3), cover: FilePath("/cover.jpg"))
    }

    @Test("text is known until all is, but takes nothing away")
    func learnsText() {
        var tracks = KnownTracks()
        tracks.learn(entry.id, bare, isWhole: false)
        tracks.learnText(entry.id, text)
        #expect(tracks[entry.id] == text && !tracks.isWhole(entry.id))
        #expect(tracks.missing(in: [entry], whole: true) == [entry])
        tracks.learn(entry.id, whole, isWhole: true)
        tracks.learnText(entry.id, text)
        #expect(tracks[entry.id] == whole && tracks.isWhole(entry.id))
        // Read again, since it comes near again or has changed.
        tracks.doubt(allBut: [])
        tracks.learnText(entry.id, text)
        #expect(tracks[entry.id] == whole && !tracks.isWhole(entry.id))
        tracks.learn(entry.id, whole, isWhole: true)
        tracks.invalidate { _ in true }
        tracks.learnText(entry.id, text)
        #expect(tracks[entry.id] == whole && tracks.isWhole(entry.id))
        #expect(tracks.missing(in: [entry], whole: true) == [entry])
    }

    @Test("what is not near is to be read again when it is, and needs no glance meanwhile")
    func doubts() {
        var tracks = KnownTracks()
        tracks.learn(entry.id, whole, isWhole: true)
        tracks.doubt(allBut: [entry.id])
        #expect(tracks.isWhole(entry.id) && tracks.missing(in: [entry], whole: true) == [])
        tracks.doubt(allBut: [TrackID(2)])
        #expect(tracks.missing(in: [entry], whole: true) == [entry])
        #expect(tracks.missing(in: [entry], whole: false) == [])
        #expect(tracks[entry.id] == whole)
    }

    @Test("the words of a track that is not near are forgotten, however much is known of it")
    func words() {
        for isWhole in [true, false] {
            var tracks = KnownTracks()
            let sung = Track(entry.location, length: .seconds(3), lyrics: .plain(["a"]))
            if isWhole {
                tracks.learn(entry.id, sung, isWhole: true)
            } else {
                tracks.learnText(entry.id, sung)
            }
            tracks.doubt(allBut: [entry.id])
            #expect(tracks[entry.id] == sung)
            tracks.doubt(allBut: [])
            #expect(tracks[entry.id] == text)
        }
    }
}
