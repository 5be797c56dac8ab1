package import Music

/// What a tag has of the words of a song, as it is written there.
package struct TaggedLyrics: Equatable, Sendable {
    /// Lines of a frame that says when each is sung, in the order of their times; empty without one.
    package var lines: [Lyrics.Line] = []
    /// Texts with their line breaks, which may be LRC; what should be goes first, then the order of the file.
    package var texts: [String] = []

    package init() {}

    /// These, with what they lack taken from `other`.
    func filled(from other: TaggedLyrics) -> TaggedLyrics {
        var lyrics = self
        if lines.isEmpty { lyrics.lines = other.lines }
        lyrics.texts += other.texts
        return lyrics
    }
}

/// The fields of a tag that hold the words of a song, of whichever kind of tag.
struct LyricsFields {
    /// Words are long, and nobody but who shows them wants them.
    let areWanted: Bool
    private var synced: SyncedText?
    private var texts: [(name: String, text: String)] = []

    /// Songs have them in a language or two.
    private static let mostTexts = 8
    /// More of a text is cut.
    static let longest = 1 << 20

    init(areWanted: Bool) {
        self.areWanted = areWanted
    }

    /// Takes a frame of ID3v2; `false` where it is none of these.
    mutating func takeFrame(_ name: String, _ bytes: some Collection<UInt8>) -> Bool {
        switch name {
        case "USLT", "ULT":
            guard areWanted, let text = LyricsFrame(bytes, headCount: 3)?.text else { return true }
            add("UNSYNCEDLYRICS", text)
        case "SYLT", "SLT":
            guard areWanted, synced == nil, let text = SyncedText(bytes) else { return true }
            synced = text
        default: return false
        }
        return true
    }

    /// Takes a text with the name `name`, in upper case; `false` where it is none of these.
    mutating func take(_ name: String, _ value: @autoclosure () -> String) -> Bool {
        guard Self.names.contains(name) else { return false }
        if areWanted { add(name, value()) }
        return true
    }

    private static let names: Set<String> = [
        "LYRICS", "UNSYNCEDLYRICS", "UNSYNCED LYRICS", "SYNCEDLYRICS", "SYNCED LYRICS",
    ]

    private mutating func add(_ name: String, _ text: String) {
        guard texts.count < Self.mostTexts, !text.isEmpty else { return }
        texts.append((name, text))
    }

    /// Whether times are in frames of MPEG audio, whose length is to be found out.
    var countsFrames: Bool { synced?.unit == .frames }

    /// What there is; `frame` is how long a frame of MPEG audio plays.
    func lyrics(frame: TrackTime = MPEGFrame.usual) -> TaggedLyrics {
        var lyrics = TaggedLyrics()
        lyrics.lines = synced?.lines(frame: frame) ?? []
        let (first, others) = (
            texts.filter { $0.name.hasPrefix("SYNCED") }, texts.filter { !$0.name.hasPrefix("SYNCED") }
        )
        lyrics.texts = (first + others).map(\.text)
        return lyrics
    }
}
