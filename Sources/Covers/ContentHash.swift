/// 128 bits that tell contents apart: two 64-bit FNV-1a hashes, the second with another start.
///
/// Not against forgery: who forges a cover may as well put the other one into the file.
struct ContentHash: Hashable, CustomStringConvertible {
    private var high: UInt64 = 0xCBF2_9CE4_8422_2325
    private var low: UInt64 = 0x9E37_79B9_7F4A_7C15

    init() {}

    init(of bytes: [UInt8]) {
        bytes.withUnsafeBytes { take($0) }
    }

    /// Takes in what follows; in which pieces makes no difference.
    mutating func take(_ bytes: UnsafeRawBufferPointer) {
        var (high, low) = (high, low)
        for byte in bytes {
            high = (high ^ UInt64(byte)) &* 0x100_0000_01B3
            low = (low ^ UInt64(byte)) &* 0x100_0000_01B3
            low = low << 29 | low >> 35
        }
        (self.high, self.low) = (high, low)
    }

    /// 32 hexadecimal digits.
    var description: String {
        [high, low].map { half in
            let digits = String(half, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    /// Reads ``description`` again; `nil` for anything else.
    init?(hexadecimal digits: some Collection<UInt8>) {
        guard digits.count == 32, digits.allSatisfy(Self.isDigit),
            let high = UInt64(String(decoding: digits.prefix(16), as: UTF8.self), radix: 16),
            let low = UInt64(String(decoding: digits.dropFirst(16), as: UTF8.self), radix: 16)
        else { return nil }
        (self.high, self.low) = (high, low)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}
