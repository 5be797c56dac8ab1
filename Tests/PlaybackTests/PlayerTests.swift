import Audio
import AudioTestSupport
import EventLoop
import Music
import Playback
import Testing

/// The player with its real threads, made-up files, and an output whose clock the test moves.
@Suite(.timeLimit(.minutes(5)))
struct PlayerTests {
    private let loop: EventLoop
    private let output = SimulatedOutput()
    private let player: Player

    /// A hundred seconds of made-up sound at a thousand frames a second.
    private static func track(_ number: Int, frames: Int64 = 100_000) -> TrackLocation {
        ScriptedDecoder.Script(number: number, frames: frames).location
    }

    /// Knows of each file what its decoder does; folders hold three tracks.
    private static let source = TrackSource(
        read: { location in
            guard let decoder = try? ScriptedDecoder.decoder(at: location), let frames = try? decoder.length()
            else {
                return .failure(ReadError("there is no such file"))
            }
            return .success(Track(location, length: TrackTime(frames: frames, rate: decoder.format.rate)))
        },
        glance: { Track($0) },
        find: { path, problem, found in
            if path.name.elementsEqual("folder".utf8) {
                for number in 7...9 where !found(Self.track(number)) { return }
            } else if path.name.elementsEqual("nowhere".utf8) {
                problem("\(path): there is no such file")
            } else {
                _ = found(TrackLocation(path))
            }
        }
    )

    private final class Reports { var lines: [String] = [] }
    private let told = Reports()

    init() throws {
        loop = try EventLoop()
        let told = told
        player = try Player(on: loop, output, Self.source, report: { told.lines.append($0) })
    }

    private func start(_ tracks: [TrackLocation]) -> Bool {
        player.replaceQueue(with: tracks.map(\.path), playing: false)
        return loop.run(until: { player.isSettled })
    }

    private var current: String {
        player.status.current.map { $0.track.location.path.name.prefix { $0 != UInt8(ascii: "_") } }
            .map { String(decoding: $0, as: UTF8.self) } ?? "none"
    }

    /// Plays on until `condition` holds.
    private func play(until condition: () -> Bool) -> Bool {
        loop.run(until: condition, step: output.playALittle)
    }

    @Test("it starts paused at the first track, knowing all about it, and nothing sounds")
    func beginning() {
        #expect(start([Self.track(1), Self.track(2)]))
        #expect(player.status.playback == .paused)
        #expect(player.status.current?.track.length == .seconds(100))
        #expect(player.status.canPlay && player.status.canSeek && player.status.canGoNext)
        #expect(player.position == .zero)
        #expect(!output.isOpen)
        player.end()
    }

    @Test(
        "single songs in random order are made equally loud, anything else album by album",
        arguments: [(nil, .album), (.albums, .album), (.tracks, .track)] as [(ShuffleKind?, GainKind)]
    )
    func gain(shuffle: ShuffleKind?, gain: GainKind) throws {
        // The number of the track is heard doubled where it is made as loud as other tracks.
        let open: OpenDecoder = { (track) throws(DecoderError) in
            GainDecoder.scaling(
                try ScriptedDecoder.decoder(at: track.location),
                by: track.gain == .track ? 2 : 1
            )
        }
        let player = try Player(
            loop: loop,
            output: output,
            open: open,
            source: Self.source,
            seed: 1,
            now: { [output] in output.now },
            report: { _ in }
        )
        player.perform(.setLoop(.playlist))
        if let shuffle {
            player.perform(.setShuffle(true))
            player.perform(.setShuffleKind(shuffle))
        }
        player.replaceQueue(with: [Self.track(3, frames: 500).path], playing: true)
        // Also what follows, which is the same song again.
        #expect(play(until: { output.heard.reduce(0) { $0 + $1.frames.count } >= 700 }))
        #expect(Set(output.heard.map(\.track)) == [gain == .track ? 6 : 3])
        player.end()
    }

    @Test("without music it obeys everything and shows nothing")
    func nothing() {
        #expect(start([]))
        for command in [PlayerCommand.play, .next, .previous, .stop, .playPause, .seek(.seconds(1))] {
            player.perform(command)
        }
        #expect(player.status.current == nil && player.status.playback == .stopped && !player.status.canPlay)
        player.end()
    }

