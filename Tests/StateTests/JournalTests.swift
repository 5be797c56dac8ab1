import Foundation
import Music
import Playback
import State
import TestSupport
import Testing

@Suite
struct JournalTests {
    @Test("queue, order, history, modes and place come back, also again and again (C263, C265)")
    func comesBack() throws {
        let keeping = try Keeping()
        #expect(keeping.journal.restore() == nil)
        var player = KeptQueue(keeping)
        player.apply(.replace(locations(0..<50)), .shuffle(.tracks))
        for _ in 0..<20 { player.goForward() }
        player.apply(.remove([player.queue[3].id]), .insert(locations(90..<95), at: 7))
        var modes = PlaybackModes()
        modes.loop = .track
        modes.volume = 0.123
        modes.shuffleKind = .albums
        modes.stopsAfterCurrent = true
        modes.isStopped = true
        modes.playlist = PlaylistID(77)
        modes.place = .seconds(70)
        keeping.journal.record(modes)
        for _ in 0..<3 {
            let restored = try #require(try keeping.comeBack())
            #expect(restored == RestoredPlayback(queue: player.queue, modes: modes, place: .seconds(70)))
        }
        var again = KeptQueue(keeping)
        again.queue = player.queue
        again.goForward()
        #expect(try keeping.comeBack()?.queue == again.queue)
        #expect(keeping.reports == [])
        let mode = try FileManager.default.attributesOfItem(atPath: keeping.folder.path("state/tianlai"))
        #expect(mode[.posixPermissions] as? Int == 0o700)
    }

    @Test("a long queue that came in pieces is kept in one, and goes on from there")
    func whole() throws {
        let keeping = try Keeping()
        var player = KeptQueue(keeping)
        player.apply(.replace(locations(0..<32)), .shuffle(.tracks))
        for part in 0..<4 { player.apply(.append(locations(32 + part * 1000..<1032 + part * 1000))) }
        player.play(at: 9)
        let inPieces = try keeping.bytes()
        keeping.journal.recordWhole(player.queue)
        let inOne = try keeping.bytes()
        #expect(inOne != inPieces)
        keeping.journal.recordWhole(player.queue)
        #expect(try keeping.bytes() == inOne, "there is nothing left to do")
        player.goForward()
        player.play(at: 3)
        let restored = try #require(try keeping.comeBack())
        #expect(restored.queue == player.queue)
        #expect(restored.place == .seconds(3))
    }

    @Test("modes are kept before there is a queue, and the queue that comes then is the right one")
    func modesFirst() throws {
        let keeping = try Keeping()
        var player = KeptQueue(keeping)
        player.play(at: 0, volume: 0.5)
        #expect(try keeping.comeBack()?.modes.volume == 0.5)
        player = KeptQueue(keeping)
        player.queue = PlayQueue(seed: 99)
        player.apply(.insert(locations(0..<9), at: 0), .shuffle(.tracks))
        player.goForward()
        let restored = try keeping.comeBack()
        #expect(restored?.modes.volume == 0.5)
        #expect(restored?.queue == player.queue)
    }

