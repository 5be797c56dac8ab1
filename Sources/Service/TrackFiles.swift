import Audio
import Library
import Mpg123
import Music
import Playback

/// What the player learns of files, from the decoders and the tags.
enum TrackFiles {
    static func source(cache: FilePath?) -> TrackSource {
        TrackSource(
            read: { path in
                do throws(DecoderError) {
                    let decoder = try Mpg123.open(path)
                    let length = try decoder.length().map { TrackTime(frames: $0, rate: decoder.format.rate) }
                    return .success(Track(path: path, length: length.flatMap { $0 > .zero ? $0 : nil }))
                } catch {
                    return .failure(ReadError(error.description))
                }
            },
            find: { path, _ in [path] }
        )
    }

    static func find(at path: FilePath, problem: (FilePath, ReadError) -> Void) -> [FilePath] { [path] }
}
