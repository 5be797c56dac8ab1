import Charset
import Glibc
import Music

/// The entries of an M3U list, one line after the other.
///
/// A list of 100,000 lines is usual: nothing is built before it is asked for.
final class M3UReader {
    private let lines: LineReader
    private let text: ListText
    /// Whether titles and lengths are wanted; who only plays the list does without.
    private let readsTitles: Bool
    /// What an `#EXTINF` line said of the entry that comes next.
    private var pending: (title: [UInt8], duration: TrackTime?)?
    /// What the list calls itself, once that line has been read.
    private(set) var title: String?

    init(_ lines: LineReader, _ encoding: TextEncoding, readsTitles: Bool) {
        self.lines = lines
        text = ListText(encoding)
        self.readsTitles = readsTitles
    }

    func next() throws(PlaylistError) -> PlaylistEntry? {
        while let entry = try lines.next(entry(of:)) {
            if let entry { return entry }
        }
        return nil
    }

    /// The entry that a line is; `nil` where it is none: a remark, a directive, blank, or with NUL in it.
    private func entry(of line: UnsafeRawBufferPointer) -> PlaylistEntry? {
        let line = trimmed(line)
        guard let first = line.first else { return nil }
        if first == UInt8(ascii: "#") {
            readDirective(line)
            return nil
        }
        defer { pending = nil }
        guard let start = line.baseAddress, memchr(start, 0, line.count) == nil else { return nil }
        var entry = PlaylistEntry(WrittenLocation(path: Array(line), text.encoding), readsTitles ? text : nil)
        if let pending {
            entry.title = text.field(pending.title)
            entry.duration = pending.duration
        }
        return entry
    }

    /// `#EXTINF:LENGTH ATTRIBUTES,TITLE` and `#PLAYLIST:TITLE`; the last `#EXTINF` before an entry counts.
    private func readDirective(_ line: UnsafeRawBufferPointer) {
        guard readsTitles else { return }
        if hasPrefix(line, "#EXTINF:") {
            let rest = line[8...]
            let number = rest.drop { $0 == 0x20 }.prefix { digits.contains($0) || $0 == UInt8(ascii: ".") }
            pending = (title: Array(Self.title(in: rest)), duration: seconds(number))
        } else if hasPrefix(line, "#PLAYLIST:") {
            title = text.field(Array(line[10...]))
        }
    }

    /// What follows the first comma that is not within the quotes of an attribute.
    private static func title(in line: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
        var isQuoted = false
        for index in line.indices {
            switch line[index] {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: ",") where !isQuoted: return line[(index + 1)...]
            default: continue
            }
        }
        return line[line.endIndex...]
    }
}

let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

/// A length in decimal seconds; `nil` where it is 0, which lists write for what they do not know, or no number.
func seconds(_ text: some Sequence<UInt8>) -> TrackTime? {
    var microseconds: Int64 = 0
    // What the next digit behind the point is worth; `nil` before it.
    var worth: Int64?
    for byte in text {
        switch byte {
        case digits:
            let digit = Int64(byte - UInt8(ascii: "0"))
            if let fraction = worth {
                microseconds += digit * fraction
                worth = fraction / 10
            } else {
                guard microseconds < 1_000_000_000_000_000 else { return nil }
                microseconds = microseconds * 10 + digit * 1_000_000
            }
        case UInt8(ascii: ".") where worth == nil: worth = 100_000
        default: return nil
        }
    }
    return microseconds > 0 ? TrackTime(microseconds: microseconds) : nil
}

/// Without blanks at either end.
func trimmed(_ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    var (start, end) = (0, line.count)
    while start < end, line[start] == 0x20 || line[start] == 0x09 { start += 1 }
    while end > start, line[end - 1] == 0x20 || line[end - 1] == 0x09 { end -= 1 }
    return UnsafeRawBufferPointer(rebasing: line[start..<end])
}

/// Whether a line begins with these letters, in either case.
func hasPrefix(_ line: UnsafeRawBufferPointer, _ prefix: StaticString) -> Bool {
    guard line.count >= prefix.utf8CodeUnitCount, let start = line.baseAddress else { return false }
    return strncasecmp(start.assumingMemoryBound(to: CChar.self), prefix.asCString, prefix.utf8CodeUnitCount)
        == 0
}
