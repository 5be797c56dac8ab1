import Foundation
import TestSupport
import Testing

/// A CUE sheet over one MP3: its tracks are songs like others, and nothing is heard where one becomes the next.
@Suite("cue sheets", .waiting, .timeLimit(.minutes(5)))
struct CueTests {
    private let fixtures: Fixtures
    private let sheet: String
    /// Where tracks begin, in seconds, to the 75th: 8 s, and 15 s and 30 frames.
    private let starts = [0, 8, 15.4, 20]

    init() throws {
        fixtures = try Fixtures()
        sheet = try fixtures.folder.write(
            "album.cue",
            """
            PERFORMER "Ann"
            TITLE "All in One"
            FILE "album.mp3" MP3
              TRACK 01 AUDIO
                TITLE "First"
                INDEX 01 00:00:00
              TRACK 02 AUDIO
                TITLE "第二"
                PERFORMER "Bob"
                INDEX 01 00:08:00
              TRACK 03 AUDIO
                TITLE "Third"
                INDEX 01 00:15:30

            """.utf8
        )
    }

    private func expectTrack(_ index: Int, _ service: RunningService, _ status: String) throws {
        let titles = ["First", "第二", "Third"]
        try service.wait(for: titles[index]) {
            try service.get("Metadata")?["xesam:title"]?.text == titles[index]
        }
        let metadata = try service.get("Metadata")
        let length = try #require(metadata?["mpris:length"]?.integer)
        #expect(abs(Double(length) / 1e6 - (starts[index + 1] - starts[index])) < 0.002, "\(length)")
        #expect(metadata?["xesam:artist"] == .list([.text(index == 1 ? "Bob" : "Ann")]))
        #expect(metadata?["xesam:album"] == .text("All in One"))
        #expect(metadata?["xesam:trackNumber"] == .integer(Int64(index + 1)))
        #expect(metadata?["xesam:url"]?.text == "file://\(fixtures.folder.path("album.mp3"))")
        #expect(try service.get("PlaybackStatus") == .text(status))
    }

    @Test("each track has its title, its length and its own time, and seeking keeps to it")
    func tracks() throws {
        try fixtures.makeTone(MeasuringTone(band: 0, seconds: 20), as: "album.mp3", rate: 16_000)
        let service = try RunningService([])
        try service.run("play", sheet)
        try expectTrack(0, service, "Playing")
        #expect(try service.queue().map(\.title) == ["First", "第二", "Third"])
        try service.playerctl("pause")
        for index in 1...2 {
            try service.playerctl("next")
            try expectTrack(index, service, "Paused")
            #expect(try service.get("Position") == .integer(0))
        }
        try service.playerctl("previous")
        try expectTrack(1, service, "Paused")
        // Back stays in the track, on beyond its end is the next.
        try service.playerctl("position", "3")
        try service.playerctl("position", "5-")
        try expectTrack(1, service, "Paused")
        #expect(try service.get("Position") == .integer(0))
        try service.playerctl("position", "7+")
        try service.playerctl("position", "0.5+")
        try expectTrack(2, service, "Paused")
        #expect(try service.get("Position") == .integer(0))
    }

    @Test("the second that the sheet names is the second that is heard")
    func heard() throws {
        let tone = MeasuringTone(band: 0, seconds: 20)
        try fixtures.makeTone(tone, as: "album.mp3")
        let server = try NullSoundServer()
        let ear = try Ear(on: server)
        let service = try RunningService(["--play", sheet], sound: server)
        for (index, offset) in [(1, 0.0), (2, 0.0), (2, 2.0), (1, 5.0)] {
            try service.run("queue", "goto", "\(index + 1)")
            try expectTrack(index, service, "Playing")
            if offset > 0 { try service.playerctl("position", "\(offset)") }
            _ = try ear.waitToHear(tone, at: starts[index] + offset + 0.2)
            let comparison = try service.compare(with: ear, hearing: tone)
            #expect(abs(comparison.told + starts[index] - comparison.heard) < 0.2, "\(comparison)")
        }
    }

    @Test("a tone across the joint of two tracks is one tone")
    func gapless() throws {
        let frequency = 3000.0
        try fixtures.makeSine(frequency, seconds: 20, as: "album.mp3")
        let server = try NullSoundServer()
        let ear = try Ear(on: server)
        let service = try RunningService([sheet], sound: server)
        try service.playerctl("position", "7")
        try service.playerctl("play")
        try expectTrack(1, service, "Playing")
        let joint = ear.frames
        let margin = 44_100 / 2
        let recording = ear.wait(within: .seconds(60)) { $0.frames > joint + margin ? $0 : nil }
        let samples = try #require(recording).channel(0, (joint - margin)..<(joint + margin))
        // Each sample of a tone follows from the two before it.
        let turn = 2 * cos(2 * Double.pi * frequency / 44_100)
        let breaks = samples.indices.dropFirst(2).filter { index in
            let foretold = turn * Double(samples[index - 1]) - Double(samples[index - 2])
            return abs(Double(samples[index]) - foretold) > 0.02
        }
        #expect(loudness(samples) > 0.3)
        #expect(breaks.isEmpty, "\(breaks.count) from \(breaks.first ?? 0) to \(breaks.last ?? 0)")
    }
}
