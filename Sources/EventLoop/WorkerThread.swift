import CLinux
import Glibc

/// A thread of our own, for work that may block.
///
/// Whoever starts it ends its loop by its own means and then joins it.
package final class WorkerThread {
    private var thread = pthread_t()

    /// Starts `body` on a thread called `name` (at most 15 bytes).
    package init(name: String, _ body: @escaping @Sendable () -> Void) throws(EventLoopError) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, 1 << 20)
        let box = Unmanaged.passRetained(Body(name: name, run: body))
        let status = pthread_create(
            &thread,
            &attributes,
            { context in
                guard let context else { return nil }
                let body = Unmanaged<Body>.fromOpaque(context).takeRetainedValue()
                linux_name_this_thread(body.name)
                body.run()
                return nil
            },
            box.toOpaque()
        )
        guard status == 0 else {
            box.release()
            throw .system("start a thread", status)
        }
    }

    /// Waits until its body has returned; once.
    package func join() {
        pthread_join(thread, nil)
    }
}

private final class Body: Sendable {
    let name: String
    let run: @Sendable () -> Void

    init(name: String, run: @escaping @Sendable () -> Void) {
        self.name = name
        self.run = run
    }
}

/// A counting semaphore: what a worker sleeps on until there is work.
package final class Semaphore: @unchecked Sendable {
    // The pointer never changes and POSIX lets every thread use what it points at.
    private let raw = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    package init() {
        sem_init(raw, 0, 0)
    }

    /// Lets one wait pass.
    ///
    /// From any thread; never waits.
    package func signal() {
        sem_post(raw)
    }

    /// Sleeps until signalled.
    package func wait() {
        while sem_wait(raw) != 0, errno == EINTR {}
    }

    deinit {
        sem_destroy(raw)
        raw.deallocate()
    }
}