    @Test("the sleep timer is shown, can be taken back, and pauses in the end; the volume stays what it is")
    func sleepTimer() {
        #expect(start([Self.track(1), Self.track(2)]))
        player.perform(.play)
        player.perform(.sleep(after: .seconds(1e12)))
        #expect(player.status.sleepsAt == output.now.advanced(by: .seconds(86_400)))
        for off in [nil, TrackTime.zero, .seconds(-1)] {
            player.perform(.sleep(after: .seconds(60)))
            #expect(player.status.sleepsAt == output.now.advanced(by: .seconds(60)))
            player.perform(.sleep(after: off))
            #expect(player.status.sleepsAt == nil)
        }
        #expect(play(until: { player.position > .seconds(0.5) }))
        player.perform(.sleep(after: .seconds(0.05)))
        #expect(loop.run(until: { player.status.playback == .paused }))
        #expect(player.status.sleepsAt == nil && player.status.volume == 1 && player.status.jumps == 0)
        #expect(!output.isOpen)
        let place = player.position
        #expect(place > .seconds(0.5))
        player.perform(.play)
        let mark = output.heardFrames.count
        #expect(play(until: { output.heardFrames.count > mark }))
        #expect(output.heardFrames[mark].left == 1)
        #expect(abs(Int64(output.heardFrames[mark].right) - place.microseconds / 1000) <= 1)
        player.end()
    }

    @Test("commands are shown in the same turn, and the sound follows")
    func commands() {
        #expect(start([Self.track(1), Self.track(2), Self.track(3)]))
        player.perform(.play)
        #expect(player.status.playback == .playing)
        #expect(play(until: { player.position > .seconds(0.5) }))
        player.perform(.seek(.seconds(20)))
        let sought = player.position
        #expect(sought > .seconds(20.5) && sought < .seconds(21.5))
        #expect(player.status.jumps == 1)
        player.perform(.next)
        #expect(loop.run(until: { current == "2" }))
        #expect(player.position == .zero && player.status.playback == .playing)
        player.perform(.pause)
        player.perform(.seek(.seconds(5)))
        #expect(player.position == .seconds(5) && player.status.playback == .paused)
        player.perform(.play)
        #expect(play(until: { output.heard.last?.track == 2 }))
        #expect(output.heard.last?.frames.lowerBound == 5000)
        player.perform(.stop)
        #expect(player.status.playback == .stopped && player.position == .zero && !output.isOpen)
        player.end()
    }

    @Test("the next track is shown when it is heard, and not before")
    func advance() {
        #expect(start([Self.track(1, frames: 3000), Self.track(2)]))
        player.perform(.play)
        #expect(play(until: { player.position > .seconds(2.5) }))
        #expect(output.heldFrames > 500, "the next track is buffered already")
        #expect(current == "1")
        #expect(play(until: { current == "2" }))
        #expect(player.position < .seconds(0.2))
        #expect(player.status.playback == .playing && player.status.jumps == 0)
        player.end()
    }

    @Test("repeat-one that is set while the next track is buffered repeats all the same")
    func lateModeChange() {
        #expect(start([Self.track(1, frames: 3000), Self.track(2)]))
        player.perform(.play)
        #expect(play(until: { player.position > .seconds(2.5) }))
        player.perform(.setLoop(.track))
        #expect(play(until: { player.status.jumps == 1 }))
        #expect(current == "1" && player.position < .seconds(0.5))
        #expect(output.heard.first == SimulatedOutput.Run(1, 0..<3000), "nothing else, and no gap")
        #expect(!output.heard.contains { $0.track == 2 })
        player.end()
    }

