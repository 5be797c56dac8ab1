import Foundation
import Music
import Playback
import State
import TestSupport
import Testing

@Suite
struct DamagedJournalTests {
    /// Every state that a player has acknowledged, in order.
    private func acknowledge(
        _ player: inout KeptQueue,
        _ keeping: Keeping,
        _ count: Int,
        _ range: Int
    ) -> [PlayQueue] {
        _ = keeping.journal.restore()
        player.apply(.replace(locations(0..<range)))
        var states = [player.queue]
        for step in 0..<count {
            switch step % 4 {
            case 0: player.apply(.shuffle(step % 8 == 0 ? .tracks : nil))
            case 1: player.apply(.insert(locations(step..<(step + 3)), at: step))
            case 2: player.goForward()
            default: player.apply(.remove([player.queue[step % player.queue.count].id]))
            }
            states.append(player.queue)
        }
        return states
    }

    @Test("cut off anywhere, what comes back is a state that there was; what is added to it stays")
    func truncated() throws {
        let keeping = try Keeping()
        var player = KeptQueue(keeping)
        let states = acknowledge(&player, keeping, 12, 4)
        try keeping.begin()
        let bytes = try keeping.bytes()
        var last = -1
        var silent = 0
        for length in bytes.indices {
            try keeping.begin()
            let said = keeping.reports.count
            try keeping.write(bytes[..<length])
            guard let restored = keeping.journal.restore() else {
                #expect(last == -1)
                #expect(keeping.reports.count == said + 1)
                #expect(keeping.exists("state/tianlai/queue.damaged"))
                #expect(!keeping.exists("state/tianlai/queue"))
                continue
            }
            #expect(keeping.reports.count == said)
            silent += 1
            let state = try #require(states.firstIndex(of: restored.queue))
            #expect(state == last || state == last + 1)
            last = state
            var again = KeptQueue(keeping)
            again.queue = restored.queue
            again.apply(.insert(locations(70..<71), at: 0))
            #expect(try keeping.comeBack()?.queue == again.queue)
        }
        #expect(last == states.count - 2)
        #expect(silent > 100)
    }

    @Test("cut off anywhere, a long one too")
    func truncatedLong() throws {
        let keeping = try Keeping()
        var player = KeptQueue(keeping)
        let states = acknowledge(&player, keeping, 200, 2000)
        try keeping.begin()
        let bytes = try keeping.bytes()
        var random = RandomSource(seed: 3)
        for _ in 0..<60 {
            try keeping.begin()
            try keeping.write(bytes[..<Int.random(in: bytes.indices, using: &random)])
            guard let restored = keeping.journal.restore() else { continue }
            #expect(states.contains(restored.queue))
        }
    }

    @Test("what was promised room but never written is no damage")
    func zeros() throws {
        let keeping = try Keeping()
        var player = KeptQueue(keeping)
        _ = acknowledge(&player, keeping, 5, 4)
        try keeping.begin()
        try keeping.write(try keeping.bytes() + Array(repeating: 0, count: 5000))
        #expect(keeping.journal.restore()?.queue == player.queue)
        #expect(keeping.reports == [])
    }

    @Test("a bit that has changed is noticed, and never more than that happens")
    func flipped() throws {
        let keeping = try Keeping()
        var player = KeptQueue(keeping)
        let states = acknowledge(&player, keeping, 8, 4)
        player.play(at: 1)
        player.play(at: 2)
        try keeping.begin()
        let bytes = try keeping.bytes()
        var movedAside = 0
        for place in bytes.indices {
            try keeping.begin()
            let said = keeping.reports.count
            var damaged = bytes
            damaged[place] ^= 1 << UInt8(place % 8)
            try keeping.write(damaged)
            if let restored = keeping.journal.restore() {
                // The last change may never have been written; a place has a spare.
                #expect(states.suffix(2).contains(restored.queue))
                #expect([.zero, .seconds(1), .seconds(2)].contains(restored.place))
            } else {
                movedAside += 1
                #expect(keeping.reports.count == said + 1)
                let aside = try Data(contentsOf: URL(fileURLWithPath: keeping.queueFile + ".damaged"))
                #expect(Array(aside) == damaged)
            }
        }
        #expect(movedAside > bytes.count / 2)
    }

    @Test("what is no journal at all is moved aside and the next one is kept", arguments: 0..<5)
    func noJournal(kind: Int) throws {
        let keeping = try Keeping()
        try keeping.folder.makeFolder("state/tianlai")
        switch kind {
        case 0: try keeping.write([])
        case 1: try keeping.write("#EXTM3U\n/a.mp3\n".utf8)
        case 2: #expect(mkfifo(keeping.queueFile, 0o600) == 0)
        case 3:
            try FileManager.default.createSymbolicLink(
                atPath: keeping.queueFile,
                withDestinationPath: "/etc/passwd"
            )
        default: try keeping.folder.makeFolder("state/tianlai/queue")
        }
        #expect(keeping.journal.restore() == nil)
        #expect(keeping.reports.count == 1)
        var player = KeptQueue(keeping)
        player.apply(.replace(locations(0..<3)))
        #expect(try keeping.comeBack()?.queue == player.queue)
        #expect(keeping.reports.count == 1)
    }
}
