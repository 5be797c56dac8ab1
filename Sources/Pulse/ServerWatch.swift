import EventLoop

/// Hears at once of what others do to streams and devices, on a connection of its own.
///
/// So the connection that carries the sound need not listen while it plays: the server says there whenever it has used up
/// some of what it holds, ten times for each time that it has to be listened to. On the loop only.
final class ServerWatch: PulseConnectionOwner {
    enum News: Equatable {
        /// From now on everything is told; what happened before was not.
        case began
        /// The stream with this index has changed.
        case stream(UInt32)
        /// A stream has gone, a device has changed, or the server has gone.
        case other
    }

    private var connection: PulseConnection?
    private let tell: (News) -> Void
    private var isWanted = true

    /// Whether all that happens is told.
    private(set) var isWatching = false

    /// Begins to watch.
    init(loop: EventLoop, server: String?, tell: @escaping (News) -> Void) {
        self.tell = tell
        connection = PulseConnection(loop: loop, server: server, looking: true, owner: self)
    }

    /// Watches or not, as is `wanted`; while it does not, nothing wakes the process.
    func watch(_ isWanted: Bool) {
        guard isWanted != self.isWanted else { return }
        self.isWanted = isWanted
        if connection?.isReady == true { follow() }
    }

    private func follow() {
        isWatching = false
        guard isWanted else {
            connection?.watchChanges(nil)
            return
        }
        connection?.watchChanges { [weak self] stream in self?.tell(stream.map(News.stream) ?? .other) }
        // The server answers in the order in which it was asked.
        connection?.findDefaultSink { [weak self] _ in
            guard let self, isWanted else { return }
            isWatching = true
            tell(.began)
        }
    }

    func connectionIsReady() { follow() }

    func connectionFailed(_ reason: String) {
        isWatching = false
        tell(.other)
    }
}
