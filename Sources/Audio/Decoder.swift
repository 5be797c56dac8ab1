package import Music

/// A file of music being read from its start to its end.
///
/// Made, used and let go on one thread, which may block in every call. What encoders put before and behind the music
/// is trimmed already: frame 0 is the first that is heard.
package protocol Decoder: AnyObject {
    /// The format of the samples that the next ``read(into:)`` gives.
    var format: StreamFormat { get }

    /// The exact number of frames from first to last, found by reading the file's frames where its header cannot be
    /// trusted; `nil` where it has none.
    ///
    /// The read position stays where it is. Frames after a change of rate count at their own rate.
    func length() throws(DecoderError) -> Int64?

    /// Writes the next samples, whole frames of ``format``.
    ///
    /// Sound that was decoded before an error comes first, then the error.
    func read(into samples: UnsafeMutableBufferPointer<Float>) throws(DecoderError) -> Decoded

    /// Goes to `frame`, exactly: what is read next is what a straight read gives there.
    ///
    /// Beyond the end, the next read says ``Decoded/end``.
    func seek(to frame: Int64) throws(DecoderError)

    /// The exact time that the frames of ``length()`` take, each at the rate of its part of the file.
    func duration() throws(DecoderError) -> TrackTime?

    /// Goes to the frame that a straight read gives at `time`, also where the rate changes before it.
    func seek(to time: TrackTime) throws(DecoderError)

    /// What ``length()`` found out besides, where that spares another decoder of the file much reading.
    var seekIndex: SeekIndex? { get }

    /// Says where to ask for what another decoder found in the very same file; asked when a seek would be slow without.
    ///
    /// What turns out not to be true of the file is left unused.
    func seek(with index: @escaping () -> SeekIndex?)
}

/// For files of one rate in which every place is found at once.
extension Decoder {
    package func duration() throws(DecoderError) -> TrackTime? {
        try length().map { TrackTime(frames: $0, rate: format.rate) }
    }

    package func seek(to time: TrackTime) throws(DecoderError) {
        try seek(to: time.frames(rate: format.rate))
    }

    package var seekIndex: SeekIndex? { nil }

    package func seek(with index: @escaping () -> SeekIndex?) {}
}

/// What one read gave.
package enum Decoded: Equatable, Sendable {
    /// So many samples (not frames), at least one frame.
    case samples(Int)
    /// No samples yet: from here on the format is the decoder's new one.
    case formatChange
    /// The music is over.
    case end
}

/// Opens the file of music of a track, or the stretch of it, by what is in it, not by its name, its loudness brought in
/// line.
///
/// On any thread; regular files only, so it never waits for a pipe or a device.
package typealias OpenDecoder = @Sendable (DeckTrack) throws(DecoderError) -> any Decoder

/// Why a file does not play, in words that go behind its path: `/m/x.mp3: it is a folder`.
package enum DecoderError: Error, Equatable, Sendable, CustomStringConvertible {
    /// It cannot be read; the `errno`-like reason in words.
    case unreadable(String)
    /// It is not music that this player knows.
    case notMusic(String)
    /// It is music, but broken here.
    case damaged(String)

    package var description: String {
        switch self {
        case .unreadable(let reason), .notMusic(let reason), .damaged(let reason): reason
        }
    }
}
