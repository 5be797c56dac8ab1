import CDBus

/// The methods that every object answers, spelled once like those of a table.
enum StandardMethod: CaseIterable {
    case get, getAll, set, introspect, ping, machineID

    var row: MethodRow {
        switch self {
        case .get:
            MethodRow(
                name: "Get",
                inputs: [Argument("interface_name", "s"), Argument("property_name", "s")],
                outputs: [Argument("value", "v")]
            )
        case .getAll:
            MethodRow(
                name: "GetAll",
                inputs: [Argument("interface_name", "s")],
                outputs: [Argument("properties", "a{sv}")]
            )
        case .set:
            MethodRow(
                name: "Set",
                inputs: [
                    Argument("interface_name", "s"), Argument("property_name", "s"), Argument("value", "v"),
                ],
                outputs: []
            )
        case .introspect:
            MethodRow(name: "Introspect", inputs: [], outputs: [Argument("xml_data", "s")])
        case .ping: MethodRow(name: "Ping", inputs: [], outputs: [])
        case .machineID: MethodRow(name: "GetMachineId", inputs: [], outputs: [Argument("machine_uuid", "s")])
        }
    }

    /// Whether a path that only leads to objects has the method too.
    var isForEveryPath: Bool {
        switch self {
        case .introspect, .ping, .machineID: true
        case .get, .getAll, .set: false
        }
    }

    /// A standard interface: its methods with their signatures worked out, and its signals.
    struct Group {
        let name: String
        let methods: [(method: StandardMethod, row: MethodRow, inputSignature: String)]
        let signals: [Signal]

        fileprivate init(_ name: String, _ methods: [StandardMethod], signals: [Signal] = []) {
            self.name = name
            self.methods = methods.map { ($0, $0.row, $0.row.inputs.signature) }
            self.signals = signals
        }
    }

    static let interfaces = [
        Group(
            DBUS_INTERFACE_PROPERTIES,
            [.get, .getAll, .set],
            signals: [
                Signal(
                    "PropertiesChanged",
                    [
                        Argument("interface_name", "s"), Argument("changed_properties", "a{sv}"),
                        Argument("invalidated_properties", "as"),
                    ]
                )
            ]
        ),
        Group(DBUS_INTERFACE_INTROSPECTABLE, [.introspect]),
        Group(DBUS_INTERFACE_PEER, [.ping, .machineID]),
    ]

    static func interface(_ name: String) -> Group? { interfaces.first { $0.name == name } }
}
