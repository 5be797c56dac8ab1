import Audio
import Testing

@Suite
struct FadeTests {
    /// The ramp over `count` frames of a constant, in two pieces that meet at `seam`.
    private static func ramp(_ direction: Fade.Direction, count: Int = 600, seam: Int = 0) -> [Float] {
        let fade = Fade(direction, rate: 44_100)
        var samples = [Float](repeating: 1, count: count * 2)
        samples.withUnsafeMutableBufferPointer { whole in
            fade.apply(to: .init(rebasing: whole[..<(seam * 2)]), channels: 2, from: 0)
            fade.apply(to: .init(rebasing: whole[(seam * 2)...]), channels: 2, from: Int64(seam))
        }
        return samples
    }

    @Test("it rises evenly from nothing to all, in ten milliseconds, the same in all channels")
    func rises() {
        let samples = Self.ramp(.fadingIn)
        let left = stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
        #expect(left == stride(from: 1, to: samples.count, by: 2).map { samples[$0] })
        #expect(left[0] < 0.001 && left[440] > 0.999)
        for (former, next) in zip(left, left.dropFirst()) {
            #expect(next >= former && next - former < 0.005)
        }
        #expect(left[441...].allSatisfy { $0 == 1 })
    }

    @Test("what fades out and what fades in are together the whole")
    func whole() {
        for (sum, at) in zip(zip(Self.ramp(.fadingIn), Self.ramp(.fadingOut)).map(+), 0...) {
            #expect(abs(sum - 1) < 1e-5, "\(at)")
        }
    }

    @Test("it does not matter in which pieces it is made", arguments: [1, 100, 441, 500])
    func pieces(seam: Int) {
        #expect(Self.ramp(.fadingOut, seam: seam) == Self.ramp(.fadingOut))
    }
}
