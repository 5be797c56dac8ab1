/// Numbers that order rows, with room left between them for rows to come.
///
/// A row's number is its place in the order of the library, so that a search reads rows in this order and stops when
/// it has enough, however many there are.
enum Places {
    /// The room left in front of the first and behind the last.
    static let stride: Int64 = 1 << 40

    /// Places for `count` rows in order between `before` and `after`, neighbours until now, or beyond the ends;
    /// `nil` where there is no room left.
    static func places(for count: Int, between before: Int64?, and after: Int64?) -> [Int64]? {
        let count = Int64(count)
        switch (before, after) {
        case (nil, nil): return (1...count).map { $0 * stride }
        case (let before?, nil): return isFar(before) ? nil : (1...count).map { before + $0 * stride }
        case (nil, let after?):
            return isFar(after) ? nil : (1...count).map { after - (count + 1 - $0) * stride }
        case (let before?, let after?):
            let room = after - before
            guard room > count else { return nil }
            // Most of the room is left behind them: what is found next mostly comes next.
            let step = max(room / 16 / count, 1)
            return (1...count).map { before + $0 * step }
        }
    }

    /// The room between all when so many are placed anew: with as much again on either side.
    static func room(for count: Int) -> Int64 { min(stride << 4, .max / 8 / Int64(count + 1)) }

    /// So far from 0 that more rows would get where distances can no longer be told.
    private static func isFar(_ place: Int64) -> Bool { abs(place) > .max / 4 }
}
