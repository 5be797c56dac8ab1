import Glibc
import Music
import Testing

@Suite("ReplayGain")
struct ReplayGainTests {
    /// The factor of so many decibels.
    private static func linear(_ decibels: Float) -> Float { powf(10, decibels / 20) }

    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var values: ReplayGain
        var settings = GainSettings()
        var kind = GainKind.track
        var factor: Float
    }

    private static let both = ReplayGain(trackGain: -6, trackPeak: 0.5, albumGain: -3, albumPeak: 1)

    @Test(
        "the factor",
        arguments: [
            Row(testDescription: "nothing is known", values: ReplayGain(), factor: 1),
            Row(testDescription: "only a peak is known", values: ReplayGain(trackPeak: 2), factor: 1),
            Row(
                testDescription: "pre-amp without values",
                values: ReplayGain(),
                settings: GainSettings(preamp: 6),
                factor: 1
            ),
            Row(testDescription: "track", values: both, factor: linear(-6)),
            Row(testDescription: "album", values: both, kind: .album, factor: linear(-3)),
            Row(
                testDescription: "track for want of album",
                values: ReplayGain(trackGain: -6),
                kind: .album,
                factor: linear(-6)
            ),
            Row(
                testDescription: "album for want of track",
                values: ReplayGain(albumGain: -3),
                factor: linear(-3)
            ),
            Row(
                testDescription: "always track",
                values: both,
                settings: GainSettings(mode: .track),
                kind: .album,
                factor: linear(-6)
            ),
            Row(
                testDescription: "always album",
                values: both,
                settings: GainSettings(mode: .album),
                factor: linear(-3)
            ),
            Row(
                testDescription: "off",
                values: both,
                settings: GainSettings(mode: .off, preamp: 6),
                factor: 1
            ),
            Row(
                testDescription: "pre-amp",
                values: both,
                settings: GainSettings(preamp: 2),
                factor: linear(-4)
            ),
            Row(
                testDescription: "pre-amp up to the peak",
                values: both,
                settings: GainSettings(preamp: 15),
                factor: 2
            ),
            Row(
                testDescription: "louder up to the peak",
                values: ReplayGain(trackGain: 12, trackPeak: 0.5),
                factor: 2
            ),
            Row(
                testDescription: "louder than the peak where that is wanted",
                values: ReplayGain(trackGain: 12, trackPeak: 0.5),
                settings: GainSettings(preventsClipping: false),
                factor: linear(12)
            ),
            Row(testDescription: "louder with an unknown peak", values: ReplayGain(trackGain: 4), factor: 1),
            Row(
                testDescription: "softer with an unknown peak",
                values: ReplayGain(trackGain: -4),
                factor: linear(-4)
            ),
            Row(
                testDescription: "a peak above full scale",
                values: ReplayGain(trackGain: 0, trackPeak: 2),
                factor: 0.5
            ),
            Row(
                testDescription: "the peak of the other kind",
                values: ReplayGain(trackGain: 12, albumPeak: 0.25),
                factor: linear(12)
            ),
        ]
    )
    func factor(row: Row) {
        #expect(abs(row.settings.factor(row.values, for: row.kind) - row.factor) < 1e-5)
    }

    @Test("values out of sense are not known")
    func outOfSense() {
        for gain in [.nan, .infinity, -.infinity, 100, -100, 64.82] as [Double] {
            #expect(ReplayGain(trackGain: gain, albumGain: gain) == ReplayGain())
            var changed = ReplayGain()
            (changed.trackGain, changed.albumGain) = (gain, gain)
            #expect(changed == ReplayGain())
        }
        for peak in [.nan, .infinity, 0, -1, 32767] as [Double] {
            #expect(ReplayGain(trackPeak: peak, albumPeak: peak) == ReplayGain())
        }
    }

    @Test("what is lacking is taken from elsewhere")
    func filled() {
        let some = ReplayGain(trackGain: 1, albumPeak: 0.5)
        #expect(
            some.filled(from: Self.both)
                == ReplayGain(trackGain: 1, trackPeak: 0.5, albumGain: -3, albumPeak: 0.5)
        )
        #expect(!ReplayGain(trackPeak: 1).isKnown)
        #expect(ReplayGain(albumGain: 1).isKnown)
    }
}
