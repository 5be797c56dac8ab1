/// Why a playlist cannot be used, in words that go behind its path.
package struct PlaylistError: Error, Equatable, CustomStringConvertible, Sendable {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
