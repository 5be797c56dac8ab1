/// The XML that `Introspect` answers with, made from the tables.
enum Introspection {
    /// The description of an object with `interfaces`, and of the nodes right below it.
    static func xml(_ interfaces: [ServedInterface], children: [String]) -> String {
        var lines = [
            "<!DOCTYPE node PUBLIC \"-//freedesktop//DTD D-BUS Object Introspection 1.0//EN\"",
            " \"http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd\">",
            "<node>",
        ]
        for interface in interfaces { lines += describe(interface) }
        for group in StandardMethod.interfaces {
            lines.append("  <interface name=\"\(group.name)\">")
            for method in group.methods { lines += describe(method.row) }
            for signal in group.signals { lines += describe(signal) }
            lines.append("  </interface>")
        }
        lines += children.map { "  <node name=\"\($0)\"/>" }
        return (lines + ["</node>", ""]).joined(separator: "\n")
    }

    private static func describe(_ interface: ServedInterface) -> [String] {
        var lines = ["  <interface name=\"\(interface.name)\">"]
        for method in interface.methods { lines += describe(method.row) }
        for property in interface.properties { lines += describe(property.row) }
        for signal in interface.signals { lines += describe(signal) }
        lines.append("  </interface>")
        return lines
    }

    private static func describe(_ method: MethodRow) -> [String] {
        element(
            "method name=\"\(method.name)\"",
            method.inputs.map { argument($0, direction: "in") }
                + method.outputs.map { argument($0, direction: "out") }
        )
    }

    private static func describe(_ property: PropertyRow) -> [String] {
        let access = property.isWritable ? "readwrite" : "read"
        return element(
            "property name=\"\(property.name)\" type=\"\(property.type)\" access=\"\(access)\"",
            property.emits == .change
                ? [] : ["annotation name=\"\(emitsAnnotation)\" value=\"\(property.emits.rawValue)\""]
        )
    }

    private static func describe(_ signal: Signal) -> [String] {
        element("signal name=\"\(signal.name)\"", signal.arguments.map { argument($0, direction: nil) })
    }

    private static func argument(_ argument: Argument, direction: String?) -> String {
        "arg name=\"\(argument.name)\" type=\"\(argument.type)\""
            + (direction.map { " direction=\"\($0)\"" } ?? "")
    }

    private static func element(_ opening: String, _ inside: [String]) -> [String] {
        guard let tag = opening.split(separator: " ").first, !inside.isEmpty else {
            return ["    <\(opening)/>"]
        }
        return ["    <\(opening)>"] + inside.map { "      <\($0)/>" } + ["    </\(tag)>"]
    }

    private static let emitsAnnotation = "org.freedesktop.DBus.Property.EmitsChangedSignal"
}
