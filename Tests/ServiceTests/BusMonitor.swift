import TestSupport

/// A signal that went over the bus.
struct BusSignal: Equatable, Sendable {
    var path: String
    var interface: String
    var member: String
    var arguments: [BusText]
    /// When it went over the bus, in seconds of the wall clock.
    var time = 0.0

    /// The interface that it is about.
    var subject: String { member == "PropertiesChanged" ? arguments.first?.text ?? "" : interface }

    /// The properties that a `PropertiesChanged` of the Player interface tells, in the order sent.
    var changes: BusText? { changes(of: Bus.player) }

    /// The properties that a `PropertiesChanged` of an interface tells, in the order sent.
    func changes(of interface: String) -> BusText? {
        guard member == "PropertiesChanged", subject == interface else { return nil }
        return arguments[1]
    }

    /// What it says in short, such as `PropertiesChanged Metadata Position` or `Seeked`.
    var summary: String {
        ([member] + (changes?.names ?? [])).joined(separator: " ")
    }
}

/// Listens to a bus with `dbus-monitor` and remembers what the player says there.
final class BusMonitor {
    private let bus: PrivateBus
    private let record: Observed<Record>
    private let listener: ChildProcess

    fileprivate struct Record: Sendable {
        var signals: [BusSignal] = []
        var unread: [UInt8] = []
    }

    /// Listens when this returns.
    init(on bus: PrivateBus) throws {
        let record = Observed(Record())
        self.bus = bus
        self.record = record
        let rules = [
            "type='signal',interface='\(Bus.properties)'",
            "type='signal',interface='\(Bus.player)'",
            "type='signal',interface='\(Bus.trackList)'",
            "type='signal',interface='\(Bus.playlists)'",
            "type='signal',interface='\(Fence.interface)'",
            "type='signal',interface='org.freedesktop.DBus',member='NameOwnerChanged'",
        ]
        listener = try ChildProcess(
            ["dbus-monitor", "--address", bus.address] + rules,
            environment: ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"]
        ) { bytes in
            record.update { $0.take(bytes) }
        }
        // A monitor loses its name: from then on it hears everything.
        guard wait(find: { $0.contains { $0.member == "NameLost" } ? true : nil }) != nil else {
            throw TestFailure("dbus-monitor does not listen: \(listener.report.errorText)")
        }
        record.update { $0.signals = [] }
    }

    /// How many signals there were so far: a mark to count from.
    var mark: Int { record.look { $0.signals.count } }

    /// A mark behind all that was sent before this call.
    func settle() throws -> Int {
        _ = try playerSignals(since: 0)
        return mark
    }

    /// The signals of the player's interface since `mark`, after all that was sent before this call has come in.
    func playerSignals(since mark: Int) throws -> [BusSignal] {
        try signals(since: mark).filter { $0.subject == Bus.player }
    }

    /// All signals of the service since `mark`, after all that was sent before this call has come in.
    func signals(since mark: Int) throws -> [BusSignal] {
        let fence = Fence()
        // Only behind an answer of the service does all that it has sent lie before the fence.
        _ = try Bus.call(on: bus, "org.freedesktop.DBus.Peer.Ping")
        try Bus.send(on: bus, fence.path, "\(Fence.interface).Passed")
        let signals = wait { signals in
            signals.firstIndex { $0.path == fence.path }.map { Array(signals[min(mark, $0)..<$0]) }
        }
        guard let signals else { throw TestFailure("dbus-monitor does not hear any more") }
        return signals.filter { $0.path == Bus.path || $0.path == Bus.controlPath }
    }

    /// Waits until the signals since `mark` satisfy `find`, or returns `nil` when the deadline has passed.
    func wait<Found>(
        since mark: Int = 0,
        within limit: Duration = .seconds(10),
        find: (ArraySlice<BusSignal>) -> Found?
    ) -> Found? {
        record.wait(within: limit) { find($0.signals.dropFirst(mark)) }
    }

    deinit { listener.kill() }
}

/// A signal of a test's own, behind which everything that came before is known to have come in.
private struct Fence {
    static let interface = "org.tianlai.Test"
    let path = "/fence/\(UInt64.random(in: 0 ... .max))"
}

extension BusMonitor.Record {
    /// Takes what `dbus-monitor` has printed; a signal counts when it is all there.
    mutating func take(_ bytes: UnsafeRawBufferPointer) {
        unread += bytes
        guard let end = unread.lastIndex(of: 10) else { return }
        let lines = String(decoding: unread[..<end], as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
        // Values are indented, but for what follows a line break in a text.
        let heads = lines.indices.filter { lines[$0].hasPrefix("signal ") }
        var consumed = 0
        for (head, next) in zip(heads, heads.dropFirst() + [lines.endIndex]) {
            guard let signal = BusSignal(lines[head], lines[(head + 1)..<next]) else { break }
            signals.append(signal)
            consumed += lines[head..<next].reduce(0) { $0 + $1.utf8.count + 1 }
        }
        unread.removeFirst(consumed)
    }
}

extension BusSignal {
    /// Reads the printed head and values of a signal; `nil` where values are missing.
    fileprivate init?(_ head: Substring, _ lines: ArraySlice<Substring>) {
        func field(_ name: String) -> String {
            guard let range = head.firstRange(of: "\(name)=") else { return "" }
            return String(head[range.upperBound...].prefix { $0 != ";" && $0 != " " })
        }
        time = Double(field(" time")) ?? 0
        (path, interface, member) = (field(" path"), field(" interface"), field(" member"))
        let counts = [
            "PropertiesChanged": 3, "NameOwnerChanged": 3, "Passed": 0, "TrackListReplaced": 2,
            "TrackAdded": 2,
            "TrackMetadataChanged": 2,
        ]
        guard let values = BusText.values(in: lines), values.count == counts[member] ?? 1 else { return nil }
        arguments = values
    }
}
