import BusTestSupport
import DBus
import EventLoop
import Foundation
import Glibc
import Music
import TestSupport
import Testing

/// The service is killed at any moment, under whatever it was asked to do, and comes back as it was last known.
///
/// `TIANLAI_CRASHES=200` kills it more often.
@Suite("kill -9", .waiting, .timeLimit(.minutes(5)))
struct CrashTests {
    private let fixtures: Fixtures
    private let paths: [String]

    init() throws {
        fixtures = try Fixtures()
        let tone = try fixtures.makeTone(MeasuringTone(band: 0, seconds: 600))
        paths = (0..<8).map { [fixtures] in fixtures.folder.path("\($0).mp3") }
        for path in paths { #expect(link(tone, path) == 0) }
    }

    /// What must outlive the process, as clients read it.
    private struct State: Equatable {
        var queue: [String] = []
        var current = ""
        var loop = ""
        var volume = 0.0
        var shuffle = false
        var stopsAfter = false
    }

    /// A client that keeps its connection.
    private struct Client {
        let loop: TestLoop
        let bus: BusConnection

        init(_ service: RunningService) throws {
            loop = try TestLoop()
            bus = try BusConnection(to: BusAddress(service.bus.address), on: loop.loop)
        }

        func call(
            _ path: String,
            _ interface: String,
            _ member: String,
            _ arguments: [BusValue] = []
        ) -> MethodCall {
            MethodCall(
                to: Bus.name,
                path: path,
                interface: interface,
                member,
                arguments,
                startsService: false
            )
        }

        func player(_ member: String, _ arguments: [BusValue] = []) -> MethodCall {
            call(Bus.path, Bus.player, member, arguments)
        }

        func control(_ member: String, _ arguments: [BusValue] = []) -> MethodCall {
            call("/org/tianlai/Control1", "org.tianlai.Control1", member, arguments)
        }

        func set(_ property: String, _ value: BusValue) -> MethodCall {
            call(Bus.path, Bus.properties, "Set", [.string(Bus.player), .string(property), .variant(value)])
        }

        @discardableResult
        func answer(to call: MethodCall) throws -> [BusValue] {
            try bus.callAndWait(call, timeout: .seconds(60))
        }

        func state() throws -> State {
            var state = State()
            let player = try answer(to: call(Bus.path, Bus.properties, "GetAll", [.string(Bus.player)])).first
            let control = try answer(
                to: call("/org/tianlai/Control1", Bus.properties, "GetAll", [.string("org.tianlai.Control1")])
            ).first
            let entries =
                try answer(to: self.control("Queue", [.uint32(0), .uint32(1000)])).first?.elements ?? []
            state.queue = entries.compactMap { $0["mpris:trackid"]?.text }
            // Metadata may show the track before for a moment, until all is known of this one.
            if let index = control?["QueueIndex"]?.integer, state.queue.indices.contains(Int(index)) {
                state.current = state.queue[Int(index)]
            }
            state.loop = player?["LoopStatus"]?.text ?? ""
            state.volume = player?["Volume"]?.double ?? -1
            state.shuffle = player?["Shuffle"]?.boolean ?? false
            state.stopsAfter = control?["StopAfterCurrent"]?.boolean ?? false
            return state
        }

        /// The position, where it is that of `track`: for a moment that of the track before is shown.
        func position(of track: String) throws -> Int64? {
            let player = try answer(to: call(Bus.path, Bus.properties, "GetAll", [.string(Bus.player)])).first
            guard player?["Metadata"]?["mpris:trackid"]?.text == track else { return nil }
            return player?["Position"]?.integer
        }
    }

    @Test("every restart has the last acknowledged state, and at most a second of the position is lost")
    func kills() throws {
        let count = ProcessInfo.processInfo.environment["TIANLAI_CRASHES"].flatMap { Int($0) } ?? 12
        var random = SplitMix(state: 42)
        let service = try RunningService(paths)
        for _ in 0..<count {
            let client = try Client(service)
            let initial = try client.state()
            try client.answer(to: client.player("Play"))
            // Commands that are answered must last.
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                try client.answer(to: try command(client, initial, &random))
            }
            let before = try client.state()
            let place = try client.position(of: before.current)
            // This one may or may not get through.
            let (last, after) = lastCommand(client, before, &random)
            if Bool.random(using: &random) { try client.bus.send(last) }
            client.bus.flush(within: .seconds(0.1))
            let delay = UInt32.random(in: 0...3000, using: &random)
            if delay > 0 { usleep(delay) }
            service.process.kill()
            #expect(service.process.report.errors.isEmpty, "\(service.process.report.errorText)")
            try service.waitForName(isOwned: false)
            try service.restart([])
            let fresh = try Client(service)
            let state = try fresh.state()
            #expect(state == before || state == after, "\(state) is neither \(before) nor \(after)")
            #expect(try service.get("PlaybackStatus") == .text("Paused"))
            if state.current == before.current, let place {
                let restored = try #require(try fresh.position(of: state.current))
                #expect(restored > place - 1_100_000, "\(place - restored) µs lost")
            }
            guard state == before || state == after else { break }
        }
    }

    private func command(_ client: Client, _ state: State, _ random: inout SplitMix) throws -> MethodCall {
        let ids = state.queue.shuffled(using: &random).map(BusValue.objectPath)
        switch Int.random(in: 0..<10, using: &random) {
        case 0: return client.player("Next")
        case 1: return client.player("Previous")
        case 2:
            return client.control(
                "Move",
                [.array(of: "o", Array(ids.prefix(2))), ids.last ?? .objectPath("/")]
            )
        case 3 where ids.count > 4: return client.control("Remove", [.array(of: "o", Array(ids.prefix(1)))])
        case 4:
            let uri = "file://\(paths.randomElement(using: &random) ?? "")"
            return client.control(
                "Add",
                [.strings([uri]), .string(["end", "next", "start"].randomElement(using: &random) ?? "end")]
            )
        case 5: return client.set("Shuffle", .boolean(Bool.random(using: &random)))
        case 6:
            return client.set(
                "LoopStatus",
                .string(["None", "Track", "Playlist"].randomElement(using: &random) ?? "None")
            )
        case 7:
            return client.player("Seek", [.int64(Int64.random(in: -20_000_000...20_000_000, using: &random))])
        case 8: return client.set("Volume", .double(Double.random(in: 0...1, using: &random)))
        default: return client.control("GoTo", [ids.first ?? .objectPath("/")])
        }
    }

    /// A command of which the outcome can be foretold, and that outcome.
    private func lastCommand(
        _ client: Client,
        _ state: State,
        _ random: inout SplitMix
    ) -> (MethodCall, State) {
        var after = state
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
            after.volume = Double.random(in: 0...1, using: &random)
            return (client.set("Volume", .double(after.volume)), after)
        case 1:
            // Not the current one, which would only begin anew.
            after.current = state.queue.filter { $0 != state.current }.randomElement(using: &random) ?? ""
            return (client.control("GoTo", [.objectPath(after.current)]), after)
        default:
            let removed = state.queue.filter { $0 != state.current }.randomElement(using: &random) ?? "/none"
            after.queue.removeAll { $0 == removed }
            return (client.control("Remove", [.objectPaths([removed])]), after)
        }
    }
}

/// A seed gives the same run again.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
