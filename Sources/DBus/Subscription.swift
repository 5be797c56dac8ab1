import CDBus

/// Which signals are listened to; what is `nil` may be anything.
package struct SignalMatch: Equatable, Sendable {
    /// A unique name, or a well-known one, which follows its owner.
    package var sender: String?
    package var path: String?
    package var interface: String?
    package var member: String?
    /// The first argument, where it is a string.
    package var firstArgument: String?
    /// What the first argument is or begins with, as far as a dot: `org.a` for `org.a` and `org.a.b`.
    package var firstArgumentNamespace: String?

    package init(
        from sender: String? = nil,
        path: String? = nil,
        interface: String? = nil,
        member: String? = nil,
        firstArgument: String? = nil,
        firstArgumentNamespace: String? = nil
    ) {
        self.sender = sender
        self.path = path
        self.interface = interface
        self.member = member
        self.firstArgument = firstArgument
        self.firstArgumentNamespace = firstArgumentNamespace
    }

    /// The rule for the bus, or `nil` where a part is no name.
    var rule: String? {
        guard sender.map(Names.isBusName) ?? true, path.map(Names.isPath) ?? true,
            interface.map(Names.isInterface) ?? true, member.map(Names.isMember) ?? true,
            firstArgument.map({ !$0.utf8.contains(0) }) ?? true,
            firstArgumentNamespace.map(Names.isInterface) ?? true
        else { return nil }
        let parts = [
            ("sender", sender), ("path", path), ("interface", interface), ("member", member),
            ("arg0", firstArgument), ("arg0namespace", firstArgumentNamespace),
        ]
        return parts.reduce("type='signal'") { rule, part in
            guard let value = part.1 else { return rule }
            // In a quoted value only the quote itself is special.
            let quoted = value.split(separator: "'", omittingEmptySubsequences: false).joined(
                separator: "'\\''"
            )
            return rule + ",\(part.0)='\(quoted)'"
        }
    }
}

/// A signal that somebody has sent.
package struct ReceivedSignal: Equatable, Sendable {
    /// The unique name of the sender.
    package var sender: String
    package var path: String
    package var interface: String
    package var member: String
    package var arguments: [BusValue]
}

/// Signals being listened to, until this is cancelled or goes.
package final class Subscription {
    fileprivate let match: SignalMatch
    fileprivate let handler: (ReceivedSignal) -> Void
    /// Who owns the well-known name that the signals have to come from.
    fileprivate var owner: String?
    fileprivate var ownerWatch: Subscription?
    private weak var connection: BusConnection?
    private let rule: String?

    fileprivate init(
        _ match: SignalMatch,
        on connection: BusConnection,
        handler: @escaping (ReceivedSignal) -> Void
    ) {
        self.match = match
        self.handler = handler
        self.connection = connection
        rule = match.rule
        // Without an error to fill, libdbus does not wait for the bus.
        if let rule, let raw = connection.raw { dbus_bus_add_match(raw, rule, nil) }
    }

    /// Ends it; also from inside its own handler.
    package func cancel() {
        ownerWatch?.cancel()
        guard let connection else { return }
        self.connection = nil
        connection.subscriptions.remove(self)
        if let rule, let raw = connection.raw, connection.isConnected {
            dbus_bus_remove_match(raw, rule, nil)
        }
    }

    deinit { cancel() }

    fileprivate func wants(_ signal: ReceivedSignal) -> Bool {
        guard match.path ?? signal.path == signal.path, match.member ?? signal.member == signal.member,
            match.interface ?? signal.interface == signal.interface
        else { return false }
        if let first = match.firstArgument, signal.arguments.first != .string(first) { return false }
        if let namespace = match.firstArgumentNamespace {
            guard let first = signal.arguments.first?.text,
                first == namespace || first.hasPrefix(namespace + ".")
            else { return false }
        }
        guard let sender = match.sender, sender != signal.sender else { return true }
        return owner == signal.sender
    }
}

/// The subscriptions of one connection, which do not live for being in here.
final class Subscriptions {
    private struct Entry {
        weak var subscription: Subscription?
    }

    private var entries: [ObjectIdentifier: Entry] = [:]

    func add(_ subscription: Subscription) {
        entries[ObjectIdentifier(subscription)] = Entry(subscription: subscription)
    }

    func remove(_ subscription: Subscription) {
        entries[ObjectIdentifier(subscription)] = nil
    }

    /// Tells whoever listens of the signal `message`; nothing is read where nobody does.
    func deliver(_ message: OpaquePointer) {
        let present = entries.values.compactMap(\.subscription)
        guard !present.isEmpty, let sender = dbus_message_get_sender(message),
            let path = dbus_message_get_path(message), let interface = dbus_message_get_interface(message),
            let member = dbus_message_get_member(message)
        else { return }
        let signal = ReceivedSignal(
            sender: String(cString: sender),
            path: String(cString: path),
            interface: String(cString: interface),
            member: String(cString: member),
            arguments: MessageReader.values(of: message)
        )
        for subscription in present where subscription.wants(signal) { subscription.handler(signal) }
    }
}

extension BusConnection {
    /// Calls `handler` on the loop for each signal that matches; in force for all that is sent after the bus has
    /// seen the request, which goes out before any later call.
    ///
    /// A match that names what cannot exist never calls.
    package func subscribe(
        _ match: SignalMatch,
        _ handler: @escaping (ReceivedSignal) -> Void
    ) -> Subscription {
        let subscription = Subscription(match, on: self, handler: handler)
        subscriptions.add(subscription)
        if let sender = match.sender, !sender.hasPrefix(":"), sender != DBUS_SERVICE_DBUS {
            subscription.ownerWatch = onOwnerChange(of: sender) { [weak subscription] in
                subscription?.owner = $0
            }
        }
        return subscription
    }

    /// Calls `handler` with the unique name of the owner of `name`, or `nil` for nobody: soon, and at each change.
    package func onOwnerChange(of name: String, _ handler: @escaping (String?) -> Void) -> Subscription {
        let match = SignalMatch(
            from: DBUS_SERVICE_DBUS,
            path: DBUS_PATH_DBUS,
            interface: DBUS_INTERFACE_DBUS,
            member: "NameOwnerChanged",
            firstArgument: name
        )
        let changes = subscribe(match) { signal in
            guard signal.arguments.count == 3, let owner = signal.arguments[2].text else { return }
            handler(owner.isEmpty ? nil : owner)
        }
        // Asked after listening, so that no change is missed between the two.
        try? call(.bus("GetNameOwner", [.string(name)])) { [weak changes] answer in
            guard changes != nil else { return }
            handler((try? answer.get())?.first?.text)
        }
        return changes
    }
}
