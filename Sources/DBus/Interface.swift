/// A D-Bus interface as a table, each member spelled once.
///
/// Dispatch, `Get`, `GetAll`, `Set` and introspection all read the same row. `Target` is what the handlers
/// act on; they capture nothing, so a table can be a constant.
package struct Interface<Target>: Sendable {
    package var name: String
    package var methods: [Method<Target>]
    package var properties: [Property<Target>]
    package var signals: [Signal]

    package init(
        _ name: String,
        methods: [Method<Target>] = [],
        properties: [Property<Target>] = [],
        signals: [Signal] = []
    ) {
        self.name = name
        self.methods = methods
        self.properties = properties
        self.signals = signals
    }

    /// The interface served by `target`, ready for ``ObjectServer/export(_:_:)``; keeps the target.
    package func serving(_ target: Target) -> ServedInterface {
        ServedInterface(
            name: name,
            methods: methods.map { $0.serving(target) },
            properties: properties.map { $0.serving(target) },
            signals: signals
        )
    }
}

/// A named, typed argument of a method or signal; the type is one complete D-Bus type.
package struct Argument: Equatable, Sendable {
    package var name: String
    package var type: String

    package init(_ name: String, _ type: String) {
        self.name = name
        self.type = type
    }
}

extension [Argument] {
    var signature: String { map(\.type).joined() }
}

/// One method of an interface.
package struct Method<Target>: Sendable {
    /// Gets exactly the arguments that the row names, in their types, and returns the outputs likewise.
    package typealias Handler = @Sendable (Target, [BusValue]) throws(CallError) -> [BusValue]

    /// Likewise, but hands the outputs to the last argument, now or later on the loop; throwing answers too.
    package typealias DeferredHandler =
        @Sendable (Target, [BusValue], @escaping Answer) throws(CallError) -> Void

    let row: MethodRow
    private let handler: AnyHandler

    private enum AnyHandler {
        case direct(Handler)
        case deferred(DeferredHandler)
    }

    private init(_ row: MethodRow, _ handler: AnyHandler) {
        self.row = row
        self.handler = handler
    }

    package init(
        _ name: String,
        in inputs: [Argument] = [],
        out outputs: [Argument] = [],
        _ handler: @escaping Handler
    ) {
        self.init(MethodRow(name: name, inputs: inputs, outputs: outputs), .direct(handler))
    }

    /// A method whose answer may come after the handler has returned: for what has to be looked up first.
    package static func deferred(
        _ name: String,
        in inputs: [Argument] = [],
        out outputs: [Argument] = [],
        _ handler: @escaping DeferredHandler
    ) -> Method {
        Method(MethodRow(name: name, inputs: inputs, outputs: outputs), .deferred(handler))
    }

    /// A method that returns nothing and takes nothing.
    package static func plain(
        _ name: String,
        _ handler: @escaping @Sendable (Target) throws(CallError) -> Void
    ) -> Method {
        Method(name) { (target, _) throws(CallError) in
            try handler(target)
            return []
        }
    }

    fileprivate func serving(_ target: Target) -> ServedInterface.Method {
        let served: ServedInterface.Handler =
            switch handler {
            case .direct(let handler):
                .direct { (arguments) throws(CallError) in try handler(target, arguments) }
            case .deferred(let handler):
                .deferred { (arguments, answer) throws(CallError) in try handler(target, arguments, answer) }
            }
        return ServedInterface.Method(
            row: row,
            inputSignature: row.inputs.signature,
            outputSignature: row.outputs.signature,
            handler: served
        )
    }
}

/// Answers a call with its outputs or an error: the first time that it is called, and on the loop.
///
/// Dropped without having been called it answers with an error; where the caller or the connection has gone meanwhile,
/// nothing happens.
package typealias Answer = (Result<[BusValue], CallError>) -> Void

struct MethodRow: Equatable, Sendable {
    var name: String
    var inputs: [Argument]
    var outputs: [Argument]
}

/// One property of an interface.
package struct Property<Target>: Sendable {
    let row: PropertyRow
    let get: @Sendable (Target) -> BusValue
    let set: (@Sendable (Target, BusValue) throws(CallError) -> Void)?

    /// `get` returns a value of the type `type`; `set`, without which the property is read-only, gets one of it.
    package init(
        _ name: String,
        _ type: String,
        emits: Emits = .change,
        get: @escaping @Sendable (Target) -> BusValue,
        set: (@Sendable (Target, BusValue) throws(CallError) -> Void)? = nil
    ) {
        row = PropertyRow(name: name, type: type, emits: emits, isWritable: set != nil)
        self.get = get
        self.set = set
    }

    fileprivate func serving(_ target: Target) -> ServedInterface.Property {
        let get = get
        guard let set else {
            return ServedInterface.Property(row: row, get: { get(target) }, set: nil)
        }
        return ServedInterface.Property(row: row, get: { get(target) }) { (value) throws(CallError) in
            try set(target, value)
        }
    }
}

/// What `PropertiesChanged` tells of a property, in the words of the introspection annotation.
package enum Emits: String, Sendable {
    /// The new value.
    case change = "true"
    /// That it has changed, without the value.
    case invalidation = "invalidates"
    /// Nothing.
    case nothing = "false"
}

struct PropertyRow: Equatable, Sendable {
    var name: String
    var type: String
    var emits: Emits
    var isWritable: Bool
}

/// One signal of an interface.
package struct Signal: Equatable, Sendable {
    package var name: String
    package var arguments: [Argument]

    package init(_ name: String, _ arguments: [Argument] = []) {
        self.name = name
        self.arguments = arguments
    }
}

/// An interface and the target that serves it, the target's type forgotten: what an object is made of.
package final class ServedInterface {
    struct Method {
        let row: MethodRow
        let inputSignature: String
        let outputSignature: String
        let handler: Handler
    }

    enum Handler {
        case direct(([BusValue]) throws(CallError) -> [BusValue])
        case deferred(([BusValue], @escaping Answer) throws(CallError) -> Void)
    }

    struct Property {
        let row: PropertyRow
        let get: () -> BusValue
        let set: ((BusValue) throws(CallError) -> Void)?
    }

    let name: String
    let methods: [Method]
    let properties: [Property]
    let signals: [Signal]
    private let methodsByName: [String: Method]
    private let propertiesByName: [String: Property]

    init(name: String, methods: [Method], properties: [Property], signals: [Signal]) {
        precondition(Names.isInterface(name), "'\(name)' does not name an interface")
        self.name = name
        self.methods = methods
        self.properties = properties
        self.signals = signals
        methodsByName = Dictionary(uniqueKeysWithValues: methods.map { ($0.row.name, $0) })
        propertiesByName = Dictionary(uniqueKeysWithValues: properties.map { ($0.row.name, $0) })
    }

    func method(_ name: String) -> Method? { methodsByName[name] }

    func property(_ name: String) -> Property? { propertiesByName[name] }
}
