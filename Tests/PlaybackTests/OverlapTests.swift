import Audio
import AudioTestSupport
import EventLoop
import Music
import Playback
import Testing

/// When one track begins over the end of another.
@Suite
struct OverlapTests {
    private func track(
        _ path: String,
        length: Double? = 200,
        album: String? = nil,
        by artists: [String] = []
    ) throws -> Track {
        var tags = Tags()
        tags.album = album
        tags.albumArtists = artists
        let location = TrackLocation(try #require(FilePath(path)))
        return Track(location, tags: tags, length: length.map(TrackTime.seconds))
    }

    @Test(
        "it is as long as wished, and no longer than half of the shorter track",
        arguments: [
            (10, 200, 100, 190, 10), (10, 200, 20, 190, 10), (10, 200, 12, 194, 6), (10, 12, 200, 6, 6),
            (15, 3, 2, 2, 1),
        ] as [(Double, Double, Double, Double, Double)]
    )
    func length(crossfade: Double, first: Double, second: Double, start: Double, length: Double) throws {
        let overlap = Overlap(
            .seconds(crossfade),
            from: try track("/a/1", length: first),
            to: try track("/a/2", length: second)
        )
        #expect(overlap == Overlap(start: .seconds(start), length: .seconds(length)))
    }

    @Test("there is none where none is wished, and where a length is not known")
    func none() throws {
        let (first, unknown) = (try track("/a/1"), try track("/a/2", length: nil))
        #expect(Overlap(.zero, from: first, to: try track("/a/3")) == nil)
        #expect(Overlap(.seconds(5), from: first, to: unknown) == nil)
        #expect(Overlap(.seconds(5), from: unknown, to: first) == nil)
        #expect(Overlap(.seconds(5), from: first, to: try track("/a/3", length: 0)) == nil)
    }

    @Test("there is none within an album")
    func album() throws {
        let first = try track("/a/1", album: "Blue", by: ["Ann"])
        let none: [Track] = [
            first,
            try track("/a/2", album: "Blue", by: ["Ann"]),
            try track("/b/2", album: "Blue", by: ["Ann"]),
            try track("/a/2", album: "Blue", by: ["Ben"]),
            try track("/a/2", album: "Blue"),
        ]
        for next in none { #expect(Overlap(.seconds(5), from: first, to: next) == nil) }
        let some: [Track] = [
            try track("/a/2"),
            try track("/a/2", album: "Red", by: ["Ann"]),
            try track("/b/2", album: "Blue", by: ["Ben"]),
            try track("/b/2", album: "Blue"),
        ]
        for next in some { #expect(Overlap(.seconds(5), from: first, to: next) != nil) }
        // Nobody in particular has made an album with this name in each of two folders.
        let nobodys = try track("/a/1", album: "Hits")
        #expect(Overlap(.seconds(5), from: nobodys, to: try track("/b/1", album: "Hits")) != nil)
    }
}

/// The player with its real threads, made-up files of fourteen seconds, and a crossfade of one.
@Suite(.timeLimit(.minutes(5)))
struct PlayerCrossfadeTests {
    private let loop: EventLoop
    private let output = SimulatedOutput()
    private let player: Player

    private static func track(_ number: Int) -> TrackLocation {
        ScriptedDecoder.Script(number: number, frames: 14_000).location
    }

    init() throws {
        loop = try EventLoop()
        // The third is of an album with the second.
        let source = TrackSource.songs { location in
            var tags = Tags()
            if location != Self.track(1) { tags.album = "Blue" }
            return Track(location, tags: tags, length: .seconds(14))
        }
        player = try Player(
            on: loop,
            output,
            source,
            crossfade: .seconds(1),
            report: { Issue.record("\($0)") }
        )
        player.replaceQueue(with: [1, 2, 3].map { Self.track($0).path }, playing: false)
    }

    /// Begins to play when all is known of the tracks, which it is long before the end of a real one.
    private func begin() {
        #expect(
            loop.run(until: {
                player.status.listed.count == 3 && player.status.listed.allSatisfy { $0.track.length != nil }
            })
        )
        player.perform(.play)
    }

    /// Plays until the track is current, and gives how many frames have been heard by then.
    private func play(until number: Int) -> Int {
        #expect(
            loop.run(until: { player.status.current?.track.location == Self.track(number) }) {
                output.heldFrames == 1000 && output.playALittle()
            }
        )
        return output.heardFrames.count
    }

    @Test("a track is shown when it begins over the one before; those of an album follow one another")
    func plays() {
        begin()
        #expect((13_000..<13_100).contains(play(until: 2)))
        #expect(player.position < .seconds(0.1) && player.status.jumps == 0)
        #expect((27_000..<27_100).contains(play(until: 3)))
        player.end()
    }

    @Test("repeat-one that is set when the overlap is on its way plays the track to its end")
    func repeatOne() {
        begin()
        #expect(
            loop.run(until: { output.heardFrames.count > 12_500 }) {
                output.heldFrames == 1000 && output.playALittle()
            }
        )
        player.perform(.setLoop(.track))
        #expect(
            loop.run(until: { player.status.jumps == 1 }) {
                output.heldFrames == 1000 && output.playALittle()
            }
        )
        #expect(output.heard.first == SimulatedOutput.Run(1, 0..<14_000))
        #expect(output.missedFrames == 0)
        player.end()
    }
}
