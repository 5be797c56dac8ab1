package import Audio
package import Music

/// The decoders of this module: FLAC, Ogg Vorbis, Opus, WAV, AIFF, AU, CAF and W64 through libsndfile.
package enum Sndfile {
    /// Opens what libsndfile reads, by what is in the file.
    ///
    /// Refuses what is no regular file, what is another format whatever its name, and what has no sound that can be
    /// decoded at its start. Channels come in the order of ``SpeakerLayout``.
    package static func open(_ path: FilePath) throws(DecoderError) -> any Decoder {
        try SndfileDecoder(try soundFile(at: path))
    }

    /// How long the file at `path` plays, as its header says; `nil` where that does not say.
    ///
    /// Refuses what ``open(_:)`` refuses.
    package static func glance(at path: FilePath) throws(DecoderError) -> TrackTime? {
        try SndfileDecoder(try soundFile(at: path)).statedDuration
    }

    private static func soundFile(at path: FilePath) throws(DecoderError) -> MusicFile {
        let file = try MusicFile(path)
        let content = try FileContent(of: file)
        guard case .sampled = content.kind else { throw content.kind.refusal(of: "WAV, FLAC or Ogg") }
        file.start = content.start
        return file
    }
}
