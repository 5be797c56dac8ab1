import Language

/// How numbers of songs, as people count them, become places in a queue of `count` songs.
struct QueuePlan: Equatable, Sendable {
    var count: Int

    /// The most songs that the service tells in one answer.
    static let page = 1000

    /// The numbers, page by page.
    static func pages(of numbers: ClosedRange<Int>) -> [ClosedRange<Int>] {
        stride(from: numbers.lowerBound, through: numbers.upperBound, by: page).map { first in
            first...min(first + page - 1, numbers.upperBound)
        }
    }

    /// What of `numbers` the queue has, for a list; all of it where none are given.
    func shown(_ numbers: ClosedRange<Int>?) throws(Refusal) -> ClosedRange<Int>? {
        guard let numbers else { return count > 0 ? 1...count : nil }
        try check(numbers.lowerBound)
        return numbers.lowerBound...min(numbers.upperBound, count)
    }

    /// The ranges in order, what they have in common once; each must be there whole.
    func removed(_ ranges: [ClosedRange<Int>]) throws(Refusal) -> [ClosedRange<Int>] {
        var merged: [ClosedRange<Int>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            try check(range.upperBound)
            if let last = merged.last, range.lowerBound <= last.upperBound + 1 {
                merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        return merged
    }

    /// The number, before the move, of the song behind which these come to stand; `nil` is the front.
    ///
    /// The first of them gets the number `to`, or they become the last.
    func predecessor(of moved: ClosedRange<Int>, to: Int) throws(Refusal) -> Int? {
        try check(moved.upperBound)
        try check(to)
        let before = min(to, count - moved.count + 1) - 1
        guard before > 0 else { return nil }
        return before < moved.lowerBound ? before : before + moved.count
    }

    func check(_ number: Int) throws(Refusal) {
        guard count > 0 else { throw Refusal("the queue is empty; fill it: tianlai queue add PATH…") }
        guard number <= count else {
            throw count == 1
                ? Refusal("there is no song \(number); the queue has one")
                : Refusal("there is no song \(number); the queue has \(count)")
        }
    }
}
