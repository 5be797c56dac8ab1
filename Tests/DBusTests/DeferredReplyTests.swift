import BusTestSupport
import DBus
import Music
import TestSupport
import Testing

/// What the table in these tests acts on: the answers that are owed.
private final class Orders {
    var owed: [Answer] = []
}

/// A kitchen that takes orders, and a guest, each with a connection of its own, on one loop.
private final class Kitchen {
    let bus: PrivateBus
    let loop: TestLoop
    let server = ObjectServer()
    var service: BusConnection
    var client: BusConnection
    private let orders = Orders()

    /// The answers that are owed.
    var owed: [Answer] {
        get { orders.owed }
        set { orders.owed = newValue }
    }

    init() throws {
        bus = try PrivateBus()
        loop = try TestLoop()
        service = try BusConnection(to: BusAddress(bus.address), on: loop.loop)
        client = try BusConnection(to: BusAddress(bus.address), on: loop.loop)
        server.export(path, [table.serving(orders)])
        server.attach(service)
    }

    /// Sends a call and returns what will hold its answer.
    func send(_ member: String, _ arguments: [BusValue] = []) throws -> Slip {
        let slip = Slip()
        let call = MethodCall(to: service.uniqueName, path: path, interface: interface, member, arguments)
        try client.call(call, timeout: .seconds(4)) { slip.answers.append($0) }
        return slip
    }

    /// Sends an order and waits until it is owed.
    func order(_ dish: String) throws -> Slip {
        let count = owed.count
        let slip = try send("Order", [.string(dish)])
        try loop.wait("the order") { owed.count == count + 1 }
        return slip
    }

    func answer(to slip: Slip) throws -> Result<[BusValue], CallError>? {
        try loop.wait("the answer") { !slip.answers.isEmpty }
        return slip.answers.last
    }
}

/// The answers to one call.
private final class Slip {
    var answers: [Result<[BusValue], CallError>] = []
}

private let path = "/org/example/Kitchen"
private let interface = "org.example.Kitchen"

private let table = Interface<Orders>(
    interface,
    methods: [
        .deferred("Order", in: [Argument("Dish", "s")], out: [Argument("Plate", "s")]) { orders, _, answer in
            orders.owed.append(answer)
        },
        .deferred("Ready", out: [Argument("Plate", "s")]) { _, _, answer in
            answer(.success([.string("soup")]))
        },
        .deferred("Forget", out: [Argument("Plate", "s")]) { _, _, _ in },
        .deferred("Refuse") { (_, _, _) throws(CallError) in throw .invalidArguments("sold out") },
        .deferred("Waver", out: [Argument("Plate", "s")]) { (_, _, answer) throws(CallError) in
            answer(.success([.string("first")]))
            answer(.success([.string("second")]))
            throw .failed("third")
        },
    ]
)

@Suite(.timeLimit(.minutes(5)))
struct DeferredReplyTests {
    @Test("answers come when they are ready, in any order, and calls are served meanwhile")
    func later() throws {
        let kitchen = try Kitchen()
        let (fish, rice) = (try kitchen.order("fish"), try kitchen.order("rice"))
        #expect(try kitchen.answer(to: try kitchen.send("Ready")) == .success([.string("soup")]))
        #expect(fish.answers.isEmpty && rice.answers.isEmpty)
        kitchen.owed[1](.success([.string("rice")]))
        #expect(try kitchen.answer(to: rice) == .success([.string("rice")]))
        #expect(fish.answers.isEmpty)
        kitchen.owed[0](.failure(.failed("burnt")))
        #expect(try kitchen.answer(to: fish) == .failure(.failed("burnt")))
    }

    @Test("only the first answer counts")
    func once() throws {
        let kitchen = try Kitchen()
        #expect(try kitchen.answer(to: try kitchen.send("Waver")) == .success([.string("first")]))
        let fish = try kitchen.order("fish")
        kitchen.owed[0](.success([.string("fish")]))
        kitchen.owed[0](.success([.string("more fish")]))
        #expect(try kitchen.answer(to: fish) == .success([.string("fish")]))
        kitchen.owed[0](.success([.string("even more fish")]))
        #expect(try kitchen.answer(to: try kitchen.send("Ready")) == .success([.string("soup")]))
        #expect(fish.answers.count == 1)
    }

    @Test("a closure that is dropped, and a handler that throws, answer with an error")
    func errors() throws {
        let kitchen = try Kitchen()
        let forgotten = try kitchen.answer(to: try kitchen.send("Forget"))
        #expect(forgotten == .failure(.failed("the call was not answered")))
        let fish = try kitchen.order("fish")
        kitchen.owed = []
        #expect(try kitchen.answer(to: fish) == .failure(.failed("the call was not answered")))
        let refused = try kitchen.answer(to: try kitchen.send("Refuse"))
        #expect(refused == .failure(.invalidArguments("sold out")))
    }

    @Test("an answer of the wrong types is an error")
    func wrongTypes() throws {
        let kitchen = try Kitchen()
        for outputs in [[], [.int32(1)], [.string("a"), .string("b")]] as [[BusValue]] {
            let slip = try kitchen.order("fish")
            kitchen.owed.last?(.success(outputs))
            #expect(try kitchen.answer(to: slip)?.failure?.name == "org.freedesktop.DBus.Error.Failed")
        }
    }

    @Test("callers and connections that have gone meanwhile are no harm, nor are calls that want no answer")
    func gone() throws {
        let kitchen = try Kitchen()
        _ = try kitchen.order("fish")
        let order = MethodCall(
            to: kitchen.service.uniqueName,
            path: path,
            interface: interface,
            "Order",
            [.string("rice")]
        )
        try kitchen.client.send(order)
        try kitchen.loop.wait("two orders") { kitchen.owed.count == 2 }
        kitchen.client.close()
        kitchen.client = try BusConnection(to: BusAddress(kitchen.bus.address), on: kitchen.loop.loop)
        kitchen.owed[0](.success([.string("cold fish")]))
        kitchen.owed[1](.success([.string("cold rice")]))
        #expect(try kitchen.answer(to: try kitchen.send("Ready")) == .success([.string("soup")]))

        let tea = try kitchen.order("tea")
        kitchen.service.close()
        kitchen.owed[2](.success([.string("cold tea")]))
        kitchen.service = try BusConnection(to: BusAddress(kitchen.bus.address), on: kitchen.loop.loop)
        kitchen.server.attach(kitchen.service)
        #expect(try kitchen.answer(to: try kitchen.send("Ready")) == .success([.string("soup")]))
        #expect(try kitchen.answer(to: tea)?.failure?.isNoReply == true)
    }
}
