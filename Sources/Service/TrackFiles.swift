import Audio
import Library
import Mpg123
import Music
import Playback

/// What the player learns of files, from the decoders and the tags.
enum TrackFiles {
    /// Reads tracks, keeping their covers below `cache`; without it they have none.
    static func source(cache: FilePath?) -> TrackSource {
        let covers = cache.map(CoverCache.init(folder:))
        return TrackSource(
            read: { location in
                let path = location.path
                do throws(DecoderError) {
                    let length = try length(of: path)
                    // What plays is a track, whatever becomes of its tags.
                    let file = (try? TagReader.read(path)) ?? FileTags()
                    let cover = file.cover.flatMap { covers?.keep($0) }
                    return .success(Track(location, tags: file.tags, length: length, cover: cover))
                } catch {
                    return .failure(ReadError(error.description))
                }
            },
            find: { find(at: $0, problem: $1) }
        )
    }

    /// The suffixes of music, in lower case and without dot.
    static let suffixes: Set<String> = ["mp3", "mp2", "mp1", "mpga"]

    /// The files of music at `path`: itself, or what is below it when it is a folder.
    static func find(at path: FilePath, problem: (FilePath, ReadError) -> Void) -> [TrackLocation] {
        FolderWalk(suffixes: suffixes).files(at: path) { problem($0, ReadError($1)) }.map {
            TrackLocation($0)
        }
    }

    /// Opens what the decoders know.
    static let open: OpenDecoder = { (location) throws(DecoderError) in try Mpg123.open(location.path) }

    /// The exact length of what plays at `path`; `nil` where it is not known or nothing.
    private static func length(of path: FilePath) throws(DecoderError) -> TrackTime? {
        let decoder = try Mpg123.open(path)
        let length = try decoder.length().map { TrackTime(frames: $0, rate: decoder.format.rate) }
        return length.flatMap { $0 > .zero ? $0 : nil }
    }
}
