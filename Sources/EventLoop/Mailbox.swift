import CLinux
import Glibc
import Synchronization

/// Hands values from any thread to the loop that receives them, in the order posted.
package final class Mailbox<Message: Sendable>: Sendable {
    private let waiting = Mutex<[Message]>([])
    let wakeup: Wakeup

    init(wakeup: Wakeup) {
        self.wakeup = wakeup
    }

    /// Leaves `message` for the loop.
    ///
    /// From any thread; never waits.
    package func post(_ message: Message) {
        let wasEmpty = waiting.withLock { waiting in
            defer { waiting.append(message) }
            return waiting.isEmpty
        }
        if wasEmpty { wakeup.signal() }
    }

    func take() -> [Message] {
        waiting.withLock { waiting in
            defer { waiting.removeAll(keepingCapacity: true) }
            return waiting
        }
    }
}

/// A descriptor that becomes readable when any thread says so.
final class Wakeup: Sendable {
    let descriptor: CInt

    init() throws(EventLoopError) {
        descriptor = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
        guard descriptor >= 0 else { throw .system("create an event descriptor", errno) }
    }

    /// From any thread; never waits.
    func signal() {
        eventfd_write(descriptor, 1)
    }

    /// On the loop: not readable again until the next signal.
    func clear() {
        var count: eventfd_t = 0
        eventfd_read(descriptor, &count)
    }

    deinit { close(descriptor) }
}
