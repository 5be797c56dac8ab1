import DBus
import MPRIS
import Music
import Playback
import Testing

@Suite
struct MetadataTests {
    @Test("no track is the empty map")
    func nothing() {
        #expect(Metadata.value(of: nil) == .dictionary(key: "s", value: "v", []))
    }

    @Test("a file that says nothing of itself still has identity, place and title, and no other key")
    func bare() throws {
        let path = try #require(FilePath(bytes: "/m/\u{5929} 1.mp3".utf8))
        let current = CurrentTrack(id: TrackID(7), track: Track(TrackLocation(path)))
        #expect(
            Metadata.value(of: current)
                == .variants([
                    ("mpris:trackid", .objectPath("/org/tianlai/track/7")),
                    ("xesam:url", .string("file:///m/%E5%A4%A9%201.mp3")),
                    ("xesam:title", .string("\u{5929} 1")),
                ])
        )
    }

    @Test("all that is known is there, in the exact types")
    func full() throws {
        var tags = Tags()
        tags.title = "T"
        tags.artists = ["A", "B"]
        tags.album = "L"
        tags.albumArtists = ["C"]
        (tags.trackNumber, tags.discNumber, tags.date) = (3, 1, "2019-05")
        tags.genres = ["G"]
        tags.composers = ["K"]
        tags.comments = ["N\nO"]
        (tags.beatsPerMinute, tags.rating) = (120, 0.8)
        let track = Track(
            TrackLocation(try #require(FilePath("/m/a.mp3"))),
            tags: tags,
            length: .seconds(1.5),
            cover: FilePath("/c/1 2.jpg")
        )
        #expect(
            Metadata.value(of: CurrentTrack(id: TrackID(1), track: track))
                == .variants([
                    ("mpris:trackid", .objectPath("/org/tianlai/track/1")),
                    ("mpris:length", .int64(1_500_000)),
                    ("mpris:artUrl", .string("file:///c/1%202.jpg")),
                    ("xesam:url", .string("file:///m/a.mp3")),
                    ("xesam:title", .string("T")), ("xesam:artist", .strings(["A", "B"])),
                    ("xesam:album", .string("L")), ("xesam:albumArtist", .strings(["C"])),
                    ("xesam:trackNumber", .int32(3)), ("xesam:discNumber", .int32(1)),
                    ("xesam:genre", .strings(["G"])), ("xesam:composer", .strings(["K"])),
                    ("xesam:comment", .strings(["N\nO"])),
                    ("xesam:audioBPM", .int32(120)),
                    ("xesam:userRating", .double(0.8)),
                    ("xesam:contentCreated", .string("2019-05")),
                ])
        )
    }

    @Test("the words of the current track are there, without their times; lists go without them")
    func words() throws {
        let location = TrackLocation(try #require(FilePath("/m/a.mp3")))
        func text(_ lyrics: Lyrics?) -> BusValue? {
            let track = Track(location, lyrics: lyrics)
            #expect(Metadata.value(of: ListedTrack(id: TrackID(1), track: track))["xesam:asText"] == nil)
            #expect(Metadata.value(of: track, id: TrackID(1))["xesam:asText"] == nil)
            return Metadata.value(of: CurrentTrack(id: TrackID(1), track: track))["xesam:asText"]
        }
        #expect(text(.plain(["月光", "", "la"])) == .string("月光\n\nla"))
        let timed = ["", "a", "", "b", ""].enumerated().map { Lyrics.Line(.seconds(Double($0)), $1) }
        #expect(text(.timed(timed)) == .string("a\n\nb"))
        #expect(text(.timed([Lyrics.Line(.zero, "")])) == nil)
        #expect(text(nil) == nil)
    }

    @Test(
        "of very long words as many as 32 KiB hold, no character cut",
        arguments: [
            (["歌"], 40_000, 10_922), (["e\u{301}"], 40_000, 10_922), (["x"], 40_000, 32_768),
            ([], 40_000, 0), (["👨‍👩‍👧‍👦"], 3000, 1310),
        ] as [([String], Int, Int)]
    )
    func longWords(character: [String], count: Int, kept: Int) throws {
        let line = String(repeating: character.joined(), count: count)
        let track = Track(TrackLocation(try #require(FilePath("/m/a.mp3"))), lyrics: .plain([line]))
        let text = Metadata.value(of: CurrentTrack(id: TrackID(1), track: track))["xesam:asText"]?.text
        #expect(text ?? "" == String(repeating: character.joined(), count: kept))
        let lines = Track(track.location, lyrics: .plain((0..<40_000).map { _ in character.joined() }))
        let many = Metadata.value(of: CurrentTrack(id: TrackID(1), track: lines))["xesam:asText"]?.text ?? ""
        #expect(many.utf8.count <= 32_768 && (many.utf8.count > 32_700 || character.isEmpty))
        #expect(!many.hasSuffix("\n"))
    }

    @Test("of a stretch of a file of which nothing else is known, the cue sheet speaks; tags go before it")
    func excerpt() throws {
        var excerpt = Excerpt(start: .seconds(10))
        (excerpt.title, excerpt.artist, excerpt.album, excerpt.number) = ("T", "A", "L", 2)
        var track = Track(TrackLocation(try #require(FilePath("/m/album.flac")), excerpt))
        let map = Metadata.value(of: track, id: nil)
        #expect(
            map
                == .variants([
                    ("xesam:url", .string("file:///m/album.flac")), ("xesam:title", .string("T")),
                    ("xesam:artist", .strings(["A"])), ("xesam:album", .string("L")),
                    ("xesam:trackNumber", .int32(2)),
                ])
        )
        track.tags.title = "Tagged"
        track.tags.artists = ["B", "C"]
        #expect(Metadata.value(of: track, id: nil)["xesam:title"] == .string("Tagged"))
        #expect(Metadata.value(of: track, id: nil)["xesam:artist"] == .strings(["B", "C"]))
    }

    @Test("a path is the identity of a track only as it was given out")
    func identities() {
        #expect(ObjectPath.track(ObjectPath.track(TrackID(.max))) == TrackID(.max))
        for path in [
            "/org/mpris/MediaPlayer2/TrackList/NoTrack", "/", "/org/tianlai/track/", "/org/tianlai/track/01",
            "/org/tianlai/track/+1", "/org/tianlai/track/-1", "/org/tianlai/track/1/2",
            "/org/tianlai/track/18446744073709551616", "/org/tianlai/track/x",
        ] {
            #expect(ObjectPath.track(path) == nil, "\(path)")
        }
    }

    @Test("a playlist has an identity of another kind")
    func playlistIdentities() {
        #expect(ObjectPath.playlist(ObjectPath.playlist(PlaylistID(.max))) == PlaylistID(.max))
        for path in ["/", "/org/tianlai/playlist/01", "/org/tianlai/playlist/", ObjectPath.track(TrackID(1))]
        {
            #expect(ObjectPath.playlist(path) == nil, "\(path)")
        }
    }
}
