import DBus
import Foundation
import FoundationXML
import MPRIS
import Testing

/// An interface as its introspection describes it: one line for each member, argument and annotation.
private final class Description: NSObject, XMLParserDelegate {
    private(set) var interfaces: [String: Set<String>] = [:]
    private var interface = ""
    private var member = ""

    init(_ xml: Data) throws {
        super.init()
        let parser = XMLParser(data: xml)
        parser.delegate = self
        try #require(parser.parse(), "\(parser.parserError as Any)")
    }

    func parser(
        _ parser: XMLParser,
        didStartElement element: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String] = [:]
    ) {
        let text = attributes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(
            separator: " "
        )
        switch element {
        case "interface":
            interface = attributes["name"] ?? ""
            interfaces[interface] = []
        case "method", "signal", "property":
            member = "\(element) \(text)"
            interfaces[interface]?.insert(member)
        case "arg", "annotation": interfaces[interface]?.insert("\(member): \(element) \(text)")
        default: break
        }
    }
}

@Suite(.timeLimit(.minutes(5)))
struct DescriptionTests {
    @Test(
        "the tables describe themselves as the reference files do",
        arguments: [
            (InterfaceName.root, ObjectPath.player), (InterfaceName.player, ObjectPath.player),
            (InterfaceName.trackList, ObjectPath.player), (InterfaceName.playlists, ObjectPath.player),
            (InterfaceName.control, ObjectPath.control),
        ]
    )
    func reference(_ interface: String, _ path: String) throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../dbus/\(interface).xml")
        let wanted = try Description(Data(contentsOf: file))
        let desktop = try Desktop()
        let introspectable = "org.freedesktop.DBus.Introspectable"
        let xml = try #require(try desktop.call("Introspect", on: introspectable, at: path).get().first?.text)
        let served = try Description(Data(xml.utf8))
        #expect(wanted.interfaces.keys.sorted() == [interface])
        #expect(try #require(wanted.interfaces[interface]).count > 0)
        #expect(served.interfaces[interface] == wanted.interfaces[interface])
        #expect(served.interfaces[properties] != nil)
    }
}
