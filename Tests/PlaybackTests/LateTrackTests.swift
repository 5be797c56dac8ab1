import Audio
import AudioTestSupport
import EventLoop
import Music
import Playback
import Synchronization
import Testing

/// Tracks whose tags and covers are known only after they have begun.
@Suite(.timeLimit(.minutes(5)))
struct LateTrackTests {
    private let loop: EventLoop
    private let output = SimulatedOutput()
    private let player: Player
    /// Who reads the second track waits here.
    private let gate = Gate()
    private static let tracks = (1...3).map { ScriptedDecoder.Script(number: $0, frames: 100_000).location }

    init() throws {
        loop = try EventLoop()
        let gate = gate
        player = try Player(
            on: loop,
            output,
            TrackSource.songs { location in
                if location == Self.tracks[1] { gate.pass() }
                return Self.whole(location)
            }
        )
    }

    /// All that there is to be known of a track.
    private static func whole(_ location: TrackLocation) -> Track {
        var tags = Tags()
        tags.title = "Title"
        return Track(location, tags: tags, length: .seconds(100), cover: FilePath("/cover.jpg"))
    }

    /// What is known of it before its cover is.
    private static func text(_ location: TrackLocation) -> Track {
        var track = whole(location)
        track.cover = nil
        return track
    }

    /// Waits until the status is as it should be, and returns which tracks were shown, in order.
    private func shown(
        by player: Player? = nil,
        until condition: (PlayerStatus) -> Bool
    ) -> [Track] {
        let player = player ?? self.player
        var shown: [Track] = []
        let isReached = loop.run(until: {
            if let track = player.status.current?.track, track != shown.last { shown.append(track) }
            return condition(player.status)
        })
        #expect(isReached)
        return shown
    }

    @Test("what was shown stays for a moment, then what is known is shown, then all of it at once")
    func late() {
        gate.close()
        player.replaceQueue(with: Self.tracks.map(\.path), playing: true)
        #expect(loop.run(until: { player.isSettled && gate.held == 1 }))
        player.perform(.next)
        #expect(player.status.current?.track == Self.whole(Self.tracks[0]))
        let jumps = player.status.jumps
        let bare = Track(Self.tracks[1])
        #expect(shown { $0.current?.track == bare } == [Self.whole(Self.tracks[0]), bare])
        #expect(!player.status.canSeek)
        #expect(loop.run(until: { player.position > .seconds(2) }, step: output.playALittle))
        let place = player.position
        gate.open()
        #expect(shown { $0.current?.track.cover != nil } == [bare, Self.whole(Self.tracks[1])])
        // The music has gone on meanwhile, and nothing of that was a jump.
        #expect(player.position >= place && player.status.jumps == jumps && player.status.canSeek)
        player.end()
    }

    @Test("text does not wait for the cover, and is told when it comes", arguments: [true, false])
    func text(isKnownInTime: Bool) throws {
        let (early, gate) = (Gate(), gate)
        let player = try Player(
            on: loop,
            output,
            TrackSource.songs { location, tellText in
                if location == Self.tracks[1] {
                    early.pass()
                    tellText(Self.text(location))
                    gate.pass()
                }
                return Self.whole(location)
            }
        )
        gate.close()
        if !isKnownInTime { early.close() }
        player.replaceQueue(with: Self.tracks.map(\.path), playing: true)
        #expect(loop.run(until: { player.isSettled && early.held + gate.held == 1 }))
        player.perform(.next)
        var expected = [Self.whole(Self.tracks[0])]
        if !isKnownInTime {
            expected.append(Track(Self.tracks[1]))
            #expect(shown(by: player) { $0.current?.track == expected.last } == expected)
            expected.removeFirst()
            early.open()
        }
        expected.append(Self.text(Self.tracks[1]))
        #expect(shown(by: player) { $0.current?.track == expected.last } == expected)
        gate.open()
        let whole = Self.whole(Self.tracks[1])
        #expect(shown(by: player) { $0.current?.track == whole } == [Self.text(Self.tracks[1]), whole])
        #expect(player.status.listed[1].track == whole)
        player.end()
    }

    @Test("in time, it is shown once and whole")
    func early() {
        gate.close()
        player.replaceQueue(with: Self.tracks.map(\.path), playing: true)
        #expect(loop.run(until: { player.isSettled && gate.held == 1 }))
        player.perform(.next)
        gate.open()
        let tracks = Self.tracks.prefix(2).map(Self.whole)
        #expect(shown { $0.current?.track.location == Self.tracks[1] } == tracks)
        player.end()
    }

    @Test("what was near and is again is read again: its cover may have been removed meanwhile")
    func nearAgain() throws {
        let log = ReadLog()
        let player = try Player(
            on: loop,
            output,
            TrackSource.songs { location in
                log.note(location)
                return Self.whole(location)
            }
        )
        let tracks = (1...9).map { ScriptedDecoder.Script(number: $0, frames: 100_000).location }
        player.replaceQueue(with: tracks.map(\.path), playing: false)
        func show(_ index: Int, by command: PlayerCommand) -> Bool {
            player.perform(command)
            return loop.run(until: { player.status.current?.track == Self.whole(tracks[index]) })
        }
        #expect(loop.run(until: { player.isSettled && log.count(of: tracks[1]) > 0 }))
        for index in 1...5 { #expect(show(index, by: .next)) }
        // One after the other: all reads before that of the current track are done.
        let before = log.count(of: tracks[2])
        for index in (0...4).reversed() { #expect(show(index, by: .previous)) }
        #expect(log.count(of: tracks[2]) > before)
        player.end()
    }

    @Test("who reads tracks rests when nothing is wanted any more, and reads on when something is")
    func rest() throws {
        final class Rests { var afterReads: [Int] = [] }
        let rests = Rests()
        let told = try loop.mailbox { (reads: Int) in rests.afterReads.append(reads) }
        let reads = Atomic(0)
        let player = try Player(
            on: loop,
            output,
            TrackSource(
                read: { location in
                    reads.add(1, ordering: .relaxed)
                    return .success(Self.whole(location))
                },
                glance: { Track($0) },
                find: { path, _, found in _ = found(TrackLocation(path)) },
                rest: { told.post(reads.load(ordering: .relaxed)) }
            )
        )
        player.replaceQueue(with: Self.tracks.prefix(2).map(\.path), playing: false)
        func hasRested(after count: Int) -> Bool {
            let all = reads.load(ordering: .relaxed)
            return all >= count && rests.afterReads.last == all
        }
        #expect(loop.run(until: { hasRested(after: 2) }))
        let before = reads.load(ordering: .relaxed)
        player.replaceQueue(with: [Self.tracks[2].path], playing: false)
        #expect(loop.run(until: { hasRested(after: before + 1) }))
        player.end()
    }
}

/// Which tracks were read, how often.
private final class ReadLog: Sendable {
    private let counts = Mutex<[TrackLocation: Int]>([:])

    func note(_ location: TrackLocation) { counts.withLock { $0[location, default: 0] += 1 } }

    func count(of location: TrackLocation) -> Int { counts.withLock { $0[location, default: 0] } }
}
