package import Audio
import Foundation

/// Holds up whoever comes by while it is closed, as a disk that hangs does.
package final class Gate: @unchecked Sendable {
    // `isOpen` and `waiting` are only touched while `condition` is held.
    private let condition = NSCondition()
    private var isOpen = true
    private var waiting = 0

    package init() {}

    package func open() {
        condition.withLock {
            isOpen = true
            condition.broadcast()
        }
    }

    package func close() {
        condition.withLock { isOpen = false }
    }

    /// How many it holds up now.
    package var held: Int { condition.withLock { waiting } }

    package func pass() {
        condition.withLock {
            waiting += 1
            while !isOpen { condition.wait() }
            waiting -= 1
        }
    }
}

/// A decoder each of whose reads passes a gate.
package final class GatedDecoder: Decoder {
    private let inner: any Decoder
    private let gate: Gate

    package init(_ inner: any Decoder, gate: Gate) {
        self.inner = inner
        self.gate = gate
    }

    package var format: StreamFormat { inner.format }

    package func length() throws(DecoderError) -> Int64? { try inner.length() }

    package func read(into samples: UnsafeMutableBufferPointer<Float>) throws(DecoderError) -> Decoded {
        gate.pass()
        return try inner.read(into: samples)
    }

    package func seek(to frame: Int64) throws(DecoderError) { try inner.seek(to: frame) }
}
