import Glibc

/// The lines of a file, read block by block, so that the first are there at once and a long list needs no memory.
final class LineReader {
    /// Longer lines than this are no line of a playlist; they are left out.
    static let longest = 64 << 10

    private let file: ListFile?
    private let block: UnsafeMutableRawBufferPointer
    /// What of `block` is still to be handed out.
    private var (start, end) = (0, 0)
    private var isAtEnd = false

    /// The lines of a file, from where it has been read to.
    init(_ file: consuming ListFile) throws(PlaylistError) {
        self.file = consume file
        block = .allocate(byteCount: Self.longest, alignment: 1)
        try fill()
    }

    /// The lines of a text in memory.
    init(_ text: [UInt8]) {
        file = nil
        block = .allocate(byteCount: max(1, text.count), alignment: 1)
        block.copyBytes(from: text)
        end = text.count
        isAtEnd = true
    }

    deinit { block.deallocate() }

    /// What is there to be looked at before the first line is taken: up to 64 KiB.
    var beginning: [UInt8] { Array(block[start..<min(end, start + Self.longest)]) }

    /// Leaves out the first bytes, such as a byte order mark.
    func skip(_ count: Int) {
        start = min(end, start + count)
    }

    /// All that has not been taken, for what is no list of lines.
    func rest() throws(PlaylistError) -> [UInt8] {
        defer { (start, end, isAtEnd) = (0, 0, true) }
        return try Array(block[start..<end]) + (file?.readAll() ?? [])
    }

    /// Calls `body` with the next line without its line break and returns what that does; `nil` at the end.
    ///
    /// The bytes are there during the call only. A line break is LF, CR LF or CR.
    func next<Result>(_ body: (UnsafeRawBufferPointer) -> Result) throws(PlaylistError) -> Result? {
        var isTooLong = false
        while true {
            if let line = takeLine() {
                if isTooLong {
                    isTooLong = false
                    continue
                }
                return body(UnsafeRawBufferPointer(rebasing: block[line]))
            }
            if isAtEnd {
                guard start < end, !isTooLong else { return nil }
                defer { start = end }
                return body(UnsafeRawBufferPointer(rebasing: block[start..<end]))
            }
            if start == 0, end == block.count {
                isTooLong = true
                end = 0
            }
            try fill()
        }
    }

    /// The next line that is whole in the block.
    private func takeLine() -> Range<Int>? {
        guard let base = block.baseAddress, start < end else { return nil }
        let line = base + start
        let feed = memchr(line, CInt(UInt8(ascii: "\n")), end - start)
        var length = feed.map { $0 - UnsafeMutableRawPointer(line) } ?? (end - start)
        if let cr = memchr(line, CInt(UInt8(ascii: "\r")), length) {
            length = cr - UnsafeMutableRawPointer(line)
        } else if feed == nil {
            return nil
        }
        // Of CR LF the second ends an empty line, which is none in a playlist.
        defer { start += length + 1 }
        return start..<(start + length)
    }

    /// Reads on behind what is left, which moves to the front.
    private func fill() throws(PlaylistError) {
        guard let base = block.baseAddress else { return }
        if start > 0 {
            memmove(base, base + start, end - start)
            (start, end) = (0, end - start)
        }
        let count = try file?.read(into: UnsafeMutableRawBufferPointer(rebasing: block[end...])) ?? 0
        end += count
        isAtEnd = count == 0
    }
}
