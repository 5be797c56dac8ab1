import Music

/// A place in a track, or a way from here.
enum SeekTarget: Equatable, Sendable {
    case to(TrackTime)
    case by(TrackTime)

    /// `1:30` is a place, `+10` and `-0:05.5` are ways.
    init?(_ word: String) {
        switch word.first {
        case "+":
            guard let time = TrackTime(word: word.dropFirst()) else { return nil }
            self = .by(time)
        case "-":
            guard let time = TrackTime(word: word.dropFirst()) else { return nil }
            self = .by(TrackTime(microseconds: -time.microseconds))
        default:
            guard let time = TrackTime(word: word) else { return nil }
            self = .to(time)
        }
    }
}

extension TrackTime {
    /// A time as people write it: seconds, `m:ss` or `h:mm:ss`, with decimals if need be.
    init?(word: some StringProtocol) {
        let parts = word.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count), let last = parts.last else { return nil }
        let decimal = last.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        var seconds: Int64 = 0
        for (index, part) in (parts.dropLast() + [decimal[0]]).enumerated() {
            // Nine digits of hours still fit; the parts behind the first are minutes and seconds.
            guard let number = digits(part, atMost: 9), index == 0 || number < 60 && part.utf8.count == 2
            else {
                return nil
            }
            seconds = seconds * 60 + number
        }
        var microseconds: Int64 = 0
        if decimal.count == 2 {
            // What is finer than a microsecond is cut off.
            let decimals = decimal[1].prefix(6)
            guard decimal[1].utf8.allSatisfy(isDigit), let fraction = digits(decimals, atMost: 6) else {
                return nil
            }
            microseconds = (decimals.utf8.count..<6).reduce(fraction) { number, _ in number * 10 }
        }
        self.init(microseconds: seconds * 1_000_000 + microseconds)
    }
}

/// When the music is to end by itself.
enum SleepChange: Equatable, Sendable {
    case after(TrackTime)
    case off

    /// A time in hours, minutes and seconds, of at most a day.
    ///
    /// `30m`, `1h30m`, `90s`; a bare number is one of minutes.
    init?(_ word: String) {
        if word == "off" {
            self = .off
            return
        }
        var seconds: Int64 = 0
        var rest = word[...]
        var units: [(Character, Int64)] = [("h", 3600), ("m", 60), ("s", 1)]
        while !rest.isEmpty {
            let number = rest.prefix { $0 != "h" && $0 != "m" && $0 != "s" }
            rest = rest.dropFirst(number.count)
            guard let count = digits(number, atMost: 5) else { return nil }
            guard let unit = rest.popFirst() ?? (seconds == 0 && units.count == 3 ? "m" : nil),
                let index = units.firstIndex(where: { $0.0 == unit })
            else { return nil }
            seconds += count * units[index].1
            // Each once, the larger first.
            units.removeFirst(index + 1)
        }
        guard (1...86_400).contains(seconds) else { return nil }
        self = .after(TrackTime(microseconds: seconds * 1_000_000))
    }
}

/// A loudness, or a step from the present one; 1 is full.
enum VolumeChange: Equatable, Sendable {
    case to(Double)
    case by(Double)

    /// `40%`, `+5%`, `-5%`; a whole number may do without the sign, while 0.5 could mean a half and is refused.
    init?(_ word: String) {
        var number = word[...]
        let sign: Double? =
            switch word.first {
            case "+": 1
            case "-": -1
            default: nil
            }
        if sign != nil { number.removeFirst() }
        let isPercent = number.hasSuffix("%")
        if isPercent { number.removeLast() }
        let parts = number.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.allSatisfy({ digits($0, atMost: 9) != nil }), parts.count == 1 || isPercent,
            let percent = Double(number)
        else { return nil }
        if let sign {
            self = .by(sign * percent / 100)
        } else {
            guard percent <= 100 else { return nil }
            self = .to(percent / 100)
        }
    }
}

/// What to make of something that is on or off.
enum Switch: String, Sendable, CaseIterable {
    case on, off, toggle
}

/// What to make of the random order.
enum ShuffleChange: Equatable, Sendable {
    case switched(Switch)
    /// Turns it on, keeping this together.
    case of(ShuffleKind)

    init?(_ word: String) {
        if let change = Switch(rawValue: word) {
            self = .switched(change)
        } else if let kind = ShuffleKind(rawValue: word) {
            self = .of(kind)
        } else {
            return nil
        }
    }
}

extension ClosedRange<Int> {
    /// Songs by their numbers: `7`, or `3-5`; the first has number 1.
    init?(numbers word: String) {
        let parts = word.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first.flatMap({ digits($0, atMost: 9) }),
            let last = parts.last.flatMap({ digits($0, atMost: 9) }), first >= 1, last >= first
        else { return nil }
        self = Int(first)...Int(last)
    }
}

extension LoopMode {
    /// The mode by the name that the command line has for it.
    init?(word: String) {
        guard let mode = LoopMode.allCases.first(where: { $0.word == word }) else { return nil }
        self = mode
    }

    /// What the command line calls it.
    var word: String { rawValue.lowercased() }
}

private func digits(_ word: some StringProtocol, atMost count: Int) -> Int64? {
    guard (1...count).contains(word.utf8.count), word.utf8.allSatisfy(isDigit) else { return nil }
    return Int64(word)
}

private func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}
