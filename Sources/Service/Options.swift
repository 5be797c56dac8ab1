package import Music

/// What `tianlai serve` is asked for.
package struct ServeOptions: Equatable, Sendable {
    /// Where the sound goes.
    package enum Output: String, Sendable, CaseIterable {
        /// The sound server.
        case pulse
        /// Nobody hears it, but time passes as if: for machines without sound.
        case silent
    }

    /// What becomes the queue; empty restores the last one.
    package var locations: [Location] = []
    /// Whether the music starts by itself.
    package var play = false
    package var output = Output.pulse

    package init() {}
}

/// What `tianlai render` is asked for.
package struct RenderOptions: Equatable, Sendable {
    /// The WAV file to write.
    package var output: FilePath
    /// At least one.
    package var files: [FilePath]
    package var json = false
    /// What its loudness is brought in line with; `nil` leaves the samples as they are in the file.
    package var gain: GainKind?

    package init(output: FilePath, files: [FilePath]) {
        self.output = output
        self.files = files
    }
}
