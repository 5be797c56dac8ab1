import Charset
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
    /// Of fields whose name says that they have times, and of others.
    private var (timedTexts, texts) = ([String](), [String]())

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
            Self.add(text, to: &texts)
        case "SYLT", "SLT":
            guard areWanted, synced == nil, let text = SyncedText(bytes) else { return true }
            synced = text
        default: return false
        }
        return true
    }

    /// Takes a text with the name `name`, in upper case; `false` where it is none of these.
    mutating func take(_ name: String, _ value: @autoclosure () -> String) -> Bool {
        switch name {
        case "LYRICS", "UNSYNCEDLYRICS", "UNSYNCED LYRICS":
            if areWanted { Self.add(value(), to: &texts) }
        case "SYNCEDLYRICS", "SYNCED LYRICS":
            if areWanted { Self.add(value(), to: &timedTexts) }
        default: return false
        }
        return true
    }

    private static func add(_ text: String, to texts: inout [String]) {
        if texts.count < mostTexts, !text.isEmpty { texts.append(text) }
    }

    /// The text of a field that ought to be UTF-8; of one as long as this the bytes tell what it is.
    static func text(_ bytes: some Collection<UInt8>) -> String {
        DecodedText(Array(bytes.prefix(longest))).text
    }

    /// Whether times are in frames of MPEG audio, whose length is to be found out.
    var countsFrames: Bool { synced?.unit == .frames }

    /// What there is; `frame` is how long a frame of MPEG audio plays.
    func lyrics(frame: TrackTime = MPEGFrame.usual) -> TaggedLyrics {
        var lyrics = TaggedLyrics()
        lyrics.lines = synced?.lines(frame: frame) ?? []
        lyrics.texts = timedTexts + texts
        return lyrics
    }
}
