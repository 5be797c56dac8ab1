import EventLoop

/// Hears at once of what others do to streams and devices, on a connection of its own.
///
/// So the connection that carries the sound need not listen while it plays: the server says there whenever it has used up
/// some of what it holds, ten times for each time that it has to be listened to. On the loop only.
final class ServerWatch: PulseConnectionOwner {
    private var connection: PulseConnection?
    private let changed: (UInt32?) -> Void
    private var isWanted = true

    /// Whether all that happens is told.
    private(set) var isWatching = false

    /// Begins to watch; `changed` gets the index of a stream that has changed, or `nil` for anything else.
    init(loop: EventLoop, server: String?, changed: @escaping (UInt32?) -> Void) {
        self.changed = changed
        connection = PulseConnection(loop: loop, server: server, looking: true, owner: self)
    }

    /// Watches or not, as is `wanted`; while it does not, nothing wakes the process.
    func watch(_ isWanted: Bool) {
        guard isWanted != self.isWanted else { return }
        self.isWanted = isWanted
        guard let connection, connection.isReady else { return }
        connection.watchChanges(isWanted)
        isWatching = isWanted
    }

    func connectionIsReady() {
        guard isWanted else { return }
        connection?.watchChanges(true)
        isWatching = true
        // What happened before was not told.
        changed(nil)
    }

    func connectionFailed(_ reason: String) {
        isWatching = false
        changed(nil)
    }

    func serverChanged(_ stream: UInt32?) {
        changed(stream)
    }
}
