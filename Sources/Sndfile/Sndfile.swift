package import Audio
package import Music

/// The decoders of this module: FLAC, Ogg Vorbis, Opus, WAV and AIFF through libsndfile.
package enum Sndfile {
    /// Opens what libsndfile reads, by what is in the file.
    package static func open(_ path: FilePath) throws(DecoderError) -> any Decoder {
        throw .notMusic("it is not music that is known")
    }
}
