import Music

/// A frame of ID3v2 that says of each line, or of each syllable, when it is sung.
struct SyncedText {
    enum Unit: Equatable {
        case milliseconds
        case frames
    }

    let unit: Unit
    /// What stands between two moments, in the order of the frame.
    private var parts: [(stamp: Int, text: String)] = []

    /// More than any song has.
    private static let mostParts = 50_000

    /// Reads a frame; `nil` where it holds something else, such as movements of lips or chords.
    ///
    /// What a cut takes away is missing, the rest is good.
    init?(_ bytes: some Collection<UInt8>) {
        guard var frame = LyricsFrame(bytes, headCount: 5) else { return nil }
        switch frame.head[3] {
        case 1: unit = .frames
        case 2: unit = .milliseconds
        default: return nil
        }
        // Lyrics, and the transcription of a text.
        guard frame.head[4] == 1 || frame.head[4] == 2 else { return nil }
        while parts.count < Self.mostParts, let text = frame.next(), let stamp = frame.nextNumber() {
            parts.append((stamp, text))
        }
        guard !parts.isEmpty else { return nil }
    }

    /// The lines in the order of their times, syllables put together; `frame` is how long a frame of MPEG audio plays.
    ///
    /// A line break begins a line. Where there is none at all, each part is one.
    func lines(frame: TrackTime) -> [Lyrics.Line] {
        func time(_ stamp: Int) -> TrackTime {
            let unit = unit == .frames ? frame.microseconds : 1000
            return TrackTime(microseconds: Int64(stamp) * unit)
        }
        let hasBreaks = parts.contains { $0.text.contains(where: \.isNewline) }
        var lines = SungLines()
        for (index, part) in parts.enumerated() {
            let pieces = part.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            for (number, piece) in pieces.enumerated() {
                if number > 0 || index == 0 || !hasBreaks {
                    // A break at the end belongs to what is sung before it.
                    let isAhead = number > 0 && piece.isEmpty && !pieces[number - 1].isEmpty
                    lines.begin(at: time(part.stamp), String(piece), isAhead: isAhead)
                } else {
                    lines.goOn(at: time(part.stamp), String(piece))
                }
            }
        }
        return lines.cleaned
    }
}

/// Lines put together of what is sung, part by part.
private struct SungLines {
    private var lines: [Lyrics.Line] = []
    /// Whether the last line waits for its first word, and begins with that.
    private var isWaiting = false
    /// Whether it has only been begun for what may come.
    private var isAhead = false

    mutating func begin(at time: TrackTime, _ text: String, isAhead: Bool) {
        dropWhatNeverCame()
        lines.append(Lyrics.Line(time, text))
        isWaiting = text.isEmpty
        self.isAhead = isAhead
    }

    mutating func goOn(at time: TrackTime, _ text: String) {
        guard !text.isEmpty, !lines.isEmpty else { return }
        if isWaiting { lines[lines.count - 1].time = time }
        (isWaiting, isAhead) = (false, false)
        lines[lines.count - 1].text += text
    }

    private mutating func dropWhatNeverCame() {
        // In front of the first break is mostly nothing, too.
        if isWaiting, isAhead || lines.count == 1 { lines.removeLast() }
    }

    /// In the order of their times.
    var cleaned: [Lyrics.Line] {
        var whole = self
        whole.dropWhatNeverCame()
        return whole.lines.enumerated()
            .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .map {
                Lyrics.Line($0.element.time, Text.cleanLine(String($0.element.text.prefix(Self.longestLine))))
            }
    }

    private static let longestLine = 1000
}
