/// The identity of one entry of the queue.
///
/// The same file twice in the queue has two; an id is never used again while the service lives (P-1, T-2).
package struct TrackID: Hashable, Sendable {
    package var number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }
}
