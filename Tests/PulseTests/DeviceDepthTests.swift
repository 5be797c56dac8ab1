import CPulse
import Testing

@testable import Pulse

@Suite
struct DeviceDepthTests {
    @Test(
        "what the server allows counts until the device was seen a few times, then what was seen and a little more"
    )
    func learns() {
        var depth = DeviceDepth()
        let cases: [(seen: pa_usec_t, bound: pa_usec_t)] = [
            (8_000, 50_000), (2_000, 50_000), (9_000, 14_000), (1_000, 14_000), (30_000, 35_000),
            (49_000, 50_000),
            (70_000, 70_000), (3_000, 70_000),
        ]
        for (seen, bound) in cases {
            depth.note(seen, atMost: 50_000)
            #expect(depth.bound == bound, "after \(seen)")
        }
    }
}
