import Music
import Playback
import Testing

@Suite
struct PlayQueueTests {
    private func makeQueue(_ count: Int, shuffled: Bool = false, seed: UInt64 = 7) -> PlayQueue {
        var queue = PlayQueue(seed: seed)
        queue.apply(.replace((1...count).compactMap { FilePath("/\($0)").map { TrackLocation($0) } }))
        queue.apply(.shuffle(shuffled ? .tracks : nil))
        return queue
    }

    private func name(_ queue: PlayQueue) -> String {
        queue.current.map { $0.location.description } ?? "none"
    }

    private func walk(_ queue: inout PlayQueue, _ steps: Int, wrapping: Bool = true) -> [String] {
        (0..<steps).map { _ in
            _ = queue.moveForward(wrapping: wrapping)
            return name(queue)
        }
    }

    @Test("in order, with and without an end", arguments: [true, false])
    func inOrder(wrapping: Bool) {
        var queue = makeQueue(3)
        #expect(walk(&queue, 2, wrapping: wrapping) == ["/2", "/3"])
        let moved1 = queue.moveForward(wrapping: wrapping)
        #expect(moved1 == wrapping)
        #expect(name(queue) == (wrapping ? "/1" : "/3"))
        queue = makeQueue(3)
        let moved2 = queue.moveBack(wrapping: wrapping)
        #expect(moved2 == wrapping)
        #expect(name(queue) == (wrapping ? "/3" : "/1"))
    }

    @Test(
        "each shuffled round plays every track once and does not begin with the one just heard",
        arguments: 1...20
    )
    func rounds(seed: UInt64) {
        var queue = makeQueue(50, shuffled: true, seed: seed)
        var previous = name(queue)
        var heard = [previous] + walk(&queue, 49)
        for _ in 0..<3 {
            #expect(Set(heard).count == 50)
            previous = heard[49]
            heard = walk(&queue, 50)
            #expect(heard[0] != previous)
        }
    }

    @Test("rounds differ, and so do seeds")
    func different() {
        var queue = makeQueue(20, shuffled: true)
        let first = walk(&queue, 19)
        _ = walk(&queue, 1)
        #expect(walk(&queue, 19) != first)
        var other = makeQueue(20, shuffled: true, seed: 8)
        #expect(walk(&other, 19) != first)
    }

    @Test("back walks what was played, and forward walks it again (C117, C118)")
    func history() {
        var queue = makeQueue(20, shuffled: true)
        let played = [name(queue)] + walk(&queue, 30)
        for expected in played.dropLast().reversed() {
            let moved3 = queue.moveBack(wrapping: true)
            #expect(moved3)
            #expect(name(queue) == expected)
        }
        #expect(walk(&queue, 30) == Array(played.dropFirst()))
    }

    @Test("back from the first of a round comes its end, and the round stays whole (C120)")
    func backFromStart() {
        var queue = makeQueue(5, shuffled: true)
        #expect(queue.preceding(wrapping: false) == nil)
        let first = name(queue)
        let moved4 = queue.moveBack(wrapping: true)
        #expect(moved4)
        let last = name(queue)
        #expect(last != first)
        #expect(Set([last] + walk(&queue, 4)).count == 5)
    }

    @Test("lists of one and two", arguments: [false, true])
    func shortLists(shuffled: Bool) {
        var one = makeQueue(1, shuffled: shuffled)
        let moved5 = one.moveForward(wrapping: true)
        #expect(moved5)
        let moved6 = one.moveBack(wrapping: true)
        #expect(moved6)
        #expect(name(one) == "/1")
        let moved7 = one.moveForward(wrapping: false)
        #expect(!moved7)
        let moved8 = one.moveBack(wrapping: false)
        #expect(!moved8)
        var two = makeQueue(2, shuffled: shuffled)
        #expect(walk(&two, 6) == ["/2", "/1", "/2", "/1", "/2", "/1"])
        let moved9 = two.moveBack(wrapping: true)
        #expect(moved9)
        #expect(name(two) == "/2")
    }

    @Test("shuffling off goes on in the order of the list; the list itself never changes (C125)")
    func shuffleOff() {
        var queue = makeQueue(10, shuffled: true)
        let list = queue.entries
        _ = walk(&queue, 4)
        let at = name(queue)
        queue.apply(.shuffle(nil))
        #expect(name(queue) == at)
        #expect(queue.entries == list)
        let next = Int(at.dropFirst()).map { $0 % 10 + 1 } ?? 0
        #expect(walk(&queue, 1) == ["/\(next)"])
    }

    @Test(
        "what is opened comes next and is current; the rest of the round still comes once",
        arguments: [false, true]
    )
    func insert(shuffled: Bool) {
        var queue = makeQueue(6, shuffled: shuffled)
        _ = walk(&queue, 2)
        let at = name(queue)
        queue.insertAfterCurrent(["/a", "/b"].compactMap { FilePath($0) })
        #expect(name(queue) == "/a")
        let moved10 = queue.moveBack(wrapping: false)
        #expect(moved10)
        #expect(name(queue) == at)
        let rest = walk(&queue, 5, wrapping: false)
        #expect(Set(rest).count == rest.count)
        #expect(rest.contains("/b"))
    }

    @Test("what is skipped is passed over, and all skipped means nothing follows", arguments: [false, true])
    func skipping(shuffled: Bool) {
        var queue = makeQueue(4, shuffled: shuffled)
        let second = queue.following(wrapping: true)
        let skipped = Set([second?.id].compactMap { $0 })
        let moved11 = queue.moveForward(wrapping: true, skipping: skipped)
        #expect(moved11)
        #expect(queue.current != second)
        let all = Set(queue.entries.map(\.id))
        let moved12 = queue.moveForward(wrapping: true, skipping: all)
        #expect(!moved12)
        let moved13 = queue.moveBack(wrapping: true, skipping: all)
        #expect(!moved13)
    }

