import Music
import TagReading

/// Changes as damage and malice make them, the same for the same seed.
struct Mutation {
    private var state: UInt64

    init(seed: Int) {
        state = UInt64(bitPattern: Int64(seed)) &* 0x9E37_79B9_7F4A_7C15 | 1
    }

    mutating func random(below limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % max(1, limit)
    }

    /// Some bytes of a stretch of `bytes` set, turned over in a bit, taken out, doubled or cut off.
    mutating func mutate(_ bytes: inout [UInt8], in stretch: Range<Int>) {
        for _ in 0...random(below: 5) {
            let stretch = stretch.clamped(to: 0..<bytes.count)
            guard !stretch.isEmpty else { return }
            let place = stretch.lowerBound + random(below: stretch.count)
            switch random(below: 8) {
            case 0: bytes[place] ^= 1 << UInt8(random(below: 8))
            case 1: bytes[place] = [0, 0x7F, 0x80, 0xFF][random(below: 4)]
            case 2: bytes.remove(at: place)
            case 3: bytes.insert(contentsOf: bytes[place...].prefix(random(below: 20)), at: place)
            case 4:
                bytes.replaceSubrange(place..<min(place + 4, bytes.count), with: [0xFF, 0xFF, 0xFF, 0x7F])
            case 5 where random(below: 4) == 0: bytes.removeSubrange(place...)
            default: bytes[place] = UInt8(random(below: 256))
            }
        }
    }
}

extension FileTags {
    /// What of these tags could not be put on the bus as it is; empty, as it should be.
    var flaws: [String] {
        var flaws: [String] = []
        let lines =
            [tags.title, tags.album, tags.date].compactMap(\.self) + tags.artists + tags.albumArtists
            + tags.genres
            + tags.composers
        for line in lines where line.isEmpty || line.unicodeScalars.contains(where: Self.isUnfit) {
            flaws.append("line \(line.debugDescription)")
        }
        for text in tags.comments
        where text.isEmpty
            || text.unicodeScalars.contains(where: { Self.isUnfit($0) && $0 != "\n" && $0 != "\t" })
        {
            flaws.append("text \(text.debugDescription)")
        }
        if let rating = tags.rating, !(rating > 0 && rating <= 1) { flaws.append("rating \(rating)") }
        for number in [tags.trackNumber, tags.discNumber, tags.beatsPerMinute]
        where number.map({ $0 < 1 }) == true {
            flaws.append("number \(number ?? 0)")
        }
        return flaws
    }

    private static func isUnfit(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    }
}
