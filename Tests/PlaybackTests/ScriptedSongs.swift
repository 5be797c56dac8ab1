import AudioTestSupport
import EventLoop
import Music
import Playback

extension Player {
    /// Plays scripted songs on an output whose clock the test moves.
    convenience init(
        on loop: EventLoop,
        _ output: SimulatedOutput,
        _ source: TrackSource,
        crossfade: TrackTime = .zero,
        report: @escaping (String) -> Void = { _ in }
    ) throws {
        try self.init(
            loop: loop,
            output: output,
            open: ScriptedDecoder.open,
            source: source,
            seed: 1,
            crossfade: crossfade,
            now: { output.now },
            report: report
        )
    }
}

extension TrackSource {
    /// Each path is a song, of which nothing is known until it has been read.
    static func songs(_ read: @escaping @Sendable (TrackLocation) -> Track) -> TrackSource {
        songs { location, _ in read(location) }
    }

    /// The same, with what is known before the cover told on the way.
    static func songs(
        _ read: @escaping @Sendable (_ location: TrackLocation, _ tellText: (Track) -> Void) -> Track
    ) -> TrackSource {
        TrackSource(
            readTextFirst: { .success(read($0, $1)) },
            glance: { Track($0) },
            find: { path, _, found in _ = found(TrackLocation(path)) }
        )
    }
}
