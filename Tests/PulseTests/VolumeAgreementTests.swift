import Music
import Testing

@testable import Pulse

/// Whose volume counts, without a server.
@Suite
struct VolumeAgreementTests {
    private let half = PulseVolume.number(for: 0.5)
    private let third = PulseVolume.number(for: 0.3)

    private func at(_ seconds: Double) -> Instant {
        Instant(nanoseconds: 0).advanced(by: .seconds(seconds))
    }

    @Test("each volume has its number: 0.5 is half of the server's scale, more than full counts as full")
    func numbers() {
        #expect(PulseVolume.number(for: 0) == 0)
        #expect(half == 0x8000)
        #expect(PulseVolume.number(for: 1) == 0x10000)
        #expect(PulseVolume.volume(of: half) == 0.5)
        #expect(PulseVolume.volume(of: 0x18000) == 1)
    }

    @Test("where nothing is wanted here, the server's volume is taken and told, once")
    func follows() {
        var agreement = VolumeAgreement()
        agreement.beginStream(at: at(0))
        #expect(agreement.hear(half, at: at(0.01)) == .tell)
        #expect(agreement.hear(half, at: at(0.02)) == .nothing)
        #expect(agreement.hear(third, at: at(0.03)) == .tell)
        #expect(abs((agreement.volume ?? 0) - 0.3) < 0.0001)
    }

    @Test("the volume set here stays the very number that it was, until somebody else sets another")
    func exact() {
        var agreement = VolumeAgreement()
        agreement.set(0.3, at: at(0))
        #expect(agreement.hear(third, at: at(0.01)) == .nothing)
        #expect(agreement.volume == 0.3)
        #expect(agreement.hear(half, at: at(0.02)) == .tell)
        #expect(agreement.volume == 0.5)
    }

    @Test("an older volume that the server still tells of is no news, but one that stays is")
    func older() {
        var agreement = VolumeAgreement()
        agreement.set(0.5, at: at(0))
        agreement.set(0.3, at: at(0.1))
        #expect(agreement.hear(half, at: at(0.11)) == .send)
        #expect(agreement.volume == 0.3)
        #expect(agreement.hear(half, at: at(1.2)) == .tell)
        #expect(agreement.volume == 0.5)
    }

    @Test("a new stream gets the volume in force, whatever the server remembers")
    func newStream() {
        var agreement = VolumeAgreement()
        agreement.set(0.3, at: at(0))
        agreement.beginStream(at: at(10))
        #expect(agreement.hear(half, at: at(10.01)) == .send)
        #expect(agreement.hear(third, at: at(10.02)) == .nothing)
        #expect(agreement.hear(half, at: at(10.03)) == .send, "the session manager may come late")
        #expect(agreement.volume == 0.3)
        #expect(agreement.hear(half, at: at(10.5)) == .tell, "then it is somebody's wish")
    }
}
