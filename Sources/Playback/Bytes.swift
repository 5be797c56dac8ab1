/// Writes values as bytes, numbers with their low byte first: what is kept of the queue is made of these.
package struct ByteWriter {
    package private(set) var bytes: [UInt8] = []

    package init(reserving capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    package mutating func put(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    package mutating func put(_ raw: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: raw)
    }

    /// The length, then the bytes.
    package mutating func put(counted raw: [UInt8]) {
        put(UInt32(raw.count))
        bytes.append(contentsOf: raw)
    }

    /// All elements, which are made of 32-bit numbers alone, at once.
    mutating func put<Element: BitwiseCopyable>(words elements: [Element]) {
        elements.withUnsafeBytes { raw in
            #if _endian(little)
            bytes.append(contentsOf: raw)
            #else
            for word in raw.bindMemory(to: UInt32.self) { put(word) }
            #endif
        }
    }
}

/// Reads what a ``ByteWriter`` has written; `nil` where the bytes do not hold it, whatever they are.
package struct ByteReader {
    /// What has not been read yet.
    package private(set) var rest: UnsafeRawBufferPointer

    /// Reads `bytes`, which must outlive the reader.
    package init(_ bytes: UnsafeRawBufferPointer) {
        rest = bytes
    }

    package var isAtEnd: Bool { rest.isEmpty }

    package mutating func take<Number: FixedWidthInteger & BitwiseCopyable>(
        _ type: Number.Type = Number.self
    ) -> Number? {
        take(MemoryLayout<Number>.size).map { Number(littleEndian: $0.loadUnaligned(as: Number.self)) }
    }

    /// The next `count` bytes, in place.
    package mutating func take(_ count: Int) -> UnsafeRawBufferPointer? {
        guard count >= 0, count <= rest.count else { return nil }
        defer { rest = UnsafeRawBufferPointer(rebasing: rest[count...]) }
        return UnsafeRawBufferPointer(rebasing: rest[..<count])
    }

    /// The bytes that `put(counted:)` has written.
    package mutating func takeCounted() -> UnsafeRawBufferPointer? {
        take(UInt32.self).flatMap { take(Int($0)) }
    }

    /// `count` elements that are made of 32-bit numbers alone.
    mutating func take<Element: BitwiseCopyable>(words count: UInt32, of type: Element.Type) -> [Element]? {
        guard let raw = take(Int(count) * MemoryLayout<Element>.stride) else { return nil }
        return Array(unsafeUninitializedCapacity: Int(count)) { buffer, initialized in
            let target = UnsafeMutableRawBufferPointer(buffer)
            target.copyMemory(from: raw)
            #if _endian(big)
            for word in target.bindMemory(to: UInt32.self).indices {
                target.bindMemory(to: UInt32.self)[word] = UInt32(
                    littleEndian: target.bindMemory(to: UInt32.self)[word]
                )
            }
            #endif
            initialized = Int(count)
        }
    }
}

/// A sum that tells bytes from what accidents make of them; no protection against malice.
///
/// Four sums side by side, since one would wait for itself.
package func checksum(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
    func mix(_ sum: UInt64, _ word: UInt64) -> UInt64 {
        let product = (sum ^ word) &* 0xFF51_AFD7_ED55_8CCD
        return product ^ product >> 32
    }
    func word(_ offset: Int) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    var (first, second, third, fourth) = (seed, seed &+ 1, seed &+ 2, seed &+ 3)
    var offset = 0
    while offset + 32 <= bytes.count {
        first = mix(first, word(offset))
        second = mix(second, word(offset + 8))
        third = mix(third, word(offset + 16))
        fourth = mix(fourth, word(offset + 24))
        offset += 32
    }
    var sum = mix(mix(mix(first, second), third), fourth)
    while offset + 8 <= bytes.count {
        sum = mix(sum, word(offset))
        offset += 8
    }
    var tail = UInt64(bytes.count)
    while offset < bytes.count {
        tail = tail << 8 | UInt64(bytes[offset])
        offset += 1
    }
    return mix(sum, tail)
}
