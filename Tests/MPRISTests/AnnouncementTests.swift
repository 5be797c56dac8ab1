import DBus
import Library
import MPRIS
import Music
import Playback
import Testing

private func track(_ number: UInt64, title: String = "Song", seconds: Double? = 100) throws -> CurrentTrack {
    var tags = Tags()
    tags.title = title
    let path = try #require(FilePath("/music/\(number).mp3"))
    return CurrentTrack(
        id: TrackID(number),
        track: Track(TrackLocation(path), tags: tags, length: seconds.map(TrackTime.seconds))
    )
}

private func status(_ current: CurrentTrack?, _ playback: PlaybackStatus = .playing) -> PlayerStatus {
    var status = PlayerStatus()
    status.current = current
    status.playback = playback
    return status
}

/// What is told where the library stays as it is.
private func announcements(
    _ old: PlayerStatus,
    _ new: PlayerStatus,
    position: TrackTime
) -> [Announcement] {
    let library = LibraryStatus()
    return Announcement.between(Snapshot(old, library), Snapshot(new, library), position: position)
}

private let five = TrackTime.seconds(5)

@Suite
struct AnnouncementTests {
    @Test("no change, no signal, wherever the music is")
    func silence() throws {
        let status = status(try track(1))
        #expect(announcements(status, status, position: five) == [])
        #expect(announcements(PlayerStatus(), PlayerStatus(), position: .zero) == [])
    }

    @Test("each property that changes is told alone, once, with its value, without a position")
    func singleChanges() throws {
        let old = status(try track(1))
        let cases: [(String, BusValue, (inout PlayerStatus) -> Void)] = [
            ("PlaybackStatus", .string("Paused"), { $0.playback = .paused }),
            ("PlaybackStatus", .string("Stopped"), { $0.playback = .stopped }),
            ("CanGoNext", .boolean(true), { $0.canGoNext = true }),
            ("CanGoPrevious", .boolean(true), { $0.canGoPrevious = true }),
            ("LoopStatus", .string("None"), { $0.loop = .none }),
            ("LoopStatus", .string("Track"), { $0.loop = .track }),
            ("Shuffle", .boolean(true), { $0.isShuffled = true }),
            ("Volume", .double(0.3), { $0.volume = 0.3 }),
        ]
        for (name, value, change) in cases {
            var new = old
            change(&new)
            #expect(
                announcements(old, new, position: five) == [.player([PropertyChange(name, value)])]
            )
        }
    }

    @Test("what changes together is told together, in the order that clients need")
    func together() throws {
        let old = status(nil, .stopped)
        var new = status(try track(1))
        (new.canGoNext, new.canGoPrevious, new.isShuffled, new.volume, new.loop) = (
            true, true, true, 0.5, .none
        )
        let told = announcements(old, new, position: .zero)
        guard case .player(let changes) = told.first, told.count == 1 else {
            Issue.record("\(told)")
            return
        }
        #expect(
            changes.map(\.name) == [
                "PlaybackStatus", "CanGoNext", "CanGoPrevious", "CanPlay", "CanPause", "CanSeek",
                "LoopStatus",
                "Shuffle", "Volume", "Metadata", "Position",
            ]
        )
    }

    struct Change: CustomTestStringConvertible {
        var testDescription: String
        var from: PlaybackStatus
        var to: PlaybackStatus
        var position: TrackTime
        var isSeeked: Bool
    }

    @Test(
        "a track change carries what has changed, the position last; Seeked where clients would be wrong",
        arguments: [
            Change(
                testDescription: "from its start",
                from: .playing,
                to: .playing,
                position: .zero,
                isSeeked: false
            ),
            Change(
                testDescription: "heard a moment ago",
                from: .playing,
                to: .playing,
                position: .seconds(0.1),
                isSeeked: false
            ),
            Change(
                testDescription: "from its middle",
                from: .playing,
                to: .playing,
                position: five,
                isSeeked: true
            ),
            Change(
                testDescription: "while paused",
                from: .paused,
                to: .paused,
                position: .zero,
                isSeeked: true
            ),
            Change(
                testDescription: "while stopped",
                from: .stopped,
                to: .stopped,
                position: .zero,
                isSeeked: false
            ),
            Change(
                testDescription: "and starts",
                from: .stopped,
                to: .playing,
                position: .zero,
                isSeeked: false
            ),
        ]
    )
    func trackChange(_ change: Change) throws {
        let old = status(try track(1), change.from)
        var new = status(try track(2), change.to)
        new.jumps = 1
        let statusChange = PropertyChange("PlaybackStatus", .string(change.to.rawValue))
        let changes =
            (change.from == change.to ? [] : [statusChange]) + [
                PropertyChange("Metadata", Metadata.value(of: new.current)),
                PropertyChange("Position", .int64(change.position.microseconds)),
            ]
        #expect(
            announcements(old, new, position: change.position)
                == [.player(changes)] + (change.isSeeked ? [.seeked(change.position)] : [])
        )
    }

    @Test("the same file twice in a row is a change of track")
    func sameFileTwice() throws {
        let old = status(try track(1))
        var new = old
        new.current?.id = TrackID(2)
        guard case .player(let changes) = announcements(old, new, position: .zero).first else {
            Issue.record("no change")
            return
        }
        #expect(changes.map(\.name) == ["Metadata", "Position"])
    }

    @Test("a track that goes leaves an empty map at 0, and nothing to play, pause or seek")
    func disappearance() throws {
        let new = status(nil, .stopped)
        #expect(
            announcements(status(try track(1)), new, position: .zero) == [
                .player([
                    PropertyChange("PlaybackStatus", .string("Stopped")),
                    PropertyChange("CanPlay", .boolean(false)), PropertyChange("CanPause", .boolean(false)),
                    PropertyChange("CanSeek", .boolean(false)), PropertyChange("Metadata", .variants([])),
                    PropertyChange("Position", .int64(0)),
                ])
            ]
        )
    }

    @Test("a jump is the position and then Seeked with the same value, beside what else changed")
    func jump() throws {
        let old = status(try track(1))
        var new = old
        new.jumps = 3
        let position = PropertyChange("Position", .int64(5_000_000))
        #expect(announcements(old, new, position: five) == [.player([position]), .seeked(five)])
        new.playback = .paused
        #expect(
            announcements(old, new, position: five)
                == [.player([PropertyChange("PlaybackStatus", .string("Paused")), position]), .seeked(five)]
        )
    }

    @Test("a jump with no track is nobody's business")
    func jumpOfNothing() {
        var new = PlayerStatus()
        new.jumps = 1
        #expect(announcements(PlayerStatus(), new, position: .zero) == [])
    }

    @Test("metadata that becomes known late is told whole, and where the track stands after it")
    func lateMetadata() throws {
        let old = status(try track(1, title: "Track 1"))
        let new = status(try track(1, title: "Known at last"))
        #expect(
            announcements(old, new, position: five)
                == [.player([PropertyChange("Metadata", Metadata.value(of: new.current))]), .seeked(five)]
        )
        let lengthless = status(try track(1, title: "Track 1", seconds: nil))
        guard case .player(let changes) = announcements(lengthless, old, position: five).first else {
            Issue.record("no change")
            return
        }
        #expect(changes.map(\.name) == ["CanSeek", "Metadata"])
    }

    @Test(
        "a cover that is found late, or is another one now, is told likewise",
        arguments: [PlaybackStatus.playing, .paused]
    )
    func lateCover(playback: PlaybackStatus) throws {
        var old = status(try track(1), playback)
        for cover in ["/cache/1.jpg", "/cache/2.png"] {
            var new = old
            new.current?.track.cover = FilePath(cover)
            let metadata = PropertyChange("Metadata", Metadata.value(of: new.current))
            #expect(metadata.value["mpris:artUrl"] == .string("file://\(cover)"))
            #expect(metadata.value["xesam:title"] == .string("Song"))
            #expect(announcements(old, new, position: five) == [.player([metadata]), .seeked(five)])
            old = new
        }
    }

    @Test("a problem is told on our own interface, and its end too")
    func problem() {
        var broken = PlayerStatus()
        broken.problem = "no sound server"
        #expect(
            announcements(PlayerStatus(), broken, position: .zero)
                == [.control([PropertyChange("Problem", .string("no sound server"))])]
        )
        #expect(
            announcements(broken, PlayerStatus(), position: .zero)
                == [.control([PropertyChange("Problem", .string(""))])]
        )
    }
}

