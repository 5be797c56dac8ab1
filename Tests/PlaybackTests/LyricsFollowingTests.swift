import Audio
import AudioTestSupport
import EventLoop
import Music
import Playback
import Testing

/// The line that is shown is the line that is heard, in made-up songs on an output whose clock the test moves.
@Suite("following the lyrics", .timeLimit(.minutes(5)))
struct LyricsFollowingTests {
    private let loop: EventLoop
    private let output = SimulatedOutput()
    private let player: Player

    private static let lyrics = Lyrics.timed(
        [(0.5, "a"), (1.5, "b"), (3, ""), (50, "z")].map { Lyrics.Line(.seconds($0.0), $0.1) }
    )

    /// A hundred seconds; only those with odd numbers have words.
    private static func track(_ number: Int) -> TrackLocation {
        ScriptedDecoder.Script(number: number, frames: 100_000).location
    }

    private static func isOdd(_ location: TrackLocation) -> Bool {
        [1, 3, 5].contains { track($0) == location }
    }

    init() throws {
        loop = try EventLoop()
        let source = TrackSource.songs { location in
            Track(location, length: .seconds(100), lyrics: Self.isOdd(location) ? Self.lyrics : nil)
        }
        player = try Player(on: loop, output, source)
    }

    private func start(_ numbers: [Int], playing: Bool = true) -> Bool {
        player.replaceQueue(with: numbers.map { Self.track($0).path }, playing: playing)
        return loop.run(until: { player.status.queueCount == numbers.count && player.isSettled })
    }

    private func play(until condition: () -> Bool) -> Bool {
        loop.run(until: condition, step: output.playALittle)
    }

    @Test("line after line as they are heard, right at once after a seek, and none when the song is another")
    func following() {
        #expect(start([1, 2]))
        #expect(player.status.lyricsLine == nil)
        for (line, second) in [(0, 0.5), (1, 1.5), (2, 3)] {
            #expect(play(until: { player.status.lyricsLine == line }))
            // Sound is counted in tenths of a second there.
            #expect(
                (second..<second + 0.25).contains(Double(player.position.microseconds) / 1e6),
                "\(player.position)"
            )
        }
        for (place, line) in [(60, 3), (1.6, 1), (0.1, nil), (2, 1)] as [(Double, Int?)] {
            let offset = TrackTime.seconds(place) - player.position
            player.perform(.seek(offset))
            #expect(player.status.lyricsLine == line, "\(place)")
        }
        player.perform(.next)
        #expect(player.status.current?.track.lyrics == nil && player.status.lyricsLine == nil)
        player.perform(.previous)
        #expect(player.status.current?.track.lyrics == Self.lyrics && player.status.lyricsLine == nil)
        #expect(play(until: { player.status.lyricsLine == 0 }))
        player.end()
    }

    @Test("while it is paused the line stays, and a seek still finds its own")
    func pause() {
        #expect(start([1], playing: false))
        player.perform(.seek(.seconds(1.6)))
        #expect(player.status.lyricsLine == 1)
        player.perform(.play)
        #expect(play(until: { player.position > .seconds(2) }))
        player.perform(.pause)
        #expect(player.status.lyricsLine == 1)
        output.play(frames: 5000)
        #expect(player.status.lyricsLine == 1)
        player.perform(.stop)
        #expect(player.status.lyricsLine == nil)
        player.end()
    }

    @Test("only what may be next keeps its words, and lists have none")
    func memory() {
        #expect(start([1, 2, 3, 4, 5], playing: false))
        func wordsOfCurrent() -> Bool { player.status.current?.track.lyrics != nil }
        #expect(wordsOfCurrent())
        player.perform(.next)
        player.perform(.next)
        #expect(loop.run(until: { player.isSettled && wordsOfCurrent() }))
        player.perform(.next)
        player.perform(.next)
        #expect(loop.run(until: { player.isSettled && wordsOfCurrent() }))
        #expect(player.status.listed.count == 5)
        #expect(player.status.listed.allSatisfy { $0.track.lyrics == nil })
        // Round the end of the list, and back to one whose words have been forgotten.
        player.perform(.next)
        #expect(loop.run(until: { player.isSettled && wordsOfCurrent() }))
        player.end()
    }
}
