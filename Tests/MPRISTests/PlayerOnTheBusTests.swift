import BusTestSupport
import DBus
import EventLoop
import Foundation
import MPRIS
import Music
import Playback
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct PlayerOnTheBusTests {
    @Test("each method becomes its command")
    func methods() throws {
        let desktop = try Desktop()
        let cases: [(String, [BusValue], [PlayerCommand])] = [
            ("Next", [], [.next]), ("Previous", [], [.previous]), ("Pause", [], [.pause]),
            ("PlayPause", [], [.playPause]), ("Stop", [], [.stop]), ("Play", [], [.play]),
            ("Seek", [.int64(.min)], [.seek(TrackTime(microseconds: .min))]),
            (
                "SetPosition", [.objectPath("/org/tianlai/track/9"), .int64(-1)],
                [.setPosition(TrackID(9), TrackTime(microseconds: -1))]
            ),
            ("SetPosition", [.objectPath("/org/mpris/MediaPlayer2/TrackList/NoTrack"), .int64(1)], []),
        ]
        for (member, arguments, commands) in cases {
            #expect(try desktop.call(member, arguments) == .success([]))
            #expect(desktop.player.takeCommands() == commands)
        }
        #expect(try desktop.call("OpenUri", [.string("file:///m/b.mp3")]) == .success([]))
        #expect(desktop.player.opened == ["file:///m/b.mp3"])
        let refusal = try desktop.call("OpenUri", [.string("gopher://x")]).failure
        #expect(
            refusal
                == CallError(name: "org.freedesktop.DBus.Error.Failed", message: "'gopher://x' is no file")
        )
        #expect(try desktop.call("Raise", on: InterfaceName.root) == .success([]))
        #expect(try desktop.call("Quit", on: InterfaceName.root) == .success([]))
        #expect(desktop.quits == 1)
    }

    @Test("PlayPause with no track is an error, Play and the others do nothing")
    func emptyQueue() throws {
        let desktop = try Desktop()
        desktop.player.status.current = nil
        #expect(try desktop.call("PlayPause").failure != nil)
        #expect(desktop.player.takeCommands() == [])
        for member in ["Play", "Pause", "Stop", "Next", "Previous"] {
            #expect(try desktop.call(member) == .success([]))
        }
    }

    @Test("each Set becomes its command, or is refused without effect")
    func setting() throws {
        let desktop = try Desktop()
        let invalid = "org.freedesktop.DBus.Error.InvalidArgs"
        let cases: [(String, BusValue, [PlayerCommand], String?)] = [
            ("Volume", .double(0.7), [.setVolume(0.7)], nil), ("Volume", .double(-1), [.setVolume(0)], nil),
            ("Volume", .double(1.5), [.setVolume(1)], nil),
            ("Volume", .double(.infinity), [.setVolume(1)], nil),
            ("Volume", .double(-.infinity), [.setVolume(0)], nil), ("Volume", .double(.nan), [], invalid),
            ("Volume", .int32(1), [], invalid), ("LoopStatus", .string("Track"), [.setLoop(.track)], nil),
            ("LoopStatus", .string("track"), [], invalid), ("LoopStatus", .string(""), [], invalid),
            ("Shuffle", .boolean(true), [.setShuffle(true)], nil), ("Shuffle", .string("true"), [], invalid),
            ("Rate", .double(0), [.pause], nil), ("Rate", .double(2), [], nil),
            ("Rate", .double(-1), [], nil),
            ("Rate", .double(.nan), [], invalid), ("Rate", .string("1"), [], invalid),
            ("Position", .int64(0), [], "org.freedesktop.DBus.Error.PropertyReadOnly"),
            ("Metadata", .variants([]), [], "org.freedesktop.DBus.Error.PropertyReadOnly"),
        ]
        for (name, value, commands, error) in cases {
            #expect(try desktop.set(name, value) == error, "\(name) \(value)")
            #expect(desktop.player.takeCommands() == commands, "\(name) \(value)")
        }
        let refusal = try desktop.set("Fullscreen", .boolean(true), on: InterfaceName.root)
        #expect(refusal == "org.freedesktop.DBus.Error.NotSupported")
    }

    @Test("GetAll shows the whole status, with the position of the moment")
    func reading() throws {
        let desktop = try Desktop()
        desktop.player.position = .seconds(3)
        desktop.player.status.playback = .paused
        desktop.player.status.problem = "no sound"
        #expect(
            try desktop.getAll(InterfaceName.player)
                == .variants([
                    ("PlaybackStatus", .string("Paused")), ("LoopStatus", .string("Playlist")),
                    ("Rate", .double(1)),
                    ("Shuffle", .boolean(false)),
                    ("Metadata", Metadata.value(of: desktop.player.status.current)),
                    ("Volume", .double(1)), ("Position", .int64(3_000_000)), ("MinimumRate", .double(1)),
                    ("MaximumRate", .double(1)), ("CanGoNext", .boolean(false)),
                    ("CanGoPrevious", .boolean(false)),
                    ("CanPlay", .boolean(true)), ("CanPause", .boolean(true)), ("CanSeek", .boolean(true)),
                    ("CanControl", .boolean(true)),
                ])
        )
        let root = try desktop.getAll(InterfaceName.root)
        #expect(root["Identity"]?.text == "Tianlai")
        #expect(root["DesktopEntry"]?.text == "tianlai")
        #expect(root["CanQuit"]?.boolean == true)
        for name in ["CanRaise", "Fullscreen", "CanSetFullscreen"] {
            #expect(root[name]?.boolean == false, "\(name)")
        }
        #expect(root["HasTrackList"]?.boolean == true)
        #expect(root["SupportedUriSchemes"]?.strings == ["file"])
        let types = try #require(root["SupportedMimeTypes"]?.strings)
        #expect(Set(types).count == types.count)
        #expect(Set(types).isSuperset(of: try desktopEntryTypes()))
        let control = try desktop.getAll(InterfaceName.control, at: ObjectPath.control)
        #expect(control["Problem"] == .string("no sound"))
        let error = try desktop.call("GetAll", [.string(InterfaceName.control)], on: properties).failure
        #expect(error?.name == "org.freedesktop.DBus.Error.UnknownInterface")
    }

    @Test("nothing is told at the start; a burst of changes in one turn is told once, with the last value")
    func bursts() throws {
        let desktop = try Desktop()
        try desktop.call("Seek", [.int64(0)])
        #expect(desktop.signals.isEmpty)
        for step in 1...50 { desktop.player.perform(.setVolume(Double(step) / 100)) }
        try desktop.loop.wait("the volume") { !desktop.signals.isEmpty }
        try desktop.call("Play")
        try desktop.loop.wait("the status") { desktop.signals.count >= 2 }
        #expect(
            desktop.signals.map(\.arguments) == [
                [.string(InterfaceName.player), .variants([("Volume", .double(0.5))]), .strings([])],
                [
                    .string(InterfaceName.player), .variants([("PlaybackStatus", .string("Playing"))]),
                    .strings([]),
                ],
            ]
        )
    }

    @Test("a jump is PropertiesChanged and then Seeked; a problem is told at our own path alone")
    func signals() throws {
        let desktop = try Desktop()
        desktop.player.position = .seconds(42)
        desktop.player.status.jumps += 1
        desktop.player.status.problem = "no sound"
        try desktop.loop.wait("three signals") { desktop.signals.count == 3 }
        #expect(desktop.signals.map(\.member) == ["PropertiesChanged", "Seeked", "PropertiesChanged"])
        #expect(desktop.signals.map(\.path) == [ObjectPath.player, ObjectPath.player, ObjectPath.control])
        #expect(desktop.signals[0].arguments[1] == .variants([("Position", .int64(42_000_000))]))
        #expect(desktop.signals[1].arguments == [.int64(42_000_000)])
        #expect(desktop.signals[2].arguments[1] == .variants([("Problem", .string("no sound"))]))
        desktop.player.status.problem = nil
        desktop.publisher.start()
        try desktop.call("Seek", [.int64(0)])
        #expect(desktop.signals.count == 3)
    }
}

/// What the desktop entry says that Tianlai opens.
private func desktopEntryTypes() throws -> [String] {
    let entry = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../desktop/tianlai.desktop")
    let lines = try String(contentsOf: entry, encoding: .utf8).split(separator: "\n")
    let line = try #require(lines.first { $0.hasPrefix("MimeType=") })
    return line.dropFirst("MimeType=".count).split(separator: ";").map(String.init)
}
