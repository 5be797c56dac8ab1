import CDBus

/// The objects of this process on the bus: answers every call to them, exactly once, and sends their signals.
///
/// On the loop only. It outlives connections: attached to another one it serves the same objects there. Export first,
/// then request a name, since a client may call the moment the name appears (C-2).
package final class ObjectServer {
    private var objects: [String: ServedObject] = [:]
    /// Descriptions by path, of objects and of the paths that lead to them; made when first asked for.
    private var descriptions: [String: String] = [:]
    private weak var connection: BusConnection?

    package init() {}

    /// Serves `interfaces`, the order being that of introspection, at `path`, instead of what was there.
    package func export(_ path: String, _ interfaces: [ServedInterface]) {
        precondition(Names.isPath(path), "'\(path)' is not an object path")
        objects[path] = ServedObject(interfaces)
        descriptions = [:]
    }

    /// Answers what comes in over `connection` and sends signals there, until attached to another one.
    package func attach(_ connection: BusConnection) {
        self.connection?.server = nil
        self.connection = connection
        connection.server = self
    }

    // MARK: Signals

    /// Sends one `PropertiesChanged`, its entries in the order given; `false` where it could not be sent.
    @discardableResult
    package func propertiesChanged(
        _ path: String,
        _ interface: String,
        changed: [(String, BusValue)],
        invalidated: [String] = []
    ) -> Bool {
        emit(
            path,
            DBUS_INTERFACE_PROPERTIES,
            "PropertiesChanged",
            [.string(interface), .variants(changed), .strings(invalidated)]
        )
    }

    /// Sends one signal to whoever listens; `false` where there is no connection or the arguments cannot be sent.
    @discardableResult
    package func emit(_ path: String, _ interface: String, _ member: String, _ arguments: [BusValue]) -> Bool
    {
        connection?.emit(path: path, interface: interface, member: member, arguments) ?? false
    }

    // MARK: Calls

    /// Answers the method call `message`.
    func answer(_ message: OpaquePointer, _ reply: consuming Reply) {
        let path = dbus_message_get_path(message).map { String(cString: $0) } ?? ""
        let interface = dbus_message_get_interface(message).map { String(cString: $0) }
        let member = dbus_message_get_member(message).map { String(cString: $0) } ?? ""
        guard let object = objects[path] else {
            return answerLeadingPath(path, interface, member, message, reply)
        }
        // D-Bus makes the interface optional: the first that has the method then serves it.
        if let served = object.interface(interface, having: member) {
            if let method = served.method(member) { return call(method, message, reply) }
            return reply.fail(.unknownMethod(member))
        }
        guard let (standard, inputs) = standardMethod(interface, member) else {
            return reply.fail(refusal(interface, member))
        }
        guard dbus_message_has_signature(message, inputs) != 0 else {
            return reply.fail(.wrongSignature(member, wants: inputs, got: signature(of: message)))
        }
        switch standard {
        case .get: get(object, message, reply)
        case .getAll: getAll(object, message, reply)
        case .set: set(object, message, reply)
        case .introspect, .ping, .machineID: answerAnywhere(standard, path, reply)
        }
    }

    private func call(
        _ method: ServedInterface.Method,
        _ message: OpaquePointer,
        _ reply: consuming Reply
    ) {
        guard dbus_message_has_signature(message, method.inputSignature) != 0 else {
            let got = signature(of: message)
            return reply.fail(.wrongSignature(method.row.name, wants: method.inputSignature, got: got))
        }
        let arguments = MessageReader.values(of: message)
        switch method.handler {
        case .direct(let handler):
            do throws(CallError) {
                reply.succeed(with: try handler(arguments), of: method.outputSignature)
            } catch {
                reply.fail(error)
            }
        case .deferred(let handler):
            guard let connection else { return reply.fail(.disconnected) }
            let later = LateReply(reply, over: connection, of: method.outputSignature)
            do throws(CallError) {
                try handler(arguments) { later.answer($0) }
            } catch {
                later.answer(.failure(error))
            }
        }
    }

    // MARK: Properties

    private func get(_ object: ServedObject, _ message: OpaquePointer, _ reply: consuming Reply) {
        var reader = MessageReader(message)
        let (interface, name) = (reader.string() ?? "", reader.string() ?? "")
        let property: ServedInterface.Property
        do throws(CallError) {
            property = try object.property(interface, name)
        } catch {
            return reply.fail(error)
        }
        let value = property.get()
        reply.succeed("v") { (writer) throws(WriteError) in
            try writer.variant(value, as: property.row.type)
        }
    }

    private func getAll(_ object: ServedObject, _ message: OpaquePointer, _ reply: consuming Reply) {
        var reader = MessageReader(message)
        let name = reader.string() ?? ""
        guard let interfaces = object.interfaces(name) else { return reply.fail(.unknownInterface(name)) }
        reply.succeed("a{sv}") { (writer) throws(WriteError) in
            try writer.variants { (add) throws(WriteError) in
                for interface in interfaces {
                    for property in interface.properties {
                        try add(property.row.name, property.row.type, property.get())
                    }
                }
            }
        }
    }

    private func set(_ object: ServedObject, _ message: OpaquePointer, _ reply: consuming Reply) {
        var reader = MessageReader(message)
        let (interface, name) = (reader.string() ?? "", reader.string() ?? "")
        do throws(CallError) {
            let property = try object.property(interface, name)
            guard let set = property.set else { throw .readOnly(name) }
            guard var variant = reader.variant(), variant.type == property.row.type,
                let value = variant.inside.value()
            else {
                throw .invalidArguments("property '\(name)' takes a value of type '\(property.row.type)'")
            }
            try set(value)
        } catch {
            return reply.fail(error)
        }
        reply.succeed()
    }

    // MARK: What every path answers

    private func answerLeadingPath(
        _ path: String,
        _ interface: String?,
        _ member: String,
        _ message: OpaquePointer,
        _ reply: consuming Reply
    ) {
        guard let (standard, inputs) = standardMethod(interface, member), standard.isForEveryPath,
            // Whether there is anything at a path matters to Introspect alone: Peer is about the process.
            standard != .introspect || path == "/" || leadsToObjects(path)
        else { return reply.fail(.unknownObject(path)) }
        guard dbus_message_has_signature(message, inputs) != 0 else {
            return reply.fail(.wrongSignature(member, wants: inputs, got: signature(of: message)))
        }
        answerAnywhere(standard, path, reply)
    }

    private func answerAnywhere(_ standard: StandardMethod, _ path: String, _ reply: consuming Reply) {
        switch standard {
        case .introspect:
            let description = description(path)
            reply.succeed("s") { (writer) throws(WriteError) in try writer.string(description) }
        case .machineID:
            guard let raw = dbus_try_get_local_machine_id(nil) else {
                return reply.fail(.failed("this machine has no machine id"))
            }
            let identifier = String(cString: raw)
            dbus_free(raw)
            reply.succeed("s") { (writer) throws(WriteError) in try writer.string(identifier) }
        case .ping, .get, .getAll, .set: reply.succeed()
        }
    }

    private func description(_ path: String) -> String {
        if let known = descriptions[path] { return known }
        let children = Set(objects.keys.compactMap { child(of: path, towards: $0) }).sorted()
        let made = Introspection.xml(objects[path]?.interfaces ?? [], children: children)
        descriptions[path] = made
        return made
    }

    private func leadsToObjects(_ path: String) -> Bool {
        objects.keys.contains { child(of: path, towards: $0) != nil }
    }

    /// The name of the node right below `path` on the way to `object`.
    private func child(of path: String, towards object: String) -> String? {
        let prefix = path == "/" ? path : path + "/"
        guard object.hasPrefix(prefix), object != prefix else { return nil }
        return object.dropFirst(prefix.count).split(separator: "/").first.map(String.init)
    }

    // MARK: Finding members

    private func standardMethod(_ interface: String?, _ member: String) -> (StandardMethod, String)? {
        for group in StandardMethod.interfaces where interface == nil || group.name == interface {
            for entry in group.methods where entry.row.name == member {
                return (entry.method, entry.inputSignature)
            }
        }
        return nil
    }

    private func refusal(_ interface: String?, _ member: String) -> CallError {
        guard let interface, StandardMethod.interface(interface) == nil else { return .unknownMethod(member) }
        return .unknownInterface(interface)
    }

    private func signature(of message: OpaquePointer) -> String {
        String(cString: dbus_message_get_signature(message))
    }
}

/// What is served at one path.
private final class ServedObject {
    let interfaces: [ServedInterface]
    private let byName: [String: ServedInterface]

    init(_ interfaces: [ServedInterface]) {
        self.interfaces = interfaces
        byName = Dictionary(uniqueKeysWithValues: interfaces.map { ($0.name, $0) })
    }

    func interface(_ name: String?, having member: String) -> ServedInterface? {
        guard let name else { return interfaces.first { $0.method(member) != nil } }
        return byName[name]
    }

    /// The interfaces that a `GetAll` of `name` covers: all where it is empty, none for a standard one.
    func interfaces(_ name: String) -> [ServedInterface]? {
        if let served = byName[name] { return [served] }
        if name.isEmpty { return interfaces }
        return StandardMethod.interface(name) == nil ? nil : []
    }

    func property(_ interface: String, _ name: String) throws(CallError) -> ServedInterface.Property {
        guard let interfaces = interfaces(interface) else { throw .unknownInterface(interface) }
        for served in interfaces {
            if let property = served.property(name) { return property }
        }
        throw .unknownProperty(name)
    }
}
