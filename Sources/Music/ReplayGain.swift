import Glibc

/// By how much music is to be made louder or softer, as a tag says or a measurement has shown.
///
/// `nil` is not known. Gains are in decibels, for a loudness of −18 LUFS as ReplayGain 2.0 wants it; peaks are linear, 1
/// being full scale.
package struct ReplayGain: Equatable, Sendable {
    package var trackGain: Double? { didSet { trackGain = Self.usable(gain: trackGain) } }
    package var albumGain: Double? { didSet { albumGain = Self.usable(gain: albumGain) } }
    package var trackPeak: Double? { didSet { trackPeak = Self.usable(peak: trackPeak) } }
    package var albumPeak: Double? { didSet { albumPeak = Self.usable(peak: albumPeak) } }

    /// What no music needs is not taken for known, be it no number or 64 dB, which scanners write of silence.
    package init(
        trackGain: Double? = nil,
        trackPeak: Double? = nil,
        albumGain: Double? = nil,
        albumPeak: Double? = nil
    ) {
        self.trackGain = Self.usable(gain: trackGain)
        self.trackPeak = Self.usable(peak: trackPeak)
        self.albumGain = Self.usable(gain: albumGain)
        self.albumPeak = Self.usable(peak: albumPeak)
    }

    /// Whether it says how loud the music is to be at all.
    package var isKnown: Bool { trackGain != nil || albumGain != nil }

    /// These values, with what they lack taken from `other`.
    package func filled(from other: ReplayGain) -> ReplayGain {
        ReplayGain(
            trackGain: trackGain ?? other.trackGain,
            trackPeak: trackPeak ?? other.trackPeak,
            albumGain: albumGain ?? other.albumGain,
            albumPeak: albumPeak ?? other.albumPeak
        )
    }

    private static func usable(gain: Double?) -> Double? { gain.flatMap { abs($0) <= 60 ? $0 : nil } }

    /// No sound has a peak of 0, and a whole number of 16 bits is no linear peak.
    private static func usable(peak: Double?) -> Double? { peak.flatMap { $0 > 0 && $0 <= 100 ? $0 : nil } }
}

/// What the listener wants to be done about loudness.
package struct GainSettings: Equatable, Sendable {
    /// Which values count.
    package enum Mode: String, Sendable, CaseIterable {
        /// Those that fit how the queue is played: see ``GainKind``.
        case auto
        case track
        case album
        /// None: all music as it is in its file.
        case off
    }

    package var mode: Mode
    /// Decibels by which everything of known loudness is louder than the values say.
    package var preamp: Double
    /// Whether music is rather left softer than made so loud that its peaks do not fit.
    package var preventsClipping: Bool

    package init(mode: Mode = .auto, preamp: Double = 0, preventsClipping: Bool = true) {
        self.mode = mode
        self.preamp = preamp
        self.preventsClipping = preventsClipping
    }

    /// What the samples of a file are to be multiplied with; `kind` is what fits how the queue is played.
    ///
    /// Where the values of one kind are not known, those of the other are used; where neither are, it is 1. A peak that is
    /// not known is taken for full scale.
    package func factor(_ values: ReplayGain, for kind: GainKind) -> Float {
        guard mode != .off else { return 1 }
        let isTrack = mode == .auto ? kind == .track : mode == .track
        let (first, second) = (values.trackGain, values.albumGain)
        guard let gain = isTrack ? first ?? second : second ?? first else { return 1 }
        let factor = pow(10, (gain + preamp) / 20)
        guard preventsClipping else { return Float(factor) }
        let peak =
            isTrack ? values.trackPeak ?? values.albumPeak : values.albumPeak ?? values.trackPeak
        return Float(min(factor, 1 / (peak ?? 1)))
    }
}
