import Audio
import Testing

@Suite
struct FadeTests {
    /// The ramp over six hundred frames of a constant, in two pieces that meet at `seam`.
    private static func ramp(_ direction: Fade.Direction, seam: Int = 0) -> [Float] {
        let fade = Fade(direction, rate: 44_100)
        var samples = [Float](repeating: 1, count: 600 * 2)
        samples.withUnsafeMutableBufferPointer { whole in
            fade.apply(to: .init(rebasing: whole[..<(seam * 2)]), channels: 2, from: 0)
            fade.apply(to: .init(rebasing: whole[(seam * 2)...]), channels: 2, from: Int64(seam))
        }
        return samples
    }

    @Test(
        "it goes evenly between nothing and all, in two and a half or ten milliseconds, the same in all channels",
        arguments: [(.fadingIn, 110), (.fadingOut, 441)] as [(Fade.Direction, Int)]
    )
    func goes(direction: Fade.Direction, frames: Int) {
        let samples = Self.ramp(direction)
        let left = stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
        #expect(left == stride(from: 1, to: samples.count, by: 2).map { samples[$0] })
        let rising = direction == .fadingIn ? left : left.map { 1 - $0 }
        #expect(rising[0] < 0.01 && rising[frames - 1] > 0.99)
        for (former, next) in zip(rising, rising.dropFirst()) {
            #expect(next >= former && next - former < 0.02)
        }
        #expect(rising[frames...].allSatisfy { $0 == 1 })
    }

    @Test("it does not matter in which pieces it is made", arguments: [1, 100, 441, 500])
    func pieces(seam: Int) {
        #expect(Self.ramp(.fadingOut, seam: seam) == Self.ramp(.fadingOut))
    }
}
