import CDBus
import Glibc
import Music

/// Where a bus listens, and whether anybody accepts there.
///
/// A bus is never started: without an address libdbus would try to launch one through X11 (C113, C114).
package struct BusAddress: Equatable, Sendable {
    /// In D-Bus's notation, such as `unix:path=/run/user/1000/bus`.
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    /// The session bus as `environment` names it: `DBUS_SESSION_BUS_ADDRESS`, else the socket `bus` in
    /// `XDG_RUNTIME_DIR`.
    package static func session(
        environment: (String) -> String? = { name in getenv(name).map { String(cString: $0) } }
    ) throws(BusError) -> BusAddress {
        let variable = environment("DBUS_SESSION_BUS_ADDRESS") ?? ""
        let known = variable.split(separator: ";").filter { !$0.hasPrefix("autolaunch:") }
        if !known.isEmpty { return BusAddress(known.joined(separator: ";")) }
        guard let directory = environment("XDG_RUNTIME_DIR"), !directory.isEmpty else {
            throw .noSessionBus(
                "DBUS_SESSION_BUS_ADDRESS and XDG_RUNTIME_DIR are not set; log in to a desktop session, "
                    + "or run this under dbus-run-session"
            )
        }
        let socket = directory + "/bus"
        guard access(socket, F_OK) == 0 else {
            throw .noSessionBus(
                "DBUS_SESSION_BUS_ADDRESS is not set and there is no \(socket); start the bus of the session "
                    + "(systemctl --user start dbus.socket), or run this under dbus-run-session"
            )
        }
        guard let escaped = dbus_address_escape_value(socket) else { throw .outOfMemory }
        defer { dbus_free(escaped) }
        return BusAddress("unix:path=" + String(cString: escaped))
    }

    /// The bus of the machine as `environment` names it: `DBUS_SYSTEM_BUS_ADDRESS`, else where it always is.
    package static func system(
        environment: (String) -> String? = { name in getenv(name).map { String(cString: $0) } }
    ) -> BusAddress {
        let variable = environment("DBUS_SYSTEM_BUS_ADDRESS") ?? ""
        return BusAddress(variable.isEmpty ? "unix:path=/run/dbus/system_bus_socket" : variable)
    }

    /// Waits until a Unix socket of the address accepts, at most until `deadline` milliseconds have passed.
    ///
    /// libdbus connects in blocking mode, and the kernel lets that wait for ever where a bus has stopped accepting.
    /// Only such a full queue is found out here; all other failures libdbus tells better. TCP is not looked at.
    func waitUntilAccepting(milliseconds deadline: Int) throws(BusError) {
        var waited = 0
        while !(try couldAccept()) {
            guard waited < deadline else { throw .noAnswer(text) }
            usleep(50_000)
            waited += 50
        }
    }

    private func couldAccept() throws(BusError) -> Bool {
        var entries: UnsafeMutablePointer<OpaquePointer?>?
        var count: CInt = 0
        guard !text.utf8.contains(0), dbus_parse_address(text, &entries, &count, nil) != 0, let entries else {
            throw .badAddress(Text.cleanLine(text))
        }
        defer { dbus_address_entries_free(entries) }
        for index in 0..<Int(count) {
            let path = dbus_address_entry_get_value(entries[index], "path").map { String(cString: $0) }
            let name = dbus_address_entry_get_value(entries[index], "abstract").map {
                "\0" + String(cString: $0)
            }
            guard let socket = path ?? name else { return true }
            if Self.isQueueOpen(socket) { return true }
        }
        return false
    }

    /// Whether a connection to the Unix socket would be queued at once, or refused at once.
    private static func isQueueOpen(_ name: String) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(name.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return true }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let probe = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_NONBLOCK.rawValue), 0)
        guard probe >= 0 else { return true }
        defer { close(probe) }
        let length = MemoryLayout<sa_family_t>.size + bytes.count + (bytes.first == 0 ? 0 : 1)
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(probe, $0, socklen_t(length)) }
        }
        return status == 0 || errno != EAGAIN
    }
}

/// Why there is no connection to the bus, in one line that says how to mend it.
package enum BusError: Error, Equatable, CustomStringConvertible {
    /// There is no session bus; the text says what is missing.
    case noSessionBus(String)
    /// The address is not one.
    case badAddress(String)
    /// Nothing can be reached at the address.
    case unreachable(String, String)
    /// Something listens at the address and does not answer.
    case noAnswer(String)
    /// The bus does not let us in, or not by that name.
    case refused(String)
    case outOfMemory

    package var description: String {
        switch self {
        case .noSessionBus(let what): "no session bus: \(what)"
        case .badAddress(let text):
            "'\(text)' is not the address of a bus; check DBUS_SESSION_BUS_ADDRESS"
        case .unreachable(let address, let why):
            "cannot reach the session bus at \(address) (\(why)); is the session still running?"
        case .noAnswer(let address):
            "the session bus at \(address) does not answer; restart the session, or check "
                + "DBUS_SESSION_BUS_ADDRESS"
        case .refused(let why): "the session bus refuses: \(why)"
        case .outOfMemory: "out of memory"
        }
    }
}
