/// Some entries' numbers, to be asked for each entry of a long queue: a bit for each number between the lowest and the
/// highest.
///
/// Ids are handed out in a row, so the bits are few; where they are not (a few entries that have stayed while millions
/// came and went) it is an ordinary set.
struct EntrySet {
    private let lowest: UInt32
    private var bits: [UInt64] = []
    private var scattered: Set<UInt32> = []

    /// 2 MiB of bits.
    private static let widestRange = 1 << 24

    init(_ numbers: some Collection<UInt32>) {
        lowest = numbers.min() ?? 0
        let width = Int((numbers.max() ?? 0) - lowest) + 1
        guard width <= Self.widestRange else {
            scattered = Set(numbers)
            return
        }
        bits = Array(repeating: 0, count: width / 64 + 1)
        for number in numbers {
            bits[Int(number - lowest) / 64] |= 1 << UInt64((number - lowest) % 64)
        }
    }

    func contains(_ number: UInt32) -> Bool {
        guard !bits.isEmpty else { return scattered.contains(number) }
        guard number >= lowest, Int(number - lowest) / 64 < bits.count else { return false }
        return bits[Int(number - lowest) / 64] & 1 << UInt64((number - lowest) % 64) != 0
    }

    /// Takes a number out; returns whether it was there.
    mutating func remove(_ number: UInt32) -> Bool {
        guard contains(number) else { return false }
        if bits.isEmpty {
            scattered.remove(number)
        } else {
            bits[Int(number - lowest) / 64] &= ~(1 << UInt64((number - lowest) % 64))
        }
        return true
    }
}
