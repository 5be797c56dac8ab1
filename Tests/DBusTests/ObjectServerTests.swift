import BusTestSupport
import DBus
import Music
import TestSupport
import Testing

/// What the table in these tests acts on.
private final class Kettle {
    var temperature = 20.0
    var label = "kettle"
    var boils = 0
    var isBroken = false
    var echoed: BusValue = .string("")
}

private let path = "/org/example/Kettle"
private let interface = "org.example.Kettle"
private let properties = "org.freedesktop.DBus.Properties"

private let table = Interface<Kettle>(
    interface,
    methods: [
        .plain("Boil") { $0.boils += 1 },
        Method("Add", in: [Argument("A", "i"), Argument("B", "i")], out: [Argument("Sum", "i")]) {
            _,
            arguments in
            let sum = arguments.compactMap(\.integer).reduce(0, +)
            return [.int32(Int32(clamping: sum))]
        },
        Method("Fail") { (_, _) throws(CallError) in
            throw CallError(name: "not an error name", message: "broken\0 element")
        },
        Method("Lie", out: [Argument("Number", "i")]) { _, _ in [.string("not a number")] },
        Method("BadPath", out: [Argument("Path", "o")]) { _, _ in [.objectPath("no path")] },
        Method("Echo", in: [Argument("In", "v")], out: [Argument("Out", "v")]) { _, arguments in arguments },
    ],
    properties: [
        Property(
            "Temperature",
            "d",
            get: { .double($0.temperature) },
            set: { (kettle, value) throws(CallError) in
                guard let temperature = value.double, temperature <= 100 else {
                    throw .invalidArguments("too hot")
                }
                kettle.temperature = temperature
            }
        ),
        Property("Label", "s", get: { .string($0.label) }),
        Property("Age", "x", emits: .nothing, get: { _ in .int64(7) }),
        Property("Leaves", "ao", emits: .invalidation, get: { _ in .objectPaths(["/a"]) }),
        Property("Broken", "s", get: { $0.isBroken ? .int32(1) : .string("fine") }),
    ],
    signals: [Signal("Boiled", [Argument("Temperature", "d")])]
)

/// A kettle served to a client, each over a connection of its own, on one loop.
private final class Kitchen {
    let bus: PrivateBus
    let loop: TestLoop
    let kettle = Kettle()
    let server = ObjectServer()
    let service: BusConnection
    let client: BusConnection

    init() throws {
        bus = try PrivateBus()
        loop = try TestLoop()
        service = try BusConnection(to: BusAddress(bus.address), on: loop.loop)
        client = try BusConnection(to: BusAddress(bus.address), on: loop.loop)
        server.export(path, [table.serving(kettle)])
        server.attach(service)
    }

    func call(
        _ member: String,
        _ arguments: [BusValue] = [],
        on name: String = interface,
        at path: String = path
    ) throws -> Result<[BusValue], CallError> {
        let call = MethodCall(to: service.uniqueName, path: path, interface: name, member, arguments)
        return try loop.call(call, over: client)
    }
}

@Suite(.timeLimit(.minutes(5)))
struct ObjectServerTests {
    @Test("methods get their arguments and their results get back")
    func methods() throws {
        let kitchen = try Kitchen()
        #expect(try kitchen.call("Boil") == .success([]))
        #expect(kitchen.kettle.boils == 1)
        #expect(try kitchen.call("Add", [.int32(2), .int32(40)]) == .success([.int32(42)]))
    }

    struct Refusal: CustomTestStringConvertible {
        var member: String
        var arguments: [BusValue] = []
        var on = interface
        var at = path
        var error: String
        var testDescription: String { "\(at) \(on).\(member) \(arguments)" }
    }

