import LyricsReading
import Music
import TagReading

/// The words of a song, of the places where they may be the one that tells most.
enum SongLyrics {
    /// Those of the track at `location`, in whose tag is `tagged`.
    ///
    /// What has times goes before what has none, and the file beside the music before its tag (C254).
    static func read(_ location: TrackLocation, _ tagged: TaggedLyrics) -> Lyrics? {
        let whole = best(beside(location.path), tagged)
        guard let excerpt = location.excerpt else { return whole }
        return whole?.cut(to: excerpt)
    }

    private static func best(_ beside: Lyrics?, _ tagged: TaggedLyrics) -> Lyrics? {
        if let beside, beside.isTimed { return beside }
        let tagged = LyricsText.best(of: tagged.lines, tagged.texts)
        return tagged?.isTimed == true ? tagged : beside ?? tagged
    }

    /// What cannot be read is passed over: the music plays without it.
    private static func beside(_ path: FilePath) -> Lyrics? {
        LyricsFile.beside(path).flatMap { (try? LyricsFile.read($0)) ?? nil }
    }
}
