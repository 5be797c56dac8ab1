import Music
import Testing

@testable import Playback

/// Which entries of a long queue are shown, as the current one moves and the queue is edited.
@Suite
struct QueueWindowTests {
    private func makeQueue(_ count: Int, current: Int) -> PlayQueue {
        var queue = PlayQueue(seed: 1)
        queue.apply(.replace((0..<count).compactMap { FilePath("/\($0)").map { TrackLocation($0) } }))
        if count > 0 { queue.apply(.jump(to: queue[current].id)) }
        return queue
    }

    @Test(
        "all of a short queue, a hundred of a long one",
        arguments: [
            (0, 0, 0..<0), (1, 0, 0..<1), (100, 99, 0..<100), (101, 0, 0..<100), (101, 100, 1..<101),
            (1000, 0, 0..<100), (1000, 500, 450..<550), (1000, 999, 900..<1000), (1000, 960, 900..<1000),
        ]
    )
    func places(count: Int, current: Int, places: Range<Int>) {
        var window = QueueWindow()
        window.follow(makeQueue(count, current: current))
        #expect(window.places == places)
    }

    @Test("it rests while the current entry is well inside, and is moved before that reaches an end")
    func rest() {
        var window = QueueWindow()
        var queue = makeQueue(1000, current: 500)
        window.follow(queue)
        for place in Array(500..<540) + Array((460..<540).reversed()) {
            queue.apply(.jump(to: queue[place].id))
            window.follow(queue)
            #expect(window.places == 450..<550)
        }
        queue.apply(.jump(to: queue[540].id))
        window.follow(queue)
        #expect(window.places == 490..<590)
    }

    @Test("edits in front of it leave it where it is, among the same entries")
    func edits() throws {
        var window = QueueWindow()
        var queue = makeQueue(1000, current: 500)
        window.follow(queue)
        let shown = queue.ids(in: window.places)
        queue.apply(.remove(queue.ids(in: 0..<10)))
        window.follow(queue)
        #expect(queue.ids(in: window.places) == shown)
        let path = try #require(FilePath("/new"))
        queue.apply(.insert([TrackLocation(path)], at: 0))
        window.follow(queue)
        #expect(queue.ids(in: window.places) == shown)
        queue.apply(.remove(queue.ids(in: 0..<950)))
        window.follow(queue)
        #expect(window.places == 0..<queue.count)
    }
}
