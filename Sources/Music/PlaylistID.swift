/// The identity of a playlist file: the same when it is renamed, as long as the library's index is kept (L-2).
package struct PlaylistID: Hashable, Sendable {
    package var number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }
}
