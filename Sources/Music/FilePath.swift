import Glibc

/// Where a file is: the bytes that the kernel knows it by, which need not be text in any encoding.
package struct FilePath: Hashable, Sendable {
    /// Never empty, never holds NUL.
    package let bytes: [UInt8]

    /// The path of these bytes, or `nil` where no file can have it: empty, or with NUL inside.
    package init?(bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        guard !bytes.isEmpty, !bytes.contains(0) else { return nil }
        self.bytes = bytes
    }

    package init?(_ text: String) {
        self.init(bytes: text.utf8)
    }

    /// Whether the path begins at the root.
    package var isAbsolute: Bool { bytes.first == slash }

    /// The last component: what a folder listing shows.
    package var name: ArraySlice<UInt8> {
        let end = bytes.lastIndex { $0 != slash }.map { $0 + 1 } ?? bytes.count
        let start = bytes[..<end].lastIndex(of: slash).map { $0 + 1 } ?? 0
        return bytes[start..<end]
    }

    /// The name without its suffix, as text: what a track without a title is called (C-21, C098).
    package var stem: String {
        let name = name
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else {
            return Text.cleanLine(String(decoding: name, as: UTF8.self))
        }
        return Text.cleanLine(String(decoding: name[..<dot], as: UTF8.self))
    }

    /// The suffix in lower case, without its dot; empty when there is none.
    package var suffix: String {
        let name = name
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return "" }
        return String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased()
    }

    /// The folder that holds it; `nil` for the root and for a bare name.
    package var folder: FilePath? {
        let end = name.startIndex
        guard end > 0 else { return nil }
        let folder = bytes[..<end]
        let last = folder.lastIndex { $0 != slash }
        return FilePath(bytes: last.map { folder[...$0] } ?? folder[..<1])
    }

    /// The path of `name` inside this folder; an absolute `name` stands for itself.
    package func appending(_ name: some Collection<UInt8>) -> FilePath {
        guard name.first != slash else { return FilePath(bytes: name) ?? self }
        let separator = bytes.last == slash ? [] : [slash]
        return FilePath(bytes: bytes + separator + name) ?? self
    }

    /// Makes this folder and those above it that are missing, for their owner alone; returns whether it is there now.
    @discardableResult
    package func makeFolder() -> Bool {
        if withCString({ mkdir($0, 0o700) }) == 0 || errno == EEXIST { return true }
        guard errno == ENOENT, let folder, folder.makeFolder() else { return false }
        return withCString { mkdir($0, 0o700) } == 0 || errno == EEXIST
    }

    /// Calls `body` with the path as C wants it.
    package func withCString<Result>(_ body: (UnsafePointer<CChar>) throws -> Result) rethrows -> Result {
        try (bytes + [0]).withUnsafeBytes { raw in
            guard let start = raw.bindMemory(to: CChar.self).baseAddress else {
                preconditionFailure("an array with an element has an address")
            }
            return try body(start)
        }
    }
}

extension FilePath: CustomStringConvertible {
    /// For messages: bytes that are no text show as U+FFFD.
    package var description: String { Text.cleanLine(String(decoding: bytes, as: UTF8.self)) }
}

extension FilePath: Comparable {
    /// As people number things: `2 b` before `10 a`, letters without regard to case, folder by folder.
    ///
    /// Names that differ only in case keep one order among themselves, so the order is total.
    package static func < (left: FilePath, right: FilePath) -> Bool {
        switch NaturalOrder.compare(left.bytes, right.bytes) {
        case .some(let isBefore): isBefore
        case .none: left.bytes.lexicographicallyPrecedes(right.bytes)
        }
    }
}

private let slash = UInt8(ascii: "/")

/// The order in which a person expects numbered names.
private enum NaturalOrder {
    /// Whether `left` comes first, or `nil` where both read the same.
    static func compare(_ left: [UInt8], _ right: [UInt8]) -> Bool? {
        var (l, r) = (left[...], right[...])
        while let a = l.first, let b = r.first {
            if isDigit(a), isDigit(b) {
                let (x, y) = (takeNumber(&l), takeNumber(&r))
                if x.count != y.count { return x.count < y.count }
                if x != y { return x.lexicographicallyPrecedes(y) }
            } else {
                let (x, y) = (weight(a), weight(b))
                if x != y { return x < y }
                l.removeFirst()
                r.removeFirst()
            }
        }
        return l.isEmpty == r.isEmpty ? nil : l.isEmpty
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// Takes the digits at the front, without leading zeros.
    private static func takeNumber(_ bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let digits = bytes.prefix(while: isDigit)
        bytes = bytes[digits.endIndex...]
        return digits.drop { $0 == UInt8(ascii: "0") }
    }

    /// A folder's contents come together: the separator sorts before every other byte.
    private static func weight(_ byte: UInt8) -> UInt8 {
        switch byte {
        case slash: 0
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte + 32
        default: byte
        }
    }
}
