import DBus
import Language
import Music
import Service
import Testing

@testable import CLI

/// A player in the middle of its queue and of a song of 100 s.
private let playing = PlayerSnapshot(
    properties: .variants([
        ("PlaybackStatus", .string("Playing")),
        (
            "Metadata",
            .variants([
                ("mpris:trackid", .objectPath("/track/7")),
                ("mpris:length", .int64(100_000_000)),
                ("xesam:title", .string("雨")),
                ("xesam:artist", .strings(["甲", "B\u{1B}[31m"])),
            ])
        ),
        ("Volume", .double(0.98)), ("Position", .int64(12_900_000)), ("LoopStatus", .string("Track")),
        ("Shuffle", .boolean(true)),
        ("CanGoNext", .boolean(true)), ("CanGoPrevious", .boolean(true)), ("CanPlay", .boolean(true)),
        ("CanPause", .boolean(true)), ("CanSeek", .boolean(true)),
    ]),
    control: .variants([
        ("Problem", .string("")), ("ShuffleKind", .string("albums")), ("StopAfterCurrent", .boolean(true)),
        ("QueueLength", .uint32(20)), ("QueueIndex", .int32(2)),
    ])
)

private let empty = PlayerSnapshot(
    properties: .variants([("PlaybackStatus", .string("Stopped"))]),
    control: nil
)

private let folder = FilePath("/music")

@Suite("What a request does on the bus")
struct PlayerCallsTests {
    @Test(
        "calls",
        arguments: [
            (.play, "Play", []),
            (.toggle, "PlayPause", []),
            (.pause, "Pause", []),
            (.stop, "Stop", []),
            (.next, "Next", []),
            (.previous, "Previous", []),
            (.quit, "Quit", []),
            (.seek(.by(.seconds(-5))), "Seek", [.int64(-5_000_000)]),
            (.seek(.to(.seconds(100))), "SetPosition", [.objectPath("/track/7"), .int64(100_000_000)]),
        ] as [(PlayerRequest, String, [BusValue])]
    )
    func call(request: PlayerRequest, member: String, arguments: [BusValue]) throws {
        let calls = try request.calls(on: playing, folder: #require(folder))
        #expect(calls.map(\.member) == [member])
        #expect(calls.first?.arguments == arguments)
        #expect(calls.first?.destination == "org.mpris.MediaPlayer2.tianlai")
        let interface = member == "Quit" ? "org.mpris.MediaPlayer2" : "org.mpris.MediaPlayer2.Player"
        #expect(calls.first?.interface == interface)
    }

    @Test(
        "properties set",
        arguments: [
            (.volume(.to(0.4)), "Volume", .double(0.4)),
            (.volume(.by(-0.05)), "Volume", .double(0.93)),
            (.volume(.by(0.05)), "Volume", .double(1)),
            (.volume(.by(-3)), "Volume", .double(0)),
            (.shuffle(.switched(.on)), "Shuffle", .boolean(true)),
            (.shuffle(.switched(.off)), "Shuffle", .boolean(false)),
            (.shuffle(.switched(.toggle)), "Shuffle", .boolean(false)),
            (.loop(.playlist), "LoopStatus", .string("Playlist")),
        ] as [(PlayerRequest, String, BusValue)]
    )
    func set(request: PlayerRequest, property: String, value: BusValue) throws {
        let calls = try request.calls(on: playing, folder: #require(folder))
        #expect(calls.map(\.member) == ["Set"])
        #expect(
            calls.first?.arguments
                == [.string("org.mpris.MediaPlayer2.Player"), .string(property), .variant(value)]
        )
    }

    @Test("sets what only Tianlai has")
    func setControl() throws {
        let folder = try #require(folder)
        func arguments(_ request: PlayerRequest) throws -> [[BusValue]] {
            try request.calls(on: playing, folder: folder).map { $0.arguments }
        }
        let control = BusValue.string("org.tianlai.Control1")
        let shuffle: [BusValue] = [
            .string("org.mpris.MediaPlayer2.Player"), .string("Shuffle"), .variant(.boolean(true)),
        ]
        #expect(
            try arguments(.shuffle(.of(.albums)))
                == [[control, .string("ShuffleKind"), .variant(.string("albums"))], shuffle]
        )
        for stops in [true, false] {
            #expect(
                try arguments(.stopAfterCurrent(stops))
                    == [[control, .string("StopAfterCurrent"), .variant(.boolean(stops))]]
            )
        }
    }

    @Test("plays all that is named, as URIs")
    func open() throws {
        let locations = ["a.mp3", "/b"].compactMap { Location(argument: Array($0.utf8)) }
        let calls = try PlayerRequest.open(locations).calls(on: empty, folder: #require(folder))
        #expect(calls.map(\.member) == ["Play"])
        #expect(calls.first?.path == "/org/tianlai/Control1")
        #expect(calls.first?.arguments == [.strings(["file:///music/a.mp3", "file:///b"])])
    }

    @Test(
        "refuses what would do nothing",
        arguments: [
            (.play, .emptyQueue),
            (.toggle, .emptyQueue),
            (.stopAfterCurrent(true), .emptyQueue),
            (.next, Refusal("there is no next song")),
            (.previous, Refusal("there is no song before this")),
            (.seek(.by(.seconds(1))), Refusal("there is no song to seek in")),
        ] as [(PlayerRequest, Refusal)]
    )
    func refuse(request: PlayerRequest, refusal: Refusal) throws {
        let folder = try #require(folder)
        #expect(throws: refusal) { try request.calls(on: empty, folder: folder) }
    }

    @Test("refuses to seek behind the end, and in what has none")
    func refuseSeek() throws {
        let folder = try #require(folder)
        #expect(throws: Refusal("the song is only 1:40 long")) {
            try PlayerRequest.seek(.to(.seconds(100.1))).calls(on: playing, folder: folder)
        }
        var stream = playing
        stream.canSeek = false
        #expect(throws: Refusal("one cannot seek in this song")) {
            try PlayerRequest.seek(.by(.seconds(1))).calls(on: stream, folder: folder)
        }
    }
}

