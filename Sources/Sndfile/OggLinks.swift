import Audio

/// The streams of an Ogg file that follow each other ("links" of a chain), each as the pieces of the file that libsndfile
/// is shown of it.
///
/// libsndfile plays the first link only, and opens no file that ends within a page or with something else behind the
/// last one: so it is shown each link alone, up to the end of its last whole page. It knows FLAC only without Ogg: of
/// that it is shown what is in the pages, which put together is a FLAC file.
enum OggLinks {
    typealias Pieces = [Range<Int64>]

    /// The links of `file`, from its start; a file that is nothing of the sort is one.
    static func find(in file: MusicFile) throws(DecoderError) -> [Pieces] {
        let head = try file.bytes(at: file.start, count: OggPage.longestHeader)
        guard let first = OggPage(head) else { return [[file.start..<file.size]] }
        let isFLAC = head.dropFirst(first.headerLength).starts(with: flacMark)
        if !isFLAC, let last = try lastPage(of: file), last.page.serial == first.serial {
            return [[file.start..<last.end]]
        }
        let links = try walk(file)
        return isFLAC ? links.map(flac) : links.map { [$0[0].begin..<$0[$0.count - 1].end] }
    }

    /// What stands in front of the FLAC file in the first page, and is followed by four more bytes.
    private static let flacMark: [UInt8] = [0x7F] + Array("FLAC".utf8)

    /// The contents of the pages of the first stream of a link.
    private static func flac(in pages: [PlacedPage]) -> Pieces {
        pages.filter { $0.page.serial == pages[0].page.serial }.enumerated().map { index, placed in
            let content = placed.begin + Int64(placed.page.headerLength)
            return (index == 0 ? min(content + Int64(flacMark.count) + 4, placed.end) : content)..<placed.end
        }
    }

    /// The last page that is whole and undamaged, and where it ends; looked for near the end of the file only.
    private static func lastPage(of file: MusicFile) throws(DecoderError) -> (page: OggPage, end: Int64)? {
        let window = min(file.size - file.start, Int64(4 * OggPage.longest))
        let begin = file.size - window
        let bytes = try file.bytes(at: begin, count: Int(window))
        var place = bytes.count - OggPage.shortest
        while place >= 0 {
            if bytes[place] == UInt8(ascii: "O"), let page = OggPage(bytes[place...]),
                page.isIntact(in: bytes[place...])
            {
                return (page, begin + Int64(place + page.length))
            }
            place -= 1
        }
        return nil
    }

    /// Goes from page to page; a page that begins a stream behind others begins a link.
    ///
    /// Streams that run side by side begin with pages of that kind in a row.
    private static func walk(_ file: MusicFile) throws(DecoderError) -> [[PlacedPage]] {
        var links: [[PlacedPage]] = []
        var place = file.start
        var isBeginning = false
        while let page = OggPage(try file.bytes(at: place, count: OggPage.longestHeader)) {
            let placed = PlacedPage(page: page, begin: place)
            guard placed.end <= file.size else { break }
            if page.beginsStream, !isBeginning { links.append([]) }
            if links.isEmpty { links.append([]) }
            links[links.count - 1].append(placed)
            isBeginning = page.beginsStream
            place = placed.end
        }
        guard !links.isEmpty else { throw .damaged("it is cut short before any sound") }
        return links
    }
}

/// A page and where it is in the file.
struct PlacedPage {
    var page: OggPage
    var begin: Int64
    var end: Int64 { begin + Int64(page.length) }
}

/// What the header of an Ogg page says.
struct OggPage: Equatable {
    /// The number of the stream that it belongs to.
    var serial: UInt32
    /// Whether it is the first of its stream.
    var beginsStream: Bool
    /// With its header, in bytes.
    var length: Int
    var headerLength: Int
    /// How far the stream has come with the last packet that ends in it, in samples; -1 where none ends.
    var granule: Int64
    /// Whether it begins in the middle of a packet.
    var isContinued: Bool
    /// How many packets end in it.
    var packets: Int
    private var checksum: UInt32

    static let shortest = 27
    static let longestHeader = 27 + 255
    static let longest = longestHeader + 255 * 255

    /// Reads the header that `bytes` begin with; `nil` where that is none.
    init?(_ bytes: some Collection<UInt8>) {
        let header = Array(bytes.prefix(Self.longestHeader))
        guard header.count >= Self.shortest, header.starts(with: "OggS\0".utf8) else { return nil }
        let segments = Int(header[26])
        guard header.count >= Self.shortest + segments else { return nil }
        func number(at place: Int) -> UInt32 {
            (0..<4).reduce(0) { $0 | UInt32(header[place + $1]) << (8 * UInt32($1)) }
        }
        isContinued = header[5] & 1 != 0
        beginsStream = header[5] & 2 != 0
        granule = Int64(bitPattern: UInt64(number(at: 10)) << 32 | UInt64(number(at: 6)))
        packets = header[27..<27 + segments].count { $0 < 255 }
        serial = number(at: 14)
        checksum = number(at: 22)
        headerLength = Self.shortest + segments
        length = headerLength + header[27..<27 + segments].reduce(0) { $0 + Int($1) }
    }

    /// Whether the page that `bytes` begin with is there to its end and as it was written.
    func isIntact(in bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count >= length else { return false }
        var sum: UInt32 = 0
        for (index, byte) in bytes.prefix(length).enumerated() {
            // The field of the sum itself counts as zero.
            let byte = 22..<26 ~= index ? 0 : byte
            sum = sum << 8 ^ Self.table[Int(sum >> 24 ^ UInt32(byte))]
        }
        return sum == checksum
    }

    /// The sums of all single bytes; the polynomial is Ogg's.
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte) << 24) { sum, _ in
            sum & 0x8000_0000 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1
        }
    }
}