    @Test(
        "what is wrong is refused by its standard name",
        arguments: [
            Refusal(member: "Boil", at: "/org/example/Teapot", error: "UnknownObject"),
            Refusal(member: "Boil", at: "/", error: "UnknownObject"),
            Refusal(
                member: "Introspect",
                on: "org.freedesktop.DBus.Introspectable",
                at: "/other",
                error: "UnknownObject"
            ),
            Refusal(
                member: "GetAll",
                arguments: [.string(interface)],
                on: properties,
                at: "/org",
                error: "UnknownObject"
            ),
            Refusal(member: "Boil", on: "org.example.Teapot", error: "UnknownInterface"),
            Refusal(member: "Pour", error: "UnknownMethod"),
            Refusal(member: "boil", error: "UnknownMethod"),
            Refusal(member: "Pour", on: properties, error: "UnknownMethod"),
            Refusal(member: "Boil", arguments: [.int32(1)], error: "InvalidArgs"),
            Refusal(member: "Add", arguments: [.int32(1)], error: "InvalidArgs"),
            Refusal(member: "Add", arguments: [.int32(1), .string("2")], error: "InvalidArgs"),
            Refusal(member: "Get", on: properties, error: "InvalidArgs"),
            Refusal(
                member: "Introspect",
                arguments: [.byte(1)],
                on: "org.freedesktop.DBus.Introspectable",
                error: "InvalidArgs"
            ),
            Refusal(
                member: "Get",
                arguments: [.string(interface), .string("Colour")],
                on: properties,
                error: "UnknownProperty"
            ),
            Refusal(
                member: "Get",
                arguments: [.string("org.x.Y"), .string("Label")],
                on: properties,
                error: "UnknownInterface"
            ),
            Refusal(
                member: "Get",
                arguments: [.string(properties), .string("Label")],
                on: properties,
                error: "UnknownProperty"
            ),
            Refusal(
                member: "GetAll",
                arguments: [.string("org.x.Y")],
                on: properties,
                error: "UnknownInterface"
            ),
            Refusal(
                member: "Set",
                arguments: [.string(interface), .string("Label"), .variant(.string("pot"))],
                on: properties,
                error: "PropertyReadOnly"
            ),
            Refusal(
                member: "Set",
                arguments: [.string(interface), .string("Colour"), .variant(.string("red"))],
                on: properties,
                error: "UnknownProperty"
            ),
            Refusal(
                member: "Set",
                arguments: [.string(interface), .string("Temperature"), .variant(.int32(1))],
                on: properties,
                error: "InvalidArgs"
            ),
            Refusal(
                member: "Set",
                arguments: [.string(interface), .string("Temperature"), .variant(.double(101))],
                on: properties,
                error: "InvalidArgs"
            ),
            Refusal(member: "Fail", error: "Failed"),
            Refusal(member: "Lie", error: "Failed"),
            Refusal(member: "BadPath", error: "Failed"),
        ]
    )
    func refusals(_ refusal: Refusal) throws {
        let kitchen = try Kitchen()
        let answer = try kitchen.call(refusal.member, refusal.arguments, on: refusal.on, at: refusal.at)
        #expect(answer.failure?.name == "org.freedesktop.DBus.Error." + refusal.error)
        #expect(kitchen.kettle.boils == 0)
        #expect(kitchen.kettle.temperature == 20)
    }