@Suite
struct TrackListAnnouncementTests {
    private func status(_ numbers: [UInt64], current: UInt64) throws -> PlayerStatus {
        var status = PlayerStatus()
        status.listed = try numbers.map { number in
            ListedTrack(id: TrackID(number), track: try track(number).track)
        }
        status.current = try track(current)
        status.queueCount = numbers.count
        return status
    }

    @Test("new tracks are told before the player goes to one, old ones after it has left them")
    func order() throws {
        let told = announcements(
            try status([1, 2], current: 1),
            try status([2, 3], current: 3),
            position: .zero
        )
        let new = ListedTrack(id: TrackID(3), track: try track(3).track)
        #expect(
            told == [
                .trackList(.added(new, after: TrackID(2))),
                .player([
                    PropertyChange("Metadata", Metadata.value(of: new)),
                    PropertyChange("Position", .int64(0)),
                ]),
                .trackList(.removed(TrackID(1))), .tracks,
            ]
        )
    }

    @Test("a list that is another is told before the player, and its length to our own clients")
    func replaced() throws {
        let told = announcements(
            try status([1, 2], current: 1),
            try status([4], current: 4),
            position: .zero
        )
        #expect(told.first == .trackList(.replaced([TrackID(4)], current: TrackID(4))))
        #expect(
            told.suffix(2) == [.tracks, .control([PropertyChange("QueueLength", .uint32(1))])]
        )
    }

    @Test("what becomes known of a listed track is told without the list being another")
    func knownLater() throws {
        let old = try status([1, 2], current: 1)
        var new = old
        new.listed[1].track.tags.title = "Known"
        let told = announcements(old, new, position: .zero)
        #expect(told == [.trackList(.metadataChanged(new.listed[1]))])
    }
}