    /// What happens to the place, by letters: `p` the modes are kept with a place, `h` a place is heard, `n` the next
    /// track, `g` the same track from its start, `a` tracks are added, `s` the modes are kept for another reason.
    @Test(
        "the place is what was kept last of the current track, if that has not begun anew since",
        arguments: [
            ("", 0), ("p", 1), ("h", 1), ("ph", 2), ("hp", 2), ("hph", 3), ("hn", 0), ("pn", 0), ("nh", 1),
            ("np", 1),
            ("phn", 0), ("phg", 0), ("pg", 0), ("pgh", 1 + 1), ("pha", 2), ("pa", 1), ("ha", 1), ("hna", 0),
            ("hnnh", 2),
            ("hpa", 2), ("phnp", 3), ("phnph", 4),
        ]
    )
    func place(steps: String, expected: Int) throws {
        let keeping = try Keeping()
        _ = keeping.journal.restore()
        var player = KeptQueue(keeping)
        player.apply(.replace(locations(0..<5)))
        var seconds = 0.0
        for step in steps {
            switch step {
            case "p":
                seconds += 1
                player.play(at: seconds)
            case "h":
                seconds += 1
                player.hear(seconds)
            case "n": player.goForward()
            case "g": player.apply(.jump(to: try #require(player.queue.currentID)))
            default: player.apply(.insert(locations(5..<6), at: 9))
            }
        }
        for _ in 0..<2 { #expect(try keeping.comeBack()?.place == .seconds(Double(expected))) }
        // A queue that is written anew says the same.
        player = KeptQueue(keeping)
        player.queue = try #require(try keeping.comeBack()).queue
        player.apply(.insert(locations(0..<9000), at: 0))
        player.apply(.insert(locations(0..<1), at: 0))
        #expect(try keeping.comeBack()?.place == .seconds(Double(expected)))
    }

    @Test("a place that a former queue has left is not taken for one of the new queue")
    func stalePlace() throws {
        let keeping = try Keeping()
        _ = keeping.journal.restore()
        var player = KeptQueue(keeping)
        player.apply(.replace(locations(0..<2)))
        for _ in 0..<50 { player.hear(30) }
        try keeping.begin()
        try FileManager.default.removeItem(atPath: keeping.queueFile)
        #expect(keeping.journal.restore() == nil)
        player = KeptQueue(keeping)
        player.apply(.replace(locations(0..<2)))
        #expect(try keeping.comeBack()?.place == .zero)
    }

    @Test("a position file that is none, is damaged or cannot be had costs the position alone")
    func positionFile() throws {
        for damage in 0..<4 {
            let keeping = try Keeping()
            _ = keeping.journal.restore()
            var player = KeptQueue(keeping)
            player.apply(.replace(locations(0..<2)))
            player.play(at: 5)
            player.hear(7)
            try keeping.begin()
            switch damage {
            case 0: try keeping.write([], to: keeping.positionFile)
            case 1: try keeping.write(Array(repeating: 7, count: 999), to: keeping.positionFile)
            case 2:
                try FileManager.default.removeItem(atPath: keeping.positionFile)
                try FileManager.default.createSymbolicLink(
                    atPath: keeping.positionFile,
                    withDestinationPath: keeping.queueFile
                )
            default:
                try FileManager.default.removeItem(atPath: keeping.positionFile)
                #expect(mkfifo(keeping.positionFile, 0o600) == 0)
            }
            #expect(keeping.journal.restore()?.place == .seconds(5))
            player = KeptQueue(keeping)
            player.queue = try #require(try keeping.comeBack()).queue
            player.hear(9)
            #expect(try keeping.comeBack()?.place == .seconds(9))
        }
    }

    @Test("the file does not grow without end, whatever is done", arguments: [0, 1])
    func bounded(kind: Int) throws {
        let keeping = try Keeping()
        _ = keeping.journal.restore()
        var player = KeptQueue(keeping)
        player.apply(.replace(locations(0..<3)))
        let size = try keeping.bytes().count
        for step in 0..<20_000 {
            if kind == 0 { player.goForward() } else { player.play(at: Double(step)) }
        }
        #expect(try keeping.bytes().count < (kind == 0 ? size + 300_000 : size + 1))
        #expect(try keeping.comeBack()?.queue == player.queue)
    }

    @Test("two at once: the second keeps and restores nothing, and says so")
    func two() throws {
        let keeping = try Keeping()
        _ = keeping.journal.restore()
        var player = KeptQueue(keeping)
        player.apply(.replace(locations(0..<3)))
        var said: [String] = []
        let state = try keeping.place("state/tianlai")
        let second = Journal(stateFolder: state, runtimeFolder: try keeping.place("run/tianlai")) {
            said.append($0)
        }
        #expect(second.restore() == nil)
        var other = PlayQueue(seed: 1)
        other.apply(.replace(locations(5..<9)))
        second.record([.replace(locations(5..<9))], leadingTo: other)
        second.record(PlaybackModes())
        second.record(.seconds(4), of: other[0].id)
        second.flush()
        #expect(said.count == 1)
        player.goForward()
        #expect(
            try keeping.comeBack()
                == RestoredPlayback(queue: player.queue, modes: PlaybackModes(), place: .zero)
        )
    }
}
