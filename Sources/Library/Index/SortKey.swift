import Music

/// The place of a track among others as bytes: compared byte by byte they order tracks as people expect.
///
/// Artist by artist, album by album, by disc and track, and what is alike by its path; what has no album comes behind
/// the albums of its artist, what has no artist behind everything.
struct SortKey {
    private(set) var bytes: [UInt8] = []

    /// The key of what has these tags and lies at `path`, which may be less than the whole path.
    init(_ tags: Tags, path: some Collection<UInt8>) {
        bytes.reserveCapacity(160)
        append(tags.albumArtists.first ?? tags.artists.first)
        append(tags.album)
        append(tags.discNumber ?? 1)
        append(tags.trackNumber ?? .max)
        append(path)
    }

    /// The key of a name by itself.
    static func name(_ name: String) -> [UInt8] {
        var key = SortKey()
        key.append(name)
        return key.bytes
    }

    private init() {}

    /// Text that is missing sorts behind every text.
    private mutating func append(_ text: String?) {
        guard let text else {
            bytes += [0xFF, 0]
            return
        }
        let folded = String.UnicodeScalarView(FoldedText(text).scalars.prefix(Self.longestText))
        appendNaturally(Array(String(folded).utf8)) { $0 }
        bytes.append(0)
    }

    private mutating func append(_ number: Int32) {
        for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    /// As ``FilePath`` orders paths: folder by folder, without regard to case in ASCII.
    private mutating func append(_ path: some Collection<UInt8>) {
        appendNaturally(path) { byte in
            switch byte {
            case UInt8(ascii: "/"): 0
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte + 32
            default: byte
            }
        }
    }

    /// Numbers by value: behind the digit that stands for all, how many digits there are, then these.
    private mutating func appendNaturally(_ text: some Collection<UInt8>, weight: (UInt8) -> UInt8) {
        var rest = text[...]
        while let byte = rest.first {
            guard Self.isDigit(byte) else {
                bytes.append(weight(byte))
                rest = rest.dropFirst()
                continue
            }
            let digits = rest.prefix(while: Self.isDigit).drop { $0 == UInt8(ascii: "0") }
            rest = rest.drop(while: Self.isDigit)
            bytes.append(UInt8(ascii: "0"))
            let (full, count) = digits.count.quotientAndRemainder(dividingBy: 255)
            bytes += repeatElement(255, count: full) + [UInt8(count)]
            bytes += digits
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// What differs only behind so many characters is ordered by what comes next.
    private static let longestText = 64
}