    @Test("Get, GetAll and Set read the same rows")
    func readingAndSetting() throws {
        let kitchen = try Kitchen()
        let set: [BusValue] = [.string(interface), .string("Temperature"), .variant(.double(80))]
        #expect(try kitchen.call("Set", set, on: properties) == .success([]))
        #expect(kitchen.kettle.temperature == 80)
        let get: [BusValue] = [.string(interface), .string("Temperature")]
        #expect(try kitchen.call("Get", get, on: properties) == .success([.variant(.double(80))]))
        let all = try kitchen.call("GetAll", [.string(interface)], on: properties).get()
        #expect(
            all == [
                .variants([
                    ("Temperature", .double(80)), ("Label", .string("kettle")), ("Age", .int64(7)),
                    ("Leaves", .objectPaths(["/a"])), ("Broken", .string("fine")),
                ])
            ]
        )
        #expect(try kitchen.call("GetAll", [.string("")], on: properties).get() == all)
        #expect(try kitchen.call("GetAll", [.string(properties)], on: properties).get() == [.variants([])])
    }

    @Test("a property of another type than its row says is refused, not sent")
    func wrongPropertyType() throws {
        let kitchen = try Kitchen()
        kitchen.kettle.isBroken = true
        let get: [BusValue] = [.string(interface), .string("Broken")]
        #expect(
            try kitchen.call("Get", get, on: properties).failure?.name == "org.freedesktop.DBus.Error.Failed"
        )
        #expect(try kitchen.call("GetAll", [.string(interface)], on: properties).failure != nil)
    }

    @Test("text that C or the bus cannot carry is repaired, whatever its length")
    func hostileText() throws {
        let kitchen = try Kitchen()
        let long = String(repeating: "天", count: 350_000)
        let texts = [
            ("a\0b", "a\u{FFFD}b"), ("\0", "\u{FFFD}"), (long, long), (long + "\0", long + "\u{FFFD}"),
            (Text.clean(bytes: [0x41, 0xFF, 0xC0, 0x80]), "A\u{FFFD}\u{FFFD}\u{FFFD}"),
            ("\u{FFFE}\u{10FFFF}\u{FEFF}", "\u{FFFE}\u{10FFFF}\u{FEFF}"),
        ]
        for (sent, received) in texts {
            kitchen.kettle.label = sent
            let answer = try kitchen.call("Get", [.string(interface), .string("Label")], on: properties)
            #expect(answer == .success([.variant(.string(received))]))
        }
        for name in ["no\0name", long, "", "'; drop"] {
            let answer = try kitchen.call("Get", [.string(interface), .string(name)], on: properties)
            #expect(answer.failure?.name == "org.freedesktop.DBus.Error.UnknownProperty")
            let other = try kitchen.call("GetAll", [.string(name + ".")], on: properties)
            #expect(other.failure?.name == "org.freedesktop.DBus.Error.UnknownInterface")
        }
    }

    @Test(
        "every type comes back as it was sent",
        arguments: [
            .byte(255), .boolean(true), .boolean(false), .int16(.min), .uint16(.max), .int32(.min),
            .uint32(.max),
            .int64(.min), .uint64(.max), .double(-0.1), .string("天籟"), .objectPath("/a/b_1"),
            .signature("a{sv}(ii)"), .strings([]), .strings(["", "x"]), .objectPaths(["/"]),
            .array(of: "a{sv}", [.variants([]), .variants([("k", .byte(1))])]),
            .array(of: "(oss)", []),
            .structure([.boolean(true), .structure([.objectPath("/"), .string("n"), .string("")])]),
            .dictionary(
                key: "i",
                value: "as",
                [.init(.int32(2), .strings(["b"])), .init(.int32(1), .strings([]))]
            ),
            .variants([("z", .strings(["1"])), ("a", .variant(.variant(.int64(3))))]),
        ] as [BusValue]
    )
    func roundTrip(_ value: BusValue) throws {
        let kitchen = try Kitchen()
        #expect(try kitchen.call("Echo", [.variant(value)]) == .success([.variant(value)]))
    }

    @Test(
        "what cannot be sent is an error where it is sent, and nothing worse",
        arguments: [
            .objectPath(""), .objectPath("a"), .objectPath("/a/"), .objectPath("/a\0"), .objectPath("/ü"),
            .signature("z"), .signature("a"), .structure([]), .descriptor(nil), .array(of: "", []),
            .array(of: "ii", []), .array(of: "z", []), .array(of: "s", [.int32(1)]),
            .array(of: "as", [.strings(["x"]), .objectPaths([])]),
            .dictionary(key: "v", value: "s", []), .dictionary(key: "s", value: "", []),
            .dictionary(key: "s", value: "i", [.init(.string("x"), .string("y"))]),
            (0..<40).reduce(.byte(1)) { value, _ in .variant(value) },
            .array(of: String(repeating: "a", count: 40) + "s", []),
        ] as [BusValue]
    )
    func unsendable(_ value: BusValue) throws {
        let kitchen = try Kitchen()
        #expect(throws: CallError.self) { try kitchen.call("Echo", [.variant(value)]) }
        #expect(!kitchen.server.emit(path, interface, "Boiled", [value]))
        #expect(try kitchen.call("Boil") == .success([]))
    }

    @Test("a call that wants no reply has its effect, and the calls after it are answered")
    func noReply() throws {
        let kitchen = try Kitchen()
        try kitchen.client.send(
            MethodCall(to: kitchen.service.uniqueName, path: path, interface: interface, "Boil")
        )
        try kitchen.client.send(
            MethodCall(to: kitchen.service.uniqueName, path: path, interface: interface, "Pour")
        )
        #expect(try kitchen.call("Add", [.int32(1), .int32(1)]) == .success([.int32(2)]))
        #expect(kitchen.kettle.boils == 1)
    }

    @Test("signals reach whoever listens, in the order sent")
    func signals() throws {
        let kitchen = try Kitchen()
        var heard: [ReceivedSignal] = []
        let subscription = kitchen.client.subscribe(SignalMatch(from: kitchen.service.uniqueName, path: path))
        {
            heard.append($0)
        }
        // Answered after the bus has seen the match.
        _ = try kitchen.client.callAndWait(.bus("GetId"))
        kitchen.server.propertiesChanged(
            path,
            interface,
            changed: [("Label", .string("x")), ("A", .byte(1))]
        )
        kitchen.server.emit(path, interface, "Boiled", [.double(100)])
        try kitchen.loop.wait("two signals") { heard.count == 2 }
        #expect(heard.map(\.member) == ["PropertiesChanged", "Boiled"])
        #expect(
            heard[0].arguments
                == [.string(interface), .variants([("Label", .string("x")), ("A", .byte(1))]), .strings([])]
        )
        subscription.cancel()
        kitchen.server.emit(path, interface, "Boiled", [.double(100)])
        #expect(try kitchen.call("Boil") == .success([]))
        #expect(heard.count == 2)
    }

    @Test("clients that vanish before the reply do no harm")
    func rudeClients() throws {
        let kitchen = try Kitchen()
        for _ in 0..<20 {
            let rude = try BusConnection(to: BusAddress(kitchen.bus.address), on: kitchen.loop.loop)
            for _ in 0..<50 {
                try rude.call(
                    MethodCall(to: kitchen.service.uniqueName, path: path, interface: interface, "Boil")
                ) {
                    _ in
                }
            }
            rude.close()
        }
        try kitchen.loop.wait("all calls") { kitchen.kettle.boils == 1000 }
        #expect(try kitchen.call("Boil") == .success([]))
    }

    @Test("objects are served on as before over a new connection after the bus has gone")
    func reattach() throws {
        let kitchen = try Kitchen()
        var losses = 0
        kitchen.service.onDisconnected = { losses += 1 }
        kitchen.bus.kill()
        try kitchen.loop.wait("the loss of the bus") { losses == 1 }
        #expect(!kitchen.service.isConnected)
        #expect(!kitchen.server.emit(path, interface, "Boiled", [.double(100)]))

        let bus = try PrivateBus()
        let service = try BusConnection(to: BusAddress(bus.address), on: kitchen.loop.loop)
        let client = try BusConnection(to: BusAddress(bus.address), on: kitchen.loop.loop)
        kitchen.server.attach(service)
        let call = MethodCall(to: service.uniqueName, path: path, interface: interface, "Boil")
        #expect(try kitchen.loop.call(call, over: client) == .success([]))
        #expect(losses == 1)
    }

    @Test("every path on the way to an object tells what is below it, and Peer answers anywhere")
    func standardInterfaces() throws {
        let kitchen = try Kitchen()
        let introspectable = "org.freedesktop.DBus.Introspectable"
        for (path, child) in [("/", "org"), ("/org", "example"), ("/org/example", "Kettle")] {
            let xml = try kitchen.call("Introspect", on: introspectable, at: path).get().first?.text ?? ""
            #expect(xml.contains("<node name=\"\(child)\"/>"))
        }
        let xml = try kitchen.call("Introspect", on: introspectable).get().first?.text ?? ""
        for part in [
            "<interface name=\"org.example.Kettle\">", "<method name=\"Boil\"/>",
            "<arg name=\"A\" type=\"i\" direction=\"in\"/>",
            "<arg name=\"Sum\" type=\"i\" direction=\"out\"/>",
            "<property name=\"Temperature\" type=\"d\" access=\"readwrite\"/>",
            "<property name=\"Label\" type=\"s\" access=\"read\"/>",
            "<annotation name=\"org.freedesktop.DBus.Property.EmitsChangedSignal\" value=\"invalidates\"/>",
            "<arg name=\"Temperature\" type=\"d\"/>", "<interface name=\"org.freedesktop.DBus.Peer\">",
        ] {
            #expect(xml.contains(part), "\(part)")
        }
        let peer = "org.freedesktop.DBus.Peer"
        #expect(try kitchen.call("Ping", on: peer, at: "/nowhere") == .success([]))
        switch try kitchen.call("GetMachineId", on: peer) {
        case .success(let values): #expect(values.first?.text?.utf8.count == 32)
        case .failure(let error): #expect(error.name == "org.freedesktop.DBus.Error.Failed")
        }
    }
}
