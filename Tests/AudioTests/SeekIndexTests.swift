import Testing

@testable import Audio

@Suite
struct SeekIndexTests {
    @Test(
        "what is kept is read back",
        arguments: [[0], [417, 418, 1 << 40], Array(stride(from: 0, to: 4_096_000, by: 1000))]
    )
    func kept(offsets: [Int64]) throws {
        let index = try #require(SeekIndex(step: 128, offsets: offsets))
        #expect(SeekIndex(bytes: index.bytes) == index)
    }

    @Test("three hours of music take few bytes")
    func small() throws {
        let frames = 3 * 3600 * 1000 / 26
        let offsets = (0..<frames / SeekIndex.leastStep).map { Int64($0) * 128 * 700 }
        let index = try #require(SeekIndex(step: SeekIndex.leastStep, offsets: offsets))
        #expect(index.bytes.count < 10_000)
    }

    @Test("no index is made of what cannot be true")
    func untrue() {
        #expect(SeekIndex(step: 0, offsets: [0]) == nil)
        #expect(SeekIndex(step: 1, offsets: []) == nil)
        #expect(SeekIndex(step: 1, offsets: [-1]) == nil)
        #expect(SeekIndex(step: 1, offsets: [5, 5]) == nil)
        #expect(SeekIndex(step: 1, offsets: [5, 4]) == nil)
        #expect(SeekIndex(step: 1, offsets: Array(0...4096)) == nil)
    }

    @Test("damaged bytes are no index, whatever is damaged")
    func damaged() throws {
        let bytes = try #require(SeekIndex(step: 128, offsets: [0, 65_000, 131_000, 1 << 33])).bytes
        for place in bytes.indices {
            for bit in 0..<8 {
                var broken = bytes
                broken[place] ^= 1 << UInt8(bit)
                #expect(SeekIndex(bytes: broken) == nil)
            }
            #expect(SeekIndex(bytes: Array(bytes[..<place])) == nil)
        }
        #expect(SeekIndex(bytes: bytes + [0]) == nil)
        #expect(SeekIndex(bytes: [UInt8](repeating: 0xFF, count: 100_000)) == nil)
    }
}