    @Test("files that do not play are reported once each and passed over")
    func bad() {
        let missing = ["/x", "/y"].compactMap { FilePath($0).map { TrackLocation($0) } }
        #expect(start([missing[0], Self.track(1, frames: 500), missing[1], Self.track(2)]))
        player.perform(.play)
        #expect(play(until: { output.heard.last?.track == 2 }))
        #expect(loop.run(until: { current == "2" }))
        #expect(
            told.lines.sorted() == missing.map { "\($0): there is no such file; skipped" }
                || told.lines.count == 2
        )
        player.end()
    }

    @Test("when nothing plays it is stopped after one round, and still answers")
    func allBad() {
        player.replaceQueue(with: ["/x", "/y", "/z"].compactMap { FilePath($0) }, playing: true)
        #expect(loop.run(until: { player.status.playback == .stopped && told.lines.count == 3 }))
        #expect(player.status.problem?.contains("there is no such file") == true)
        player.perform(.next)
        player.perform(.play)
        #expect(loop.run(until: { player.status.playback == .stopped }))
        player.end()
    }

    @Test("two hundred quick skips end where they should, and that is heard")
    func quickSkips() {
        #expect(start((1...7).map { Self.track($0) }))
        player.perform(.play)
        for _ in 0..<200 { player.perform(.next) }
        let expected = "\(200 % 7 + 1)"
        #expect(loop.run(until: { current == expected }))
        #expect(play(until: { output.heard.last.map { "\($0.track)" } == expected }))
        for _ in 0..<201 { player.perform(.playPause) }
        #expect(player.status.playback == .paused)
        player.end()
    }

    @Test("the sound server goes: paused where it was, with the reason; play goes on from there")
    func lostOutput() {
        #expect(start([Self.track(1)]))
        player.perform(.play)
        #expect(play(until: { player.position > .seconds(1) }))
        output.fail()
        #expect(player.status.playback == .paused)
        #expect(player.status.problem == "simulated loss")
        let place = player.position
        #expect(place > .seconds(1))
        player.perform(.play)
        #expect(player.status.problem == nil)
        let heard = output.heard.last?.frames.upperBound
        #expect(play(until: { output.heard.last?.frames.upperBound != heard }))
        #expect(output.heard.count == 1, "nothing was left out and nothing heard twice")
        player.end()
    }

    @Test("the sound server is back in a moment: it goes on from there, and without the reason")
    func outputReturned() {
        #expect(start([Self.track(1)]))
        player.perform(.play)
        #expect(play(until: { player.position > .seconds(1) }))
        output.fail(mayReturn: true)
        #expect(player.status.playback == .paused && player.status.problem != nil)
        let heard = output.heard.last?.frames.upperBound
        output.comeBack()
        #expect(player.status.playback == .playing && player.status.problem == nil)
        #expect(play(until: { output.heard.last?.frames.upperBound != heard }))
        #expect(output.heard.count == 1, "nothing was left out and nothing heard twice")
        output.fail(mayReturn: true)
        player.perform(.pause)
        output.comeBack()
        #expect(player.status.playback == .paused && !output.isOpen)
        player.end()
    }

    @Test("what is opened plays behind the current track; what is played replaces the queue")
    func opening() throws {
        #expect(start([Self.track(1), Self.track(2)]))
        try player.open("file:///folder")
        #expect(loop.run(until: { current == "7" }))
        #expect(player.status.playback == .playing)
        player.perform(.previous)
        #expect(loop.run(until: { current == "1" }))
        try player.play([Self.track(5).description, "/folder"])
        #expect(loop.run(until: { current == "5" }))
        player.perform(.previous)
        #expect(loop.run(until: { current == "9" }))
        try player.open("/nowhere")
        #expect(loop.run(until: { told.lines == ["/nowhere: there is no such file"] }))
        #expect(current == "9")
        player.end()
    }

    @Test(
        "what cannot be a file of ours is refused at once",
        arguments: ["", "song.mp3", "http://example.org/x.mp3", "file://elsewhere/x", "file:///a%00b"]
    )
    func refused(location: String) {
        #expect(throws: OpenError.self) { try player.open(location) }
        player.end()
    }

    @Test("the volume is kept exactly as set, clamped, and follows others")
    func volume() {
        player.perform(.setVolume(0.123_456_789))
        #expect(player.status.volume == 0.123_456_789)
        #expect(output.volume == 0.123_456_789)
        for (set, kept) in [(-1.0, 0.0), (1.7, 1.0), (.infinity, 1.0)] {
            player.perform(.setVolume(set))
            #expect(player.status.volume == kept)
        }
        output.source?.outputVolumeChanged(0.25)
        #expect(player.status.volume == 0.25)
        player.end()
    }
}
