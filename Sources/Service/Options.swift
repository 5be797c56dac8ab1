/// What `tianlai serve` was asked to do.
package struct ServeOptions: Equatable, Sendable {
    /// Where the sound goes.
    package enum Output: String, Sendable, CaseIterable {
        /// To PulseAudio, or PipeWire in its place.
        case pulse
        /// To nobody, in real time.
        case silent
    }

    /// Files, folders and `file:` URIs as they were given: bytes, since names need not be text.
    package var locations: [[UInt8]] = []
    /// Whether to play at once instead of waiting for Play.
    package var plays = false
    package var output = Output.pulse

    package init() {}
}

/// What `tianlai render` was asked to do.
package struct RenderOptions: Equatable, Sendable {
    package var locations: [[UInt8]] = []
    /// The WAV file to be written.
    package var output: [UInt8] = []
    /// Whether to tell in JSON what was written.
    package var isJSON = false

    package init() {}
}
