import DBus
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

private let five = TrackTime.seconds(5)

@Suite
struct AnnouncementTests {
    @Test("no change, no signal, wherever the music is")
    func silence() throws {
        let status = status(try track(1))
        #expect(Announcement.between(status, status, position: five) == [])
        #expect(Announcement.between(PlayerStatus(), PlayerStatus(), position: .zero) == [])
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
                Announcement.between(old, new, position: five) == [.player([PropertyChange(name, value)])]
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
        let announcements = Announcement.between(old, new, position: .zero)
        guard case .player(let changes) = announcements.first, announcements.count == 1 else {
            Issue.record("\(announcements)")
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
            Announcement.between(old, new, position: change.position)
                == [.player(changes)] + (change.isSeeked ? [.seeked(change.position)] : [])
        )
    }

    @Test("the same file twice in a row is a change of track")
    func sameFileTwice() throws {
        let old = status(try track(1))
        var new = old
        new.current?.id = TrackID(2)
        guard case .player(let changes) = Announcement.between(old, new, position: .zero).first else {
            Issue.record("no change")
            return
        }
        #expect(changes.map(\.name) == ["Metadata", "Position"])
    }

    @Test("a track that goes leaves an empty map at 0, and nothing to play, pause or seek")
    func disappearance() throws {
        let new = status(nil, .stopped)
        #expect(
            Announcement.between(status(try track(1)), new, position: .zero) == [
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
        #expect(Announcement.between(old, new, position: five) == [.player([position]), .seeked(five)])
        new.playback = .paused
        #expect(
            Announcement.between(old, new, position: five)
                == [.player([PropertyChange("PlaybackStatus", .string("Paused")), position]), .seeked(five)]
        )
    }

    @Test("a jump with no track is nobody's business")
    func jumpOfNothing() {
        var new = PlayerStatus()
        new.jumps = 1
        #expect(Announcement.between(PlayerStatus(), new, position: .zero) == [])
    }

    @Test("metadata that becomes known late is told whole, and where the track stands after it")
    func lateMetadata() throws {
        let old = status(try track(1, title: "Track 1"))
        let new = status(try track(1, title: "Known at last"))
        #expect(
            Announcement.between(old, new, position: five)
                == [.player([PropertyChange("Metadata", Metadata.value(of: new.current))]), .seeked(five)]
        )
        let lengthless = status(try track(1, title: "Track 1", seconds: nil))
        guard case .player(let changes) = Announcement.between(lengthless, old, position: five).first else {
            Issue.record("no change")
            return
        }
        #expect(changes.map(\.name) == ["CanSeek", "Metadata"])
    }

    @Test("a problem is told on our own interface, and its end too")
    func problem() {
        var broken = PlayerStatus()
        broken.problem = "no sound server"
        #expect(
            Announcement.between(PlayerStatus(), broken, position: .zero)
                == [.control([PropertyChange("Problem", .string("no sound server"))])]
        )
        #expect(
            Announcement.between(broken, PlayerStatus(), position: .zero)
                == [.control([PropertyChange("Problem", .string(""))])]
        )
    }
}
