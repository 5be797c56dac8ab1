import Language
import Music
import Testing

@testable import CLI

/// The numbers of a queue of `count` songs after a move, worked out by moving them.
private func moved(_ numbers: ClosedRange<Int>, behind predecessor: Int?, of count: Int) -> [Int] {
    var rest = Array(1...count).filter { !numbers.contains($0) }
    let place = predecessor.flatMap { rest.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
    rest.insert(contentsOf: numbers, at: place)
    return rest
}

@Suite("Numbers of songs")
struct QueuePlanTests {
    private let plan = QueuePlan(count: 20)

    @Test("every move ends where it was to")
    func move() throws {
        let plan = QueuePlan(count: 6)
        for first in 1...6 {
            for last in first...6 {
                for to in 1...6 {
                    let predecessor = try plan.predecessor(of: first...last, to: to)
                    let order = moved(first...last, behind: predecessor, of: 6)
                    let place = min(to, 6 - (last - first))
                    #expect(order.firstIndex(of: first) == place - 1, "\(first)-\(last) to \(to)")
                }
            }
        }
    }

    @Test("what is to be removed comes in order, and once")
    func remove() throws {
        #expect(try plan.removed([5...7, 1...1, 6...9, 2...2, 20...20]) == [1...2, 5...9, 20...20])
        #expect(try plan.removed([3...9, 4...5]) == [3...9])
    }

    @Test("a list shows what there is")
    func list() throws {
        #expect(try plan.shown(nil) == 1...20)
        #expect(try plan.shown(3...5) == 3...5)
        #expect(try plan.shown(18...999) == 18...20)
        #expect(try QueuePlan(count: 0).shown(nil) == nil)
    }

    @Test("is asked for in pages of a thousand")
    func pages() {
        #expect(QueuePlan.pages(of: 1...1000) == [1...1000])
        #expect(QueuePlan.pages(of: 5...2005) == [5...1004, 1005...2004, 2005...2005])
    }

    @Test("what is not there is refused")
    func refuse() {
        let none = Refusal("there is no song 21; the queue has 20")
        #expect(throws: none) { try plan.removed([1...1, 20...21]) }
        #expect(throws: none) { try plan.predecessor(of: 20...21, to: 1) }
        #expect(throws: none) { try plan.predecessor(of: 1...2, to: 21) }
        #expect(throws: none) { try plan.shown(21...22) }
        #expect(throws: Refusal("there is no song 2; the queue has one")) { try QueuePlan(count: 1).check(2) }
        #expect(throws: Refusal("the queue is empty; fill it: tianlai queue add PATH…")) {
            try QueuePlan(count: 0).shown(1...1)
        }
    }

    @Test("numbers stand straight, and the current song is marked")
    func line() {
        var song = Song()
        song.title = "雨\u{1B}"
        song.artists = ["甲", "乙"]
        song.length = .seconds(100)
        let list = QueueList(count: 100, current: 12)
        let plain = TextStyle(isPlain: true)
        #expect(list.line(7, song, plain) == "    7  雨 — 甲, 乙, 1:40")
        #expect(list.line(12, song, plain) == ">  12  雨 — 甲, 乙, 1:40")
        var unread = Song()
        unread.url = "file:///a/01%20b.mp3"
        #expect(list.line(100, unread, plain) == "  100  01 b")
        #expect(list.line(100, Song(), plain) == "  100  Untitled")
    }
}
