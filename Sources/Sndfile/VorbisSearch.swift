import Audio

/// Finds a page of a Vorbis stream from which it can be decoded up to some place in it.
///
/// libsndfile's own seeks in Vorbis land up to a block beside their aim. Opened behind its headers at a page in the
/// middle, it counts right: how many frames follow tells which frame is the first.
struct VorbisSearch {
    private let file: MusicFile
    private let stream: Range<Int64>
    private let serial: UInt32
    /// Behind the last page with headers.
    private let headerEnd: Int64

    /// Reads the headers; `nil` where they are not those of a single stream.
    init?(_ file: MusicFile, in stream: Range<Int64>) throws(DecoderError) {
        var (place, packets, serial) = (stream.lowerBound, 0, UInt32?.none)
        while packets < 3, place < stream.upperBound {
            guard let page = OggPage(try file.bytes(at: place, count: OggPage.longestHeader)),
                page.serial == serial ?? page.serial
            else { return nil }
            serial = page.serial
            packets += page.packets
            place += Int64(page.length)
        }
        guard packets == 3, let serial else { return nil }
        self.file = file
        self.stream = stream
        self.serial = serial
        headerEnd = place
    }

    /// The headers and the pages from which the samples from `granule` on can be decoded; `nil` where that is all pages.
    ///
    /// The last page is never the first of them: where the music ends in it, it does not tell where it begins.
    func pieces(for granule: Int64) throws(DecoderError) -> [Range<Int64>]? {
        // Two of the longest blocks earlier, since the first block only prepares the second.
        let aim = granule - 2 * 8192
        // Before the last page and the one before it.
        let tail = stream.upperBound - 2 * Int64(OggPage.longest)
        var (low, high) = (headerEnd, stream.upperBound)
        while high - low > 1 << 17 {
            let middle = low + (high - low) / 2
            if let found = try page(from: middle), found.page.granule <= aim, found.end < tail {
                low = found.end
            } else {
                high = middle
            }
        }
        // `low` is the start, or stands behind a page that ends early enough.
        var start = low == headerEnd ? nil : Int64?.some(low)
        var place = low
        while let placed = try placedPage(at: place), placed.page.granule <= aim {
            guard let next = try placedPage(at: placed.end), next.end < stream.upperBound else { break }
            if placed.page.granule >= 0 { start = placed.end }
            place = placed.end
        }
        guard let start, let first = try placedPage(at: start), first.end < stream.upperBound else {
            return nil
        }
        return [stream.lowerBound..<headerEnd, start..<stream.upperBound]
    }

    private func placedPage(at place: Int64) throws(DecoderError) -> PlacedPage? {
        OggPage(try file.bytes(at: place, count: OggPage.longestHeader)).map {
            PlacedPage(page: $0, begin: place)
        }
    }

    /// The first undamaged page that begins at `place` or behind it and in which a packet ends.
    private func page(from place: Int64) throws(DecoderError) -> PlacedPage? {
        let bytes = try file.bytes(
            at: place,
            count: Int(min(3 * Int64(OggPage.longest), stream.upperBound - place))
        )
        var index = 0
        while let mark = bytes[index...].firstIndex(of: UInt8(ascii: "O")) {
            if let page = OggPage(bytes[mark...]), page.isIntact(in: bytes[mark...]) {
                if page.serial == serial, page.granule >= 0 {
                    return PlacedPage(page: page, begin: place + Int64(mark))
                }
                index = mark + page.length
            } else {
                index = mark + 1
            }
        }
        return nil
    }
}
