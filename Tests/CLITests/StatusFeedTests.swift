import DBus
import Music
import Testing

@testable import CLI

private func song(_ title: String, _ playback: PlaybackStatus, _ position: Double) -> PlayerSnapshot {
    var song = PlayerSnapshot()
    song.playback = playback
    song.song.trackID = "/\(title)"
    song.song.title = title
    song.position = .seconds(position)
    song.song.length = .seconds(100)
    return song
}

private func moment(_ seconds: Double) -> Instant {
    Instant(nanoseconds: Int64(seconds * 1e9))
}

private func feed(_ form: StatusFeed.Form) -> StatusFeed {
    StatusFeed(form, style: TextStyle(isPlain: true))
}

@Suite("Following the status")
struct StatusFeedTests {
    @Test("a line for each change, none for what is the same")
    func lines() {
        var feed = feed(.lines)
        #expect(feed.update(nil, jumped: false, at: moment(0)) == "waiting for the service\n")
        #expect(feed.update(nil, jumped: false, at: moment(0)) == "")
        #expect(
            feed.update(song("a", .playing, 1), jumped: false, at: moment(1)) == "Playing  0:01 / 1:40  a\n"
        )
        var louder = song("a", .playing, 2)
        louder.volume = 0.5
        #expect(feed.update(louder, jumped: false, at: moment(2)) == "")
        #expect(
            feed.update(song("a", .playing, 50), jumped: true, at: moment(3)) == "Playing  0:50 / 1:40  a\n"
        )
        #expect(
            feed.update(song("a", .paused, 51), jumped: false, at: moment(4)) == "Paused  0:51 / 1:40  a\n"
        )
        #expect(
            feed.update(song("b", .paused, 0), jumped: false, at: moment(5)) == "Paused  0:00 / 1:40  b\n"
        )
    }

    @Test("an object for each change, of the volume too, and for the end of the service")
    func json() {
        var feed = feed(.json)
        #expect(
            feed.update(song("a", .playing, 1), jumped: false, at: moment(0)).hasPrefix(
                #"{"status": "Playing""#
            )
        )
        #expect(feed.update(song("a", .playing, 2), jumped: false, at: moment(1)) == "")
        var louder = song("a", .playing, 3)
        louder.volume = 0.5
        #expect(feed.update(louder, jumped: false, at: moment(2)).contains(#""volume": 0.5"#))
        #expect(feed.update(nil, jumped: false, at: moment(3)) == "{\"status\": \"NotRunning\"}\n")
    }

    @Test("a progress line that is drawn again")
    func progress() {
        var feed = feed(.progress)
        let start = feed.update(song("a", .playing, 1.25), jumped: false, at: moment(10))
        #expect(start == "\r\u{1B}[K\u{1B}[?7lPlaying  0:01 / 1:40  a\u{1B}[?7h")
        #expect(feed.untilNextSecond(at: moment(10)) == .seconds(0.75))
        #expect(feed.untilNextSecond(at: moment(10.5)) == .seconds(0.25))
        #expect(feed.text(at: moment(10.75)).contains("0:02 / 1:40"))
        #expect(feed.text(at: moment(500)).contains("1:40 / 1:40"))
        #expect(feed.untilNextSecond(at: moment(500)) == nil)
    }

    @Test("no clock runs while nothing moves", arguments: [PlaybackStatus.paused, .stopped])
    func rest(playback: PlaybackStatus) {
        var feed = feed(.progress)
        #expect(feed.update(song("a", playback, 5), jumped: false, at: moment(0)).contains("0:05"))
        #expect(feed.untilNextSecond(at: moment(0)) == nil)
        #expect(feed.text(at: moment(9)).contains("0:05"))
        _ = feed.update(nil, jumped: false, at: moment(9))
        #expect(feed.untilNextSecond(at: moment(9)) == nil)
    }

    @Test("a service that says nothing sensible reads as stopped")
    func nonsense() {
        let odd = PlayerSnapshot(
            properties: .variants([
                ("PlaybackStatus", .int32(3)), ("Volume", .string("loud")), ("Metadata", .boolean(true)),
            ]),
            control: .variants([
                ("QueueLength", .string("many")), ("QueueIndex", .int64(-7)), ("Problem", .int32(1)),
            ])
        )
        #expect(odd == PlayerSnapshot())
    }
}
