/// Where frames of data lie in a file whose length had to be counted, so that who plays it need not read through all
/// that lies before a place.
///
/// Found by the decoder that counts (``Decoder/seekIndex``), kept as ``bytes`` for as long as the file stays the same, and
/// given to the decoder that plays (``Decoder/seek(with:)``). Nobody else has to know what is in it.
package struct SeekIndex: Equatable, Sendable {
    /// How many frames of data there are from one entry to the next.
    package let step: Int
    /// The place of every `step`th frame of data, the first of them with it, in bytes from where the decoder began.
    package let offsets: [Int64]

    /// About three seconds of sound: a seek reads through half of that on average, and three hours need 25 kB.
    package static let leastStep = 128
    /// What is longer gets longer steps.
    package static let largestCount = 4096

    /// `nil` for what cannot be true of any file.
    package init?(step: Int, offsets: [Int64]) {
        guard (1...1 << 24).contains(step), (1...Self.largestCount).contains(offsets.count), offsets[0] >= 0,
            zip(offsets, offsets.dropFirst()).allSatisfy({ $0 < $1 })
        else { return nil }
        self.step = step
        self.offsets = offsets
    }

    /// It as it is kept: a checksum, then the numbers, each offset as the distance to the one before.
    package var bytes: [UInt8] {
        var body: [UInt8] = []
        func add(_ number: Int64) {
            var rest = UInt64(number)
            while rest >= 0x80 {
                body.append(UInt8(truncatingIfNeeded: rest) | 0x80)
                rest >>= 7
            }
            body.append(UInt8(rest))
        }
        add(Int64(step))
        var last: Int64 = 0
        for offset in offsets {
            add(offset - last)
            last = offset
        }
        return checksum(body) + body
    }

    /// Reads what ``bytes`` gave; `nil` where that has been damaged since.
    package init?(bytes: [UInt8]) {
        let body = bytes.dropFirst(8)
        guard bytes.count <= 8 + 10 * (Self.largestCount + 1), checksum(body).elementsEqual(bytes.prefix(8))
        else { return nil }
        var numbers: [Int64] = []
        var (number, shift) = (UInt64(0), 0)
        for byte in body {
            guard shift < 63 else { return nil }
            number |= UInt64(byte & 0x7F) << UInt64(shift)
            shift += 7
            guard byte & 0x80 == 0 else { continue }
            numbers.append(Int64(truncatingIfNeeded: number))
            (number, shift) = (0, 0)
        }
        guard shift == 0, let step = numbers.first else { return nil }
        var offsets: [Int64] = []
        for distance in numbers.dropFirst() {
            let (offset, overflow) = (offsets.last ?? 0).addingReportingOverflow(distance)
            guard !overflow else { return nil }
            offsets.append(offset)
        }
        self.init(step: Int(step), offsets: offsets)
    }
}

/// FNV-1a of 64 bits: against damage, not against malice.
private func checksum(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    let sum = bytes.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    return (0..<8).map { UInt8(truncatingIfNeeded: sum >> (8 * $0)) }
}