@Suite("Status")
struct StatusTextTests {
    @Test("for people, without control characters that a title may hold")
    func lines() {
        #expect(
            playing.lines(TextStyle(isPlain: true)) == """
                雨
                甲, B[31m
                Playing  0:12 / 1:40  (3/20)
                volume 98%, shuffle albums, loop track, stops after this song

                """
        )
        #expect(empty.lines(TextStyle(isPlain: true)) == "Stopped\nvolume 100%, shuffle off, loop none\n")
    }

    @Test("says what is wrong")
    func problem() {
        var silent = playing
        silent.problem = "no sound server"
        #expect(silent.lines(TextStyle(isPlain: true)).hasSuffix("\nno sound server\n"))
        #expect(silent.line(TextStyle(isPlain: false)).hasSuffix("\u{1B}[31mno sound server\u{1B}[0m"))
    }

    @Test("for programs")
    func json() {
        #expect(
            "\(playing.json)" == """
                {"status": "Playing", "title": "雨", "artist": ["甲", "B\\u001b[31m"], "album": null, "url": null, \
                "artUrl": null, "length_us": 100000000, "position_us": 12900000, "volume": 0.98, "shuffle": true, \
                "shuffleKind": "albums", "loop": "Track", "stopAfterCurrent": true, "sleep_us": null, \
                "number": 3, "queueLength": 20, "canGoNext": true, "canGoPrevious": true, "canPlay": true, "canPause": true, \
                "canSeek": true, "problem": null}
                """
        )
    }
}

@Suite("JSON")
struct JSONTests {
    @Test(
        "is escaped",
        arguments: [
            (.string("a\"b\\c/\n\t\r\0\u{1F}\u{7F}é天😀"), #""a\"b\\c/\n\t\r\u0000\u001f\u007fé天😀""#),
            (.double(0.1), "0.1"), (.double(1), "1.0"), (.double(.infinity), "null"), (.double(.nan), "null"),
            (.array([]), "[]"), (.members([:]), "{}"), (.null, "null"),
            (
                .members(["b": .bool(false), "a": .array([.integer(-1), .string("")])]),
                #"{"b": false, "a": [-1, ""]}"#
            ),
        ] as [(JSON, String)]
    )
    func escaped(json: JSON, text: String) {
        #expect("\(json)" == text)
    }
}
