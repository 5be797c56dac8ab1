import Music

/// A moment as LRC writes it: `[1:02]`, `[01:02.3]`, `[01:02.345]`, `[01:02:34]`, `[100:00.00]`, `[1:02:03.40]`.
enum LyricsStamp {
    typealias Brackets = (open: UInt8, close: UInt8)

    static let square: Brackets = (UInt8(ascii: "["), UInt8(ascii: "]"))
    /// What a stamp may begin with, and ends with then.
    static let brackets: [UInt8: UInt8] = [
        square.open: square.close, UInt8(ascii: "<"): UInt8(ascii: ">"),
    ]

    /// More letters than any stamp has.
    private static let longest = 24

    /// The time of the stamp that `bytes` begin with, and where it ends; `nil` where they begin with none.
    static func time(_ bytes: ArraySlice<UInt8>, _ brackets: Brackets) -> (TrackTime, end: Int)? {
        guard bytes.first == brackets.open else { return nil }
        let inside = bytes.dropFirst().prefix(longest).prefix { $0 != brackets.close }
        guard inside.endIndex < bytes.endIndex, bytes[inside.endIndex] == brackets.close,
            let time = time(inside)
        else { return nil }
        return (time, inside.endIndex + 1)
    }

    static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    private static func time(_ bytes: ArraySlice<UInt8>) -> TrackTime? {
        var parts = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let last = parts.popLast() else { return nil }
        let point = last.firstIndex { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",") }
        var fraction: ArraySlice<UInt8> = []
        if let point {
            parts.append(last[..<point])
            fraction = last[(point + 1)...]
        } else if parts.count == 2 {
            // Some write a colon for the point.
            fraction = last
        } else {
            parts.append(last)
        }
        guard let microseconds = microseconds(fraction) else { return nil }
        var seconds: Int64 = 0
        for (index, part) in parts.enumerated() {
            let part = trimmed(part)
            // Minutes may be more than 59 where there are no hours.
            guard let number = number(part), index == 0 || number < 60 && part.count <= 2 else { return nil }
            seconds = seconds * 60 + number
        }
        return TrackTime(microseconds: seconds * 1_000_000 + microseconds)
    }

    /// What stands behind the point: `3` is 300 ms, `34` is 340; nothing is nothing.
    private static func microseconds(_ digits: ArraySlice<UInt8>) -> Int64? {
        let digits = trimmed(digits)
        guard digits.count <= 9 else { return nil }
        if digits.isEmpty { return 0 }
        guard number(digits) != nil, let number = number(digits.prefix(6)) else { return nil }
        return (min(6, digits.count)..<6).reduce(number) { value, _ in value * 10 }
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let bytes = bytes.drop(while: isBlank)
        let end = bytes.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? bytes.startIndex
        return bytes[..<end]
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        guard (1...9).contains(digits.count) else { return nil }
        var value: Int64 = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            value = value * 10 + Int64(digit - UInt8(ascii: "0"))
        }
        return value
    }
}
