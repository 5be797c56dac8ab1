import Charset
import Music

/// What an ASX or WPL list says, read tag by tag: ASX is no XML, with tags in any letter case and a bare `&` in addresses.
struct TagSoup {
    private(set) var entries: [PlaylistEntry] = []
    private(set) var title: String?

    init(_ document: [UInt8]) throws(PlaylistError) {
        let reader = ListText(.utf8)
        var rest = document[...]
        var (locations, texts) = ([WrittenLocation](), [String: String]())
        var isInEntry = false
        func entry() -> PlaylistEntry? {
            guard let first = locations.first else { return nil }
            var entry = PlaylistEntry(first, alternatives: Array(locations.dropFirst()))
            entry.title = texts["title"]
            entry.artist = texts["author"]
            return entry
        }
        while let tag = Tag(&rest) {
            guard entries.count < PlaylistFile.mostEntries else { throw .tooManyEntries }
            switch tag.name {
            case "entry":
                (locations, texts) = ([], [:])
                isInEntry = true
            case "/entry":
                if let entry = entry() { entries.append(entry) }
                isInEntry = false
            case "ref", "entryref", "media":
                guard let location = Self.location(tag["href"] ?? tag["src"]) else { continue }
                if isInEntry {
                    locations.append(location)
                } else {
                    entries.append(PlaylistEntry(location))
                }
            case "title", "author":
                let text = reader.field(Tag.decoded(rest.prefix { $0 != UInt8(ascii: "<") }))
                if isInEntry {
                    texts[tag.name] = text
                } else if tag.name == "title" {
                    title = text
                }
            default: continue
            }
        }
    }

    /// Written as a URI or as a path: what has an escape is taken for the former first.
    private static func location(_ written: [UInt8]?) -> WrittenLocation? {
        guard let written, !written.isEmpty, !written.contains(0) else { return nil }
        guard written.contains(UInt8(ascii: "%")), !written.contains(backslash) else {
            return WrittenLocation(path: written, .utf8)
        }
        return WrittenLocation(reference: written, base: [])
    }
}

/// One tag with its attributes, their names in small letters.
private struct Tag {
    let name: String
    private var attributes: [String: [UInt8]] = [:]

    subscript(_ attribute: String) -> [UInt8]? { attributes[attribute] }

    /// Takes the next tag out of `text`, and all before it; `nil` where there is none.
    init?(_ text: inout ArraySlice<UInt8>) {
        guard let open = text.firstIndex(of: UInt8(ascii: "<")) else { return nil }
        text = text[(open + 1)...]
        if text.starts(with: "!--".utf8) {
            while !text.isEmpty, !text.starts(with: "-->".utf8) { text.removeFirst() }
        }
        let name = text.prefix { !Self.isBlank($0) && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "<") }
        self.name = Self.small(name.last == slash ? name.dropLast() : name)
        text = text[name.endIndex...]
        while let byte = text.first, byte != UInt8(ascii: ">"), byte != UInt8(ascii: "<") {
            guard !Self.isBlank(byte), byte != slash else {
                text.removeFirst()
                continue
            }
            let key = text.prefix { !Self.isBlank($0) && !"=></".utf8.contains($0) }
            text = text[key.endIndex...].drop(while: Self.isBlank)
            guard text.first == UInt8(ascii: "=") else {
                // Something without a value, or no attribute at all.
                if key.isEmpty { text.removeFirst() }
                continue
            }
            text = text.dropFirst().drop(while: Self.isBlank)
            attributes[Self.small(key)] = Self.decoded(Self.takeValue(&text))
        }
        if text.first == UInt8(ascii: ">") { text.removeFirst() }
    }

    private static func takeValue(_ text: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        if let mark = text.first, mark == UInt8(ascii: "\"") || mark == UInt8(ascii: "'") {
            let value = text.dropFirst().prefix { $0 != mark }
            text = text[value.endIndex...].dropFirst()
            return value
        }
        let value = text.prefix { !isBlank($0) && $0 != UInt8(ascii: ">") }
        text = text[value.endIndex...]
        return value
    }

    /// With the references that HTML and XML share made characters; any other `&` stands for itself.
    static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var (decoded, rest) = ([UInt8](), text)
        while let and = rest.firstIndex(of: UInt8(ascii: "&")) {
            decoded += rest[..<and]
            let name = rest[(and + 1)...].prefix(8).prefix { $0 != UInt8(ascii: ";") }
            if let text = character(String(decoding: name, as: UTF8.self)), name.endIndex < rest.endIndex,
                rest[name.endIndex] == UInt8(ascii: ";")
            {
                decoded += Array(text.utf8)
                rest = rest[(name.endIndex + 1)...]
            } else {
                decoded.append(rest[and])
                rest = rest[(and + 1)...]
            }
        }
        return decoded + rest
    }

    private static func character(_ name: String) -> String? {
        let named = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
        if let character = named[name.lowercased()] { return character }
        guard name.first == "#" else { return nil }
        let number = name.dropFirst()
        let value =
            number.lowercased().hasPrefix("x") ? UInt32(number.dropFirst(), radix: 16) : UInt32(number)
        return value.flatMap(Unicode.Scalar.init).map { String($0) }
    }

    private static func small(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes.prefix(32), as: UTF8.self).lowercased()
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte <= 0x20 }
}
