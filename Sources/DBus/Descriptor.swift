import Glibc

/// An open file descriptor of this process, closed when the last who knows it lets it go.
///
/// Two are equal when they are the same one, not when they lead to the same file.
package final class Descriptor: Sendable, Equatable {
    package let number: CInt

    /// Takes over `number`, which is open.
    package init(owning number: CInt) {
        self.number = number
    }

    package static func == (left: Descriptor, right: Descriptor) -> Bool { left === right }

    deinit { close(number) }
}
