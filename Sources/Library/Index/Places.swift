/// Numbers that order rows, with room left between them for rows to come.
///
/// A row's number is its place in the order of the library, so that a search reads rows in this order and stops when
/// it has enough, however many there are.
enum Places {
    /// The room left in front of the first and behind the last, and between all when they are placed anew.
    static let stride: Int64 = 1 << 36
    /// The room left within a run of rows that come one after the other.
    private static let step: Int64 = 1 << 18

    /// A place between `before` and `after`, neighbours until now; `nil` where there is no room left.
    ///
    /// Where `last`, the row placed last, is one of them, others are likely to come on the same side of it.
    static func between(_ before: Int64?, _ after: Int64?, last: Int64?) -> Int64? {
        switch (before, after) {
        case (nil, nil): return 0
        case (let before?, nil): return sum(before, stride)
        case (nil, let after?): return sum(after, -stride)
        case (let before?, let after?):
            let room = after - before
            guard room > 1 else { return nil }
            if room > 2 * step {
                if last == before { return before + step }
                if last == after { return after - step }
            }
            return before + room / 2
        }
    }

    private static func sum(_ place: Int64, _ offset: Int64) -> Int64? {
        let (sum, isOver) = place.addingReportingOverflow(offset)
        // Far from the ends, so that the distance of two places can be told.
        return isOver || abs(sum) > .max / 4 ? nil : sum
    }
}
