import CExpat
import Glibc
import Music

/// What an XML document is told to, element by element, while it is read.
protocol XMLListener: AnyObject {
    /// An element begins; the name of the list's own namespace has no prefix, whatever the document calls it.
    func begin(_ name: XMLName, attribute: (StaticString) -> [UInt8]?) throws(PlaylistError)
    func text(_ bytes: UnsafeRawBufferPointer) throws(PlaylistError)
    func end() throws(PlaylistError)
}

/// The name of an element as expat hands it out; there during the call only.
struct XMLName {
    /// `namespace\nlocal`, or the local name alone.
    fileprivate let raw: UnsafePointer<XML_Char>

    /// The name without its namespace.
    var local: UnsafePointer<XML_Char> { strrchr(raw, separator).map { UnsafePointer($0 + 1) } ?? raw }

    /// The namespace; empty where there is none.
    var namespace: [UInt8] {
        guard let end = strrchr(raw, separator) else { return [] }
        return Array(UnsafeRawBufferPointer(start: raw, count: end - UnsafeMutablePointer(mutating: raw)))
    }

    static func == (name: XMLName, word: StaticString) -> Bool { strcmp(name.local, word.asCString) == 0 }
}

/// Reads XML with expat: nothing outside the document is ever looked at, and entities cannot make much out of little.
final class XMLReader {
    private let listener: any XMLListener
    private var failure: PlaylistError?
    private var parser: XML_Parser?
    private var depth = 0

    /// Reads a whole document that is in UTF-8, whatever it says itself.
    static func read(_ document: [UInt8], to listener: any XMLListener) throws(PlaylistError) {
        try XMLReader(listener).read(document)
    }

    private init(_ listener: any XMLListener) { self.listener = listener }

    private func read(_ document: [UInt8]) throws(PlaylistError) {
        guard let parser = XML_ParserCreateNS("UTF-8", XML_Char(separator)) else {
            throw PlaylistError("there is no memory to read it")
        }
        defer { XML_ParserFree(parser) }
        self.parser = parser
        defer { self.parser = nil }
        // What people write between tags grows by nothing; a bomb by millions.
        XML_SetBillionLaughsAttackProtectionMaximumAmplification(parser, 8)
        XML_SetBillionLaughsAttackProtectionActivationThreshold(parser, 64 << 10)
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(
            parser,
            { context, name, attributes in XMLReader.of(context)?.begin(name, attributes) },
            { context, _ in XMLReader.of(context)?.end() }
        )
        XML_SetCharacterDataHandler(parser) { context, text, count in XMLReader.of(context)?.text(text, count)
        }
        let status = document.withUnsafeBytes {
            XML_Parse(parser, $0.bindMemory(to: CChar.self).baseAddress, CInt($0.count), 1)
        }
        if let failure { throw failure }
        guard status != XML_STATUS_OK else { return }
        let code = XML_GetErrorCode(parser)
        if code == XML_ERROR_AMPLIFICATION_LIMIT_BREACH {
            throw PlaylistError("its entities grow without end")
        }
        let reason = XML_ErrorString(code).map { String(cString: $0) } ?? "not well-formed"
        throw PlaylistError("it is damaged in line \(XML_GetCurrentLineNumber(parser)) (\(reason))")
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> XMLReader? {
        context.map { Unmanaged<XMLReader>.fromOpaque($0).takeUnretainedValue() }
    }

    private func begin(
        _ name: UnsafePointer<XML_Char>?,
        _ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
    ) {
        guard failure == nil, let name else { return }
        depth += 1
        guard depth <= deepest else { return stop(PlaylistError("it is nested too deeply")) }
        do throws(PlaylistError) {
            try listener.begin(XMLName(raw: name)) { wanted in
                var index = 0
                while let name = attributes?[index], let value = attributes?[index + 1] {
                    if strcmp(name, wanted.asCString) == 0 {
                        return Array(UnsafeRawBufferPointer(start: value, count: strlen(value)))
                    }
                    index += 2
                }
                return nil
            }
        } catch { stop(error) }
    }

    private func text(_ text: UnsafePointer<XML_Char>?, _ count: CInt) {
        guard failure == nil else { return }
        do throws(PlaylistError) {
            try listener.text(UnsafeRawBufferPointer(start: text, count: Int(count)))
        } catch { stop(error) }
    }

    private func end() {
        guard failure == nil else { return }
        depth -= 1
        do throws(PlaylistError) { try listener.end() } catch { stop(error) }
    }

    private func stop(_ error: PlaylistError) {
        failure = error
        XML_StopParser(parser, XML_Bool(XML_FALSE))
    }
}

extension StaticString {
    var asCString: UnsafePointer<CChar> { UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self) }
}

/// Between a namespace and a name: a character that no URI can hold.
private let separator = CInt(UInt8(ascii: "\n"))

/// Deeper than any list; expat keeps something for each element that is open.
private let deepest = 256