    @Test("an empty queue has nothing anywhere", arguments: [false, true])
    func empty(shuffled: Bool) {
        var queue = PlayQueue(seed: 1)
        queue.apply(.shuffle(shuffled ? .tracks : nil))
        queue.apply(.rewind)
        #expect(queue.current == nil)
        let moved14 = queue.moveForward(wrapping: true)
        #expect(!moved14)
        let moved15 = queue.moveBack(wrapping: true)
        #expect(!moved15)
        queue.insertAfterCurrent([FilePath("/1")].compactMap { $0 })
        #expect(name(queue) == "/1")
    }

    @Test("what is put directly behind the current entry comes next in its order, also when shuffled")
    func insertNext() {
        var queue = makeQueue(10, shuffled: true)
        _ = walk(&queue, 4)
        _ = queue.moveBack(wrapping: true)
        let new = ["/a", "/b", "/c"].compactMap { FilePath($0).map { TrackLocation($0) } }
        queue.apply(.insert(new, at: (queue.currentIndex ?? 0) + 1))
        let rest = walk(&queue, 8, wrapping: false)
        #expect(rest.prefix(3) == ["/a", "/b", "/c"])
        #expect(Set(rest).count == 8)
    }

    @Test("where the current entry is taken out, the next that stays is current", arguments: [false, true])
    func removeCurrent(shuffled: Bool) {
        var queue = makeQueue(6, shuffled: shuffled)
        let order =
            [name(queue)]
            + { [queue] in
                var copy = queue
                return walk(&copy, 5)
            }()
        _ = walk(&queue, 1)
        let gone = queue.entries.filter { order[1...2].contains($0.location.description) }
        queue.apply(.remove(gone.map(\.id)))
        #expect(name(queue) == order[3])
        _ = queue.moveBack(wrapping: false)
        #expect(name(queue) == order[0])
        #expect(walk(&queue, 3, wrapping: false) == [order[3], order[4], order[5]])
        queue.apply(.remove([queue.current?.id].compactMap { $0 }))
        #expect(["/1", "/2", "/3", "/4", "/5", "/6"].contains(name(queue)))
        if !shuffled { #expect(name(queue) == order[0]) }
    }

    @Test("the history holds a thousand")
    func longHistory() {
        var queue = makeQueue(3000, shuffled: true)
        let played = [name(queue)] + walk(&queue, 1500)
        for expected in played.dropLast().reversed().prefix(999) {
            _ = queue.moveBack(wrapping: false)
            #expect(name(queue) == expected)
        }
        #expect(queue.preceding(wrapping: false) == nil)
    }

    @Test("a file and a folder that have moved are followed; ids and places stay (C233)")
    func relocate() throws {
        var queue = PlayQueue(seed: 1)
        let paths = ["/m/a/1.mp3", "/m/ab/1.mp3", "/m/a/b/2.mp3", "/m/a/1.mp3", "/n/1.mp3"]
        queue.apply(.replace(paths.compactMap { FilePath($0).map { TrackLocation($0) } }))
        let ids = queue.ids(in: 0..<5)
        func move(_ old: String, _ new: String) throws -> [String] {
            queue.apply(.relocate(from: try #require(FilePath(old)), to: try #require(FilePath(new))))
            return queue.entries.map(\.location.description)
        }
        #expect(try move("/m/a/", "/x") == ["/x/1.mp3", "/m/ab/1.mp3", "/x/b/2.mp3", "/x/1.mp3", "/n/1.mp3"])
        #expect(
            try move("/x/1.mp3", "/n/9.mp3") == [
                "/n/9.mp3", "/m/ab/1.mp3", "/x/b/2.mp3", "/n/9.mp3", "/n/1.mp3",
            ]
        )
        #expect(
            try move("/", "/r") == [
                "/r/n/9.mp3", "/r/m/ab/1.mp3", "/r/x/b/2.mp3", "/r/n/9.mp3", "/r/n/1.mp3",
            ]
        )
        #expect(try move("/r/n", "/r/x/b").prefix(1) == ["/r/x/b/9.mp3"])
        #expect(queue.ids(in: 0..<5) == ids)
    }

    @Test("an id is never used again, and what is not there is not minded")
    func ids() {
        var queue = makeQueue(3)
        var seen = Set(queue.ids(in: 0..<3))
        for _ in 0..<3 {
            queue.apply(.remove(queue.ids(in: 1..<3)))
            queue.apply(.insert(["/1", "/1"].compactMap { FilePath($0).map { TrackLocation($0) } }, at: 9))
            for id in queue.ids(in: 1..<3) { #expect(seen.insert(id).inserted) }
        }
        let before = queue
        for edit: QueueEdit in [
            .jump(to: TrackID(999)), .goForward(to: TrackID(.max)), .goBack(to: TrackID(0)),
            .remove([TrackID(999)]),
            .move([queue[0].id], after: TrackID(999)), .move([TrackID(999)], after: queue[1].id),
        ] {
            queue.apply(edit)
            #expect(queue == before)
        }
    }

    @Test("after the end a shuffle begins elsewhere")
    func rewind() {
        for seed: UInt64 in 1...20 {
            var queue = makeQueue(4, shuffled: true, seed: seed)
            _ = walk(&queue, 3, wrapping: false)
            let last = name(queue)
            queue.apply(.rewind)
            #expect(name(queue) != last)
            #expect(queue.preceding(wrapping: false) == nil)
            #expect(Set([name(queue)] + walk(&queue, 3)).count == 4)
        }
    }
}
