import BusTestSupport
import DBus
import EventLoop
import Foundation
import Glibc
import Music
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct BusConnectionTests {
    @Test(
        "the session bus is where the environment says, else in the runtime directory, and is never started"
    )
    func addresses() throws {
        let directory = NSTemporaryDirectory() + "tianlai bus \(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        func address(_ variables: [String: String]) throws -> String {
            try BusAddress.session { variables[$0] }.text
        }
        #expect(try address(["DBUS_SESSION_BUS_ADDRESS": "unix:path=/x"]) == "unix:path=/x")
        #expect(try address(["DBUS_SESSION_BUS_ADDRESS": "autolaunch:;unix:path=/x"]) == "unix:path=/x")
        for variables in [
            [:], ["DBUS_SESSION_BUS_ADDRESS": ""], ["DBUS_SESSION_BUS_ADDRESS": "autolaunch:"],
            ["XDG_RUNTIME_DIR": directory],
        ] {
            #expect { try address(variables) } throws: { error in
                "\(error)".hasPrefix("no session bus: ") && !"\(error)".contains("\n")
                    && "\(error)".contains("dbus-run-session")
            }
        }
        try Data().write(to: URL(fileURLWithPath: directory + "/bus"))
        let escaped = try address(["XDG_RUNTIME_DIR": directory])
        #expect(escaped == "unix:path=" + directory.replacing(" ", with: "%20") + "/bus")
    }

    @Test(
        "a bus that cannot be reached is told in one line",
        arguments: ["", "nonsense", "unix:path=/nonexistent/bus", "disabled:", "a\0b", "unix:path=/a\nb"]
    )
    func unreachable(_ address: String) throws {
        let loop = try EventLoop()
        #expect { try BusConnection(to: BusAddress(address), on: loop) } throws: { error in
            error is BusError && !"\(error)".contains("\n") && !"\(error)".isEmpty
        }
    }

    @Test(
        "a socket that never accepts, or accepts and says nothing, holds nobody up longer than two seconds",
        arguments: [0, 100]
    )
    func hangingBus(backlog: CInt) throws {
        let loop = try EventLoop()
        let path = NSTemporaryDirectory() + "tianlai-hang-\(UUID().uuidString.prefix(8))"
        let listener = try listen(at: path, backlog: backlog)
        defer {
            close(listener)
            unlink(path)
        }
        // With no backlog, one waiting connection fills the queue.
        let filler = backlog == 0 ? try connected(to: path) : -1
        defer { if filler >= 0 { close(filler) } }
        let start = Instant.now()
        #expect(throws: BusError.noAnswer("unix:path=" + path)) {
            try BusConnection(to: BusAddress("unix:path=" + path), on: loop)
        }
        #expect(Instant.now().since(start) < .seconds(2.5))
        let next = Instant.now()
        #expect(throws: BusError.noAnswer("unix:path=" + path)) {
            try BusConnection(to: BusAddress("unix:path=" + path), on: loop, within: .seconds(0.1))
        }
        #expect(Instant.now().since(next) < .seconds(1))
    }

    @Test("a name is owned by one connection, and the others are told so without waiting for it")
    func names() throws {
        let bus = try PrivateBus()
        let loop = try TestLoop()
        let first = try BusConnection(to: BusAddress(bus.address), on: loop.loop)
        let second = try BusConnection(to: BusAddress(bus.address), on: loop.loop)
        var owners: [String?] = []
        let watch = second.onOwnerChange(of: "org.example.Name") { owners.append($0) }
        try loop.wait("nobody") { owners == [nil] }
        #expect(try first.requestName("org.example.Name") == .owned)
        #expect(try first.requestName("org.example.Name") == .owned)
        #expect(try second.requestName("org.example.Name") == .taken)
        try loop.wait("the first owner") { owners == [nil, first.uniqueName] }
        first.close()
        try loop.wait("nobody again") { owners == [nil, first.uniqueName, nil] }
        #expect(throws: CallError.self) { try second.requestName("no name") }
        #expect(throws: CallError.self) { try second.requestName("org.\0.x") }
        watch.cancel()
    }

    @Test("a call to nobody, and one to somebody who never answers, fail in time")
    func failingCalls() throws {
        let bus = try PrivateBus()
        let loop = try TestLoop()
        let client = try BusConnection(to: BusAddress(bus.address), on: loop.loop)
        let deaf = try BusConnection(to: BusAddress(bus.address), on: try EventLoop())
        let toNobody = MethodCall(to: "org.example.Nobody", path: "/", interface: "org.example.I", "M")
        #expect { try client.callAndWait(toNobody) } throws: { ($0 as? CallError)?.isNoSuchService == true }
        let toDeaf = MethodCall(to: deaf.uniqueName, path: "/", interface: "org.example.I", "M")
        #expect { try client.callAndWait(toDeaf, timeout: .seconds(0.05)) } throws: {
            ($0 as? CallError)?.isNoReply == true
        }
        var answer: Result<[BusValue], CallError>?
        try client.call(toDeaf, timeout: .seconds(0.05)) { answer = $0 }
        try loop.wait("the timeout") { answer != nil }
        #expect(answer?.failure?.isNoReply == true)
    }

    @Test("when the bus goes, calls under way fail and later ones are refused")
    func loss() throws {
        let bus = try PrivateBus()
        let loop = try TestLoop()
        let client = try BusConnection(to: BusAddress(bus.address), on: loop.loop)
        let deaf = try BusConnection(to: BusAddress(bus.address), on: try EventLoop())
        var answer: Result<[BusValue], CallError>?
        var events: [String] = []
        client.onDisconnected = { events.append("lost") }
        let call = MethodCall(to: deaf.uniqueName, path: "/", interface: "org.example.I", "M")
        try client.call(call) { answer = $0 }
        bus.kill()
        try loop.wait("the loss") { events == ["lost"] && answer != nil }
        #expect(answer?.failure?.isDisconnected == true)
        #expect(throws: CallError.self) { try client.callAndWait(.bus("GetId")) }
        #expect(throws: CallError.self) { try client.call(.bus("GetId")) { _ in } }
        client.close()
        #expect(events == ["lost"])
    }

    @Test("a connection may be let go of by whom it calls", arguments: [true, false])
    func letGoInside(byAnswer: Bool) throws {
        let bus = try PrivateBus()
        let loop = try TestLoop()
        var client: BusConnection? = try BusConnection(to: BusAddress(bus.address), on: loop.loop)
        weak let former = client
        var subscription: Subscription?
        if byAnswer {
            try client?.call(.bus("GetId")) { _ in client = nil }
        } else {
            subscription = client?.subscribe(SignalMatch(member: "NameAcquired")) { _ in client = nil }
            _ = try client?.requestName("org.example.Name")
        }
        try loop.wait("the end") { client == nil }
        for _ in 0..<5 { loop.loop.turn(waiting: false) }
        #expect(former == nil)
        withExtendedLifetime(subscription) {}
    }

    @Test("a subscription by well-known name hears its owner alone")
    func wellKnownSender() throws {
        let bus = try PrivateBus()
        let loop = try TestLoop()
        let (owner, other) = (
            try BusConnection(to: BusAddress(bus.address), on: loop.loop),
            try BusConnection(to: BusAddress(bus.address), on: loop.loop)
        )
        #expect(try owner.requestName("org.example.Name") == .owned)
        let client = try BusConnection(to: BusAddress(bus.address), on: loop.loop)
        var heard: [BusValue] = []
        var all = 0
        let everything = client.subscribe(SignalMatch(path: "/p", member: "Told")) { _ in all += 1 }
        let one = client.subscribe(SignalMatch(from: "org.example.Name", path: "/p", member: "Told")) {
            heard += $0.arguments
        }
        var known = false
        let watch = client.onOwnerChange(of: "org.example.Name") { _ in known = true }
        try loop.wait("the owner") { known }
        let (server, second) = (ObjectServer(), ObjectServer())
        server.attach(owner)
        second.attach(other)
        second.emit("/p", "org.example.I", "Told", [.string("other")])
        server.emit("/p", "org.example.I", "Told", [.string("owner")])
        try loop.wait("both signals") { all == 2 }
        #expect(heard == [.string("owner")])
        withExtendedLifetime((everything, one, watch)) {}
    }

    @Test("the bus of the machine is where the environment says, else where it always is")
    func systemAddress() {
        #expect(BusAddress.system { _ in nil }.text == "unix:path=/run/dbus/system_bus_socket")
        #expect(BusAddress.system { _ in "" }.text == "unix:path=/run/dbus/system_bus_socket")
        let variables = [
            "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/x", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/y",
        ]
        #expect(BusAddress.system { variables[$0] }.text == "unix:path=/x")
    }

    @Test("a subscription to a namespace hears what belongs to it")
    func namespace() throws {
        let bus = try PrivateBus()
        let loop = try TestLoop()
        let sender = try BusConnection(to: BusAddress(bus.address), on: loop.loop)
        let client = try BusConnection(to: BusAddress(bus.address), on: loop.loop)
        var (heard, all): ([BusValue], Int) = ([], 0)
        let everything = client.subscribe(SignalMatch(path: "/p")) { _ in all += 1 }
        let some = client.subscribe(SignalMatch(path: "/p", firstArgumentNamespace: "org.a")) {
            heard += $0.arguments
        }
        _ = try client.callAndWait(.bus("GetId"))
        let server = ObjectServer()
        server.attach(sender)
        let words = ["org.a", "org.a.b", "org.ab", "org", "org.b", ""]
        for word in words { server.emit("/p", "org.example.I", "Told", [.string(word)]) }
        server.emit("/p", "org.example.I", "Told", [])
        try loop.wait("all signals") { all == words.count + 1 }
        #expect(heard == [.string("org.a"), .string("org.a.b")])
        withExtendedLifetime((everything, some)) {}
    }

    @Test("a file descriptor arrives, is closed when nobody wants it any more, and is not lost on the way")
    func descriptors() throws {
        let bus = try PrivateBus()
        let loop = try TestLoop()
        let owner = try BusConnection(to: BusAddress(bus.address), on: loop.loop)
        let client = try BusConnection(to: BusAddress(bus.address), on: loop.loop)
        var ends: [CInt] = [0, 0]
        #expect(pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let lender = Lender(Descriptor(owning: ends[1]))
        let server = ObjectServer()
        server.export("/p", [Lender.table.serving(lender)])
        server.attach(owner)
        var hasEnded = false
        let watch = loop.loop.watch(ends[0], for: .readable) { _ in hasEnded = true }
        let call = MethodCall(to: owner.uniqueName, path: "/p", interface: "org.example.I", "Lend")
        var borrowed = try loop.call(call, over: client).get().first?.descriptor
        #expect(borrowed.map { $0.number != ends[1] && write($0.number, "x", 1) == 1 } == true)
        var byte: UInt8 = 0
        #expect(read(ends[0], &byte, 1) == 1 && byte == UInt8(ascii: "x"))
        lender.descriptor = nil
        _ = try loop.call(call, over: client)
        #expect(!hasEnded, "the borrower still has it")
        borrowed = nil
        try loop.wait("the end of the pipe") { hasEnded }
        #expect(try loop.call(call, over: client).failure != nil)
        watch.cancel()
        close(ends[0])
    }

    @Test("at rest a connection does not wake the loop")
    func rest() throws {
        let bus = try PrivateBus()
        let loop = try TestLoop()
        let client = try BusConnection(to: BusAddress(bus.address), on: loop.loop)
        _ = try loop.call(.bus("GetId"), over: client)
        var (turns, isOver) = (0, false)
        let end = loop.loop.timer { isOver = true }
        end.start(after: .seconds(0.3))
        while !isOver {
            loop.loop.turn()
            turns += 1
        }
        #expect(turns <= 4)
    }

    @Test("what was sent before closing arrives")
    func flushing() throws {
        let bus = try PrivateBus()
        let loop = try TestLoop()
        let sender = try BusConnection(to: BusAddress(bus.address), on: loop.loop)
        let listener = try BusConnection(to: BusAddress(bus.address), on: loop.loop)
        var lengths: [Int] = []
        let subscription = listener.subscribe(SignalMatch(path: "/p")) {
            lengths.append($0.arguments.first?.text?.utf8.count ?? 0)
        }
        _ = try listener.callAndWait(.bus("GetId"))
        let server = ObjectServer()
        server.attach(sender)
        let megabyte = String(repeating: "x", count: 1 << 20)
        for _ in 0..<8 { server.emit("/p", "org.example.I", "Big", [.string(megabyte)]) }
        sender.close()
        try loop.wait("eight signals") { lengths == Array(repeating: 1 << 20, count: 8) }
        withExtendedLifetime(subscription) {}
    }
}

/// Somebody who hands out a descriptor as long as there is one.
private final class Lender {
    var descriptor: Descriptor?

    init(_ descriptor: Descriptor) {
        self.descriptor = descriptor
    }

    static let table = Interface<Lender>(
        "org.example.I",
        methods: [
            Method("Lend", out: [Argument("Descriptor", "h")]) { lender, _ in [.descriptor(lender.descriptor)]
            }
        ]
    )
}

private func listen(at path: String, backlog: CInt) throws -> CInt {
    let listener = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
    try #require(listener >= 0)
    try #require(withAddress(path) { Glibc.bind(listener, $0, $1) } == 0)
    try #require(Glibc.listen(listener, backlog) == 0)
    return listener
}

private func connected(to path: String) throws -> CInt {
    let client = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
    try #require(withAddress(path) { Glibc.connect(client, $0, $1) } == 0)
    return client
}

private func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt) -> CInt {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
}