@Suite
struct LibraryAnnouncementTests {
    private let player = PlayerStatus()

    private func playlist(_ number: UInt64, _ name: String) throws -> PlaylistSummary {
        let path = try #require(FilePath("/lists/\(name).m3u8"))
        return PlaylistSummary(id: PlaylistID(number), name: name, path: path, modified: 1)
    }

    private func told(_ old: Snapshot, _ new: Snapshot) -> [Announcement] {
        Announcement.between(old, new, position: .zero)
    }

    @Test("playlists that come and go change their number, and one that is renamed is told by itself")
    func playlists() throws {
        var old = LibraryStatus()
        old.playlists = [try playlist(1, "a"), try playlist(2, "b")]
        var new = old
        new.playlists = [try playlist(2, "b"), try playlist(1, "c"), try playlist(3, "d")]
        #expect(
            told(Snapshot(player, old), Snapshot(player, new)) == [
                .playlist(try playlist(1, "c")), .playlists([PropertyChange("PlaylistCount", .uint32(3))]),
            ]
        )
        var touched = old
        touched.playlists[0].modified = 9
        touched.playlists[1].played = 9
        #expect(told(Snapshot(player, old), Snapshot(player, touched)) == [])
    }

    @Test(
        "the active playlist is told when the player has another, and when it is called something else or gone"
    )
    func activePlaylist() throws {
        var library = LibraryStatus()
        library.playlists = [try playlist(1, "a")]
        var playing = player
        playing.playlist = PlaylistID(1)
        func active(_ path: String, _ name: String) -> BusValue {
            .structure([
                .boolean(path != "/"), .structure([.objectPath(path), .string(name), .string("")]),
            ])
        }
        #expect(
            told(Snapshot(player, library), Snapshot(playing, library))
                == [.playlists([PropertyChange("ActivePlaylist", active("/org/tianlai/playlist/1", "a"))])]
        )
        var renamed = library
        renamed.playlists = [try playlist(1, "b")]
        #expect(
            told(Snapshot(playing, library), Snapshot(playing, renamed)) == [
                .playlist(try playlist(1, "b")),
                .playlists([PropertyChange("ActivePlaylist", active("/org/tianlai/playlist/1", "b"))]),
            ]
        )
        #expect(
            told(Snapshot(playing, library), Snapshot(playing, LibraryStatus())) == [
                .playlists([
                    PropertyChange("PlaylistCount", .uint32(0)),
                    PropertyChange("ActivePlaylist", active("/", "")),
                ])
            ]
        )
    }

    @Test("each property of our own is told alone, with its value")
    func control() throws {
        let folder = try #require(FilePath("/music"))
        let cases: [(PropertyChange, (inout Snapshot) -> Void)] = [
            (PropertyChange("ShuffleKind", .string("albums")), { $0.player.shuffleKind = .albums }),
            (PropertyChange("StopAfterCurrent", .boolean(true)), { $0.player.stopsAfterCurrent = true }),
            (PropertyChange("QueueLength", .uint32(7)), { $0.player.queueCount = 7 }),
            (PropertyChange("LibraryTracks", .uint32(9)), { $0.library.trackCount = 9 }),
            (PropertyChange("LibraryFolders", .strings(["/music"])), { $0.library.folders = [folder] }),
            (PropertyChange("LibraryProblem", .string("full")), { $0.library.problem = "full" }),
            (PropertyChange("Scanning", .boolean(true)), { $0.library.scan = ScanProgress() }),
        ]
        let old = Snapshot(player, LibraryStatus())
        for (wanted, change) in cases {
            var new = old
            change(&new)
            #expect(told(old, new) == [.control([wanted])])
        }
    }

    @Test("of a scan its beginning and end are told, and the number of tracks once it is over")
    func scan() {
        var library = LibraryStatus()
        library.trackCount = 5
        var known = Snapshot(player, library)
        func next() -> [Announcement] {
            let now = Snapshot(player, library).asNews(after: known)
            defer { known = now }
            return now == known ? [] : told(known, now)
        }
        library.scan = ScanProgress()
        #expect(next() == [.control([PropertyChange("Scanning", .boolean(true))])])
        for seen in 1...100 {
            library.scan?.seen = seen
            library.scan?.total = 100
            library.trackCount += 1
            // Not even worth a comparison.
            #expect(Snapshot(player, library).asNews(after: known) == known)
            #expect(next() == [])
        }
        library.scan = nil
        #expect(
            next() == [
                .control([
                    PropertyChange("LibraryTracks", .uint32(105)),
                    PropertyChange("Scanning", .boolean(false)),
                ])
            ]
        )
        library.scan = ScanProgress()
        _ = next()
        library.scan = nil
        #expect(next() == [.control([PropertyChange("Scanning", .boolean(false))])])
    }
}
