import Music

/// What one line of a text of lyrics is.
enum LyricsLine: Equatable {
    /// The moments at which it is sung, at least one, and what.
    case timed([TrackTime], String)
    case plain(String)
    /// By how much all lines are to come earlier.
    case offset(TrackTime)
    /// Of the header, and no word.
    case header

    /// More of a line than anybody reads is cut; stamps between its words count more.
    private static let longest = 4 << 10
    private static let longestRaw = 16 << 10
    /// No refrain comes more often.
    private static let mostTimes = 1000

    init(_ bytes: ArraySlice<UInt8>) {
        var rest = Self.unblanked(bytes)
        var times: [TrackTime] = []
        while times.count < Self.mostTimes, let (time, end) = LyricsStamp.time(rest, LyricsStamp.square) {
            times.append(time)
            rest = Self.unblanked(rest[end...])
        }
        if !times.isEmpty {
            self = .timed(times, Self.text(Self.withoutStamps(Self.cut(rest, to: Self.longestRaw))))
        } else if let (name, value) = Self.tag(rest), Self.headerNames.contains(name) {
            self = name == "offset" ? Self.milliseconds(value).map(Self.offset) ?? .header : .header
        } else {
            self = .plain(Self.text(rest))
        }
    }

    /// What programs and people put in front of the words; other names in brackets are words, such as `[Chorus: Ann]`.
    private static let headerNames: Set<String> = [
        "ar", "artist", "al", "album", "ti", "title", "au", "author", "by", "re", "ve", "version", "tool",
        "length", "offset", "la", "lang", "language", "encoding", "creator", "date", "comment", "id", "hash",
        "sign", "qq", "total", "kana", "key", "#",
    ]

    /// The parts of `[name: value]` where that is all there is, the name in lower case.
    private static func tag(_ line: ArraySlice<UInt8>) -> (name: String, value: String)? {
        let line = Self.cut(line, to: longest)
        guard line.first == UInt8(ascii: "["), let colon = line.firstIndex(of: UInt8(ascii: ":")),
            let last = line.lastIndex(where: { !LyricsStamp.isBlank($0) }), line[last] == UInt8(ascii: "]"),
            last > colon
        else { return nil }
        let name = String(decoding: line[(line.startIndex + 1)..<colon], as: UTF8.self).lowercased()
        return (Text.cleanLine(name), String(decoding: line[(colon + 1)..<last], as: UTF8.self))
    }

    /// A whole number with or without sign; prose in its place says nothing, nor does more than a day.
    private static func milliseconds(_ text: String) -> TrackTime? {
        guard let number = Int64(Text.cleanLine(text)), abs(Double(number)) <= 86_400_000 else { return nil }
        return TrackTime(microseconds: number * 1000)
    }

    /// The line without the stamps of its words, which stand in angle or square brackets, and without the blanks that are
    /// doubled by that (C255).
    private static func withoutStamps(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard line.contains(where: { LyricsStamp.brackets[$0] != nil }) else { return line }
        var kept: [UInt8] = []
        var rest = line
        while let byte = rest.first {
            if let close = LyricsStamp.brackets[byte], let (_, end) = LyricsStamp.time(rest, (byte, close)) {
                rest = rest[end...]
                if kept.last.map(LyricsStamp.isBlank) ?? true { rest = unblanked(rest) }
            } else {
                kept.append(byte)
                rest.removeFirst()
            }
        }
        return kept[...]
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        Text.cleanLine(String(decoding: cut(bytes, to: longest), as: UTF8.self))
    }

    /// At most so many bytes of it, no character cut.
    private static func cut(_ bytes: ArraySlice<UInt8>, to most: Int) -> ArraySlice<UInt8> {
        guard bytes.count > most else { return bytes }
        var end = bytes.startIndex + most
        while end > bytes.startIndex, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        return bytes[..<end]
    }

    private static func unblanked(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        bytes.drop(while: LyricsStamp.isBlank)
    }
}
