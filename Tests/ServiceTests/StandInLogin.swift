import BusTestSupport
import DBus
import EventLoop
import Glibc
import Music
import TestSupport

/// A system bus of a test's own, and logind on it: hands out locks, and says that the machine sleeps.
///
/// It answers while its loop is run.
final class StandInLogin {
    /// A lock that somebody was given.
    final class Lock {
        let what: String
        let mode: String
        fileprivate(set) var isHeld = true
        fileprivate var watch: Watch?

        init(what: String, mode: String) {
            self.what = what
            self.mode = mode
        }
    }

    let bus: PrivateBus
    let loop: TestLoop
    private(set) var locks: [Lock] = []
    /// Called when a lock is let go.
    var onRelease: (Lock) -> Void = { _ in }
    private let connection: BusConnection
    private let server = ObjectServer()

    private static let name = "org.freedesktop.login1"
    private static let path = "/org/freedesktop/login1"

    /// A bus, with logind on it unless it `isAbsent`.
    init(on loop: TestLoop, isAbsent: Bool = false) throws {
        self.loop = loop
        bus = try PrivateBus()
        connection = try BusConnection(to: BusAddress(bus.address), on: loop.loop)
        server.export(Self.path, [Self.table.serving(Borrowed(self))])
        server.attach(connection)
        if !isAbsent { _ = try connection.requestName(Self.name) }
    }

    /// What the service needs to find it.
    var environment: [String: String] { ["DBUS_SYSTEM_BUS_ADDRESS": bus.address] }

    /// The kinds of the locks that are held.
    var held: [String] { locks.filter(\.isHeld).map { "\($0.what) \($0.mode)" } }

    /// Says that the machine is about to sleep, or has slept.
    func sleep(_ isComing: Bool) {
        server.emit(Self.path, Self.interface, "PrepareForSleep", [.boolean(isComing)])
    }

    /// How many others there are on the bus.
    func guests() throws -> [String] {
        let names = try loop.call(.bus("ListNames"), over: connection).get().first?.strings ?? []
        return names.filter { $0.hasPrefix(":") && $0 != connection.uniqueName }
    }

    /// Returns when all others have seen what was said before.
    func settle() throws {
        for guest in try guests() {
            let ping = MethodCall(to: guest, path: "/", interface: "org.freedesktop.DBus.Peer", "Ping")
            // Who serves nothing says so, which is as good.
            _ = try loop.call(ping, over: connection)
        }
    }

    private static let interface = "org.freedesktop.login1.Manager"

    private static let table = Interface<Borrowed<StandInLogin>>(
        interface,
        methods: [
            Method(
                "Inhibit",
                in: ["what", "who", "why", "mode"].map { Argument($0, "s") },
                out: [Argument("fd", "h")]
            ) { (login, arguments) throws(CallError) in
                let words = arguments.map { $0.text ?? "" }
                guard words[1] == "Tianlai", !words[2].isEmpty else { throw .failed("who? why?") }
                return [.descriptor(login.owner?.lend(what: words[0], mode: words[3]))]
            }
        ]
    )

    /// One end of a pipe, whose other end tells when nobody has it any more.
    private func lend(what: String, mode: String) -> Descriptor? {
        var ends: [CInt] = [0, 0]
        guard pipe(&ends) == 0 else { return nil }
        // A child that inherited one would hold the lock.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let (lock, mine) = (Lock(what: what, mode: mode), ends[0])
        lock.watch = loop.loop.watch(mine, for: .readable) { [unowned self, unowned lock] _ in
            lock.watch?.cancel()
            close(mine)
            lock.isHeld = false
            onRelease(lock)
        }
        locks.append(lock)
        return Descriptor(owning: ends[1])
    }
}
