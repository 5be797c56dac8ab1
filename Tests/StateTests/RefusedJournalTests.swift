import Foundation
import Music
import Playback
import State
import TestSupport
import Testing

@Suite
struct RefusedJournalTests {
    /// Whether this process may mount a small disk; without it there is none that could be full.
    static let canMount =
        geteuid() == 0
        && { () -> Bool in
            guard let folder = try? TemporaryFolder(), mountSmallDisk(folder.path, "size=64k") else {
                return false
            }
            return umount2(folder.path, Int32(MNT_DETACH)) == 0
        }()

    private static func mountSmallDisk(_ path: String, _ options: String, flags: UInt = 0) -> Bool {
        mount("tmpfs", path, "tmpfs", flags, options) == 0
    }

    @Test(
        "on a full disk it says so once, keeps on, and loses nothing when there is room again",
        .enabled(if: canMount, "needs root to mount a small disk")
    )
    func full() throws {
        let keeping = try Keeping()
        let state = try keeping.folder.makeFolder("state/tianlai")
        #expect(Self.mountSmallDisk(state, "size=64k,mode=700"))
        defer { umount2(state, Int32(MNT_DETACH)) }
        _ = keeping.journal.restore()
        var player = KeptQueue(keeping)
        player.apply(.replace(locations(0..<200)))
        let kept = player.queue
        // A record that only half finds room for.
        try keeping.write(Array(repeating: 1, count: 40_000), to: state + "/other")
        for _ in 0..<5 {
            player.apply(.insert(locations(0..<900), at: 3))
            player.goForward()
        }
        #expect(keeping.reports.count == 1)
        #expect(keeping.reports.first?.contains("No space left") == true)
        var copy = try Keeping()
        try copy.folder.makeFolder("state/tianlai")
        try copy.write(try keeping.bytes())
        #expect(copy.journal.restore()?.queue == kept)
        // Nothing had to be cut off.
        #expect(try copy.bytes() == keeping.bytes())

        try FileManager.default.removeItem(atPath: state + "/other")
        player.apply(.remove(player.queue.ids(in: 3..<4400)))
        player.play(at: 9, volume: 0.25)
        #expect(keeping.reports.count == 1)
        copy = try Keeping()
        try copy.folder.makeFolder("state/tianlai")
        try copy.write(try keeping.bytes())
        let restored = copy.journal.restore()
        #expect(restored?.queue == player.queue)
        #expect(restored?.modes.volume == 0.25)
        #expect(restored?.place == .seconds(9))
        try keeping.begin()
    }

    @Test(
        "what may not be written is read all the same, and kept when it may be",
        .enabled(if: canMount, "needs root to mount a small disk")
    )
    func readOnly() throws {
        let keeping = try Keeping()
        let state = try keeping.folder.makeFolder("state/tianlai")
        #expect(Self.mountSmallDisk(state, "size=1m,mode=700"))
        defer { umount2(state, Int32(MNT_DETACH)) }
        _ = keeping.journal.restore()
        var player = KeptQueue(keeping)
        player.apply(.replace(locations(0..<20)))
        try keeping.begin()
        #expect(
            Self.mountSmallDisk(
                state,
                "size=1m,mode=700",
                flags: UInt(MS_REMOUNT | MS_RDONLY)
            )
        )
        #expect(keeping.journal.restore()?.queue == player.queue)
        #expect(keeping.reports == [])
        player = KeptQueue(keeping)
        player.apply(.replace(locations(0..<20)))
        for _ in 0..<3 { player.goForward() }
        player.play(at: 3)
        #expect(keeping.reports.count == 1)
        #expect(Self.mountSmallDisk(state, "size=1m,mode=700", flags: UInt(MS_REMOUNT)))
        player.play(at: 4)
        #expect(keeping.reports.count == 1)
        let restored = try keeping.comeBack()
        #expect(restored?.place == .seconds(4))
        #expect(restored?.queue == player.queue)
        try keeping.begin()
    }

    @Test("where no folder can be made it says so once; later it is made")
    func noFolder() throws {
        let keeping = try Keeping()
        try keeping.folder.write("state", [1])
        #expect(keeping.journal.restore() == nil)
        var player = KeptQueue(keeping)
        player.apply(.replace(locations(0..<20)))
        player.goForward()
        player.play(at: 1)
        player.hear(2)
        #expect(keeping.reports.count == 2)
        try FileManager.default.removeItem(atPath: keeping.folder.path("state"))
        player.play(at: 2)
        player.goForward()
        #expect(try keeping.comeBack()?.queue == player.queue)
    }

    @Test("a folder that is taken away is made again")
    func folderGone() throws {
        let keeping = try Keeping()
        _ = keeping.journal.restore()
        var player = KeptQueue(keeping)
        player.apply(.replace(locations(0..<20)))
        try FileManager.default.removeItem(atPath: keeping.folder.path("state"))
        player.apply(.replace(locations(0..<20)))
        player.goForward()
        #expect(try keeping.comeBack()?.queue == player.queue)
    }
}
