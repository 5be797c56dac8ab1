import Audio
import Covers
import Library
import Loudness
import Mpg123
import Music
import Playback
import Playlists
import Sndfile
import TagReading

/// What the player learns of files, from the decoders and the tags.
struct TrackFiles: Sendable {
    private let covers: TrackCovers
    /// What the library knows of files; `nil` where there is none.
    private let index: IndexReader?
    private let latest = MeasuredFiles()
    /// What is done about the loudness of what is opened.
    private let gain: GainSettings
    /// How text of tags is read that does not say its encoding.
    private let encodings: TagEncodings

    /// Covers are kept in `cache`, of `coverCacheSize` bytes altogether.
    init(
        cache: FilePath?,
        index: IndexReader?,
        gain: GainSettings = GainSettings(mode: .off),
        coverCacheSize: Int64 = CoverCache.usualLimit,
        encodings: TagEncodings = TagEncodings()
    ) {
        covers = TrackCovers(cache: cache.map { CoverCache(folder: $0, limit: coverCacheSize) })
        self.index = index
        self.gain = gain
        self.encodings = encodings
    }

    /// The suffixes of music, in lower case and without dot.
    static let suffixes: Set<String> = [
        "mp3", "mp2", "mp1", "mpga", "flac", "fla", "ogg", "oga", "opus", "wav", "wave", "aif", "aiff",
        "aifc", "au",
        "snd", "caf", "w64", "rf64",
    ]

    var source: TrackSource {
        TrackSource(readTextFirst: read, glance: glance, find: find, rest: covers.tidyIfDue)
    }

    /// Opens what the decoders know, as loud as the listener wants it.
    var open: OpenDecoder {
        { (track) throws(DecoderError) in
            GainDecoder.scaling(try openMeasured(track.location), by: factor(for: track))
        }
    }

    /// Places in long files are found by what was noted when their length was counted.
    private func openMeasured(_ location: TrackLocation) throws(DecoderError) -> any Decoder {
        let path = location.path
        let stamp = FileStamp(at: path)
        let decoder = try Self.open(location)
        if let stamp {
            decoder.seek { [index, latest] in
                let bytes = latest.find(path, stamp)?.seekIndex ?? index?.seekIndex(of: path, stamp)
                return bytes.flatMap(SeekIndex.init(bytes:))
            }
        }
        return decoder
    }

    /// What is known of the loudness is in the index, or in the tags of the file.
    private func factor(for track: DeckTrack) -> Float {
        guard gain.mode != .off else { return 1 }
        let path = track.location.path
        let known = index?.lookup(path)?.replayGain ?? (try? TagReader.readTags(path))?.replayGain
        return gain.factor(known ?? ReplayGain(), for: track.gain)
    }

    /// How loud files are, several of them taken as one album.
    static let measure: MeasureLoudness = { paths, shouldStop, done in
        var tracks: [LoudnessMeter?] = []
        for path in paths {
            // What is broken is not tried again until it changes.
            let track = (try? LoudnessMeter(open(TrackLocation(path)), shouldStop: shouldStop))
            if shouldStop() { return nil }
            tracks.append(track)
            done()
        }
        return ReplayGain.measured(tracks)
    }

    /// The sound as it is in the file.
    static func open(_ location: TrackLocation) throws(DecoderError) -> any Decoder {
        let path = location.path
        let whole =
            switch try module(of: path) {
            case .mpg123: try Mpg123.open(path)
            case .sndfile: try Sndfile.open(path)
            }
        guard let excerpt = location.excerpt else { return whole }
        return try ExcerptDecoder(excerpt, of: whole)
    }

    /// About how long a file plays, for the library, which does not read through all files.
    static let length: @Sendable (FilePath) -> FileLength = { path in
        FileLength((try? glance(at: path)) ?? nil)
    }

    private static func glance(at path: FilePath) throws(DecoderError) -> TrackTime? {
        switch try module(of: path) {
        case .mpg123: try Mpg123.glance(at: path)
        case .sndfile: try Sndfile.glance(at: path)
        }
    }

    private enum DecoderModule {
        case mpg123
        case sndfile
    }

    /// Who decodes the file, by its content; what nobody does is refused.
    private static func module(of path: FilePath) throws(DecoderError) -> DecoderModule {
        let kind = try FileContent(of: try MusicFile(path)).kind
        switch kind {
        case .sampled: return .sndfile
        case .mpegInRIFF, .unmarked: return .mpg123
        case .foreign, .other: throw kind.refusal(of: "music")
        }
    }

    /// All that is shown of a track that plays.
    private func read(
        _ location: TrackLocation,
        _ tellText: (Track) -> Void
    ) -> Result<Track, ReadError> {
        do throws(DecoderError) {
            let length = try exactLength(of: location)
            return .success(track(location, length: length, isNear: true, tellText))
        } catch {
            return .failure(ReadError(error.description))
        }
    }

    /// To the sample; known already where the file was measured once and has not changed.
    private func exactLength(of location: TrackLocation) throws(DecoderError) -> TrackTime? {
        let stamp = FileStamp(at: location.path)
        let decoder = try Self.open(location)
        if let whole = knownLength(of: location.path, stamp) {
            guard let excerpt = location.excerpt else { return whole }
            return max(.zero, min(excerpt.end ?? whole, whole) - excerpt.start)
        }
        let length = try decoder.duration()
        if let length, let stamp, location.excerpt == nil {
            let measured = MeasuredFile(stamp: stamp, length: length, seekIndex: decoder.seekIndex?.bytes)
            latest.note(location.path, measured)
            index?.note(location.path, measured)
        }
        return length
    }

    private func knownLength(of path: FilePath, _ stamp: FileStamp?) -> TrackTime? {
        if let stamp, let known = latest.find(path, stamp) { return known.length }
        guard let known = index?.lookup(path)?.length, known.isExact else { return nil }
        return known.time
    }

    /// What a list shows.
    private func glance(_ location: TrackLocation) -> Track {
        let known = index?.lookup(location.path)?.length
        let whole = known?.isExact == true ? known?.time : Self.length(location.path).time
        let length = location.excerpt.map { $0.length(in: whole) } ?? whole
        return track(location, length: length, isNear: false)
    }

    /// What plays is a track, whatever becomes of its tags.
    ///
    /// Its words are read where it `isNear`, and what is known before its cover goes to `tellText`.
    private func track(
        _ location: TrackLocation,
        length: TrackTime?,
        isNear: Bool,
        _ tellText: (Track) -> Void = { _ in }
    ) -> Track {
        let file = (try? TagReader.read(location.path, encodings, wantsLyrics: isNear)) ?? FileTags()
        let length = length.flatMap { $0 > .zero ? $0 : nil }
        var track = Track(location, tags: file.tags, length: length)
        if isNear { track.lyrics = SongLyrics.read(location, file.lyrics) }
        tellText(track)
        track.cover = covers.cover(of: location.path, embedded: file.cover, isNear: isNear)
        return track
    }

    /// The tracks at `path`: itself, what is below it when it is a folder, what it names when it is a playlist.
    private func find(_ path: FilePath, _ problem: (String) -> Void, _ found: (TrackLocation) -> Bool) {
        let walk = FolderWalk(suffixes: Self.suffixes)
        func files(at path: FilePath) -> [FilePath] {
            walk.files(at: path) { problem("\($0): \($1)") }
        }
        if PlaylistFile.isPlaylist(path.suffix) {
            PlaylistExpander(musicSuffixes: Self.suffixes)
                .expand(path, folder: files, problem: problem, found: found)
        } else {
            _ = files(at: path).allSatisfy { found(TrackLocation($0)) }
        }
    }
}
