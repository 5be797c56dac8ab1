import Audio
import CSndfile
import Testing

@testable import Sndfile

/// Channels leave in the order of WAVE.
@Suite("the order of channels", .timeLimit(.minutes(5)))
struct SpeakerLayoutTests {
    struct Case: Sendable {
        var codec: SndfileHandle.Codec
        var map: [CInt] = []
        var channels: Int
        var routing: [Int?]?
    }

    static let cases: [Case] = [
        Case(codec: .vorbis, channels: 1), Case(codec: .vorbis, channels: 2),
        Case(codec: .vorbis, channels: 3, routing: [0, 2, 1]), Case(codec: .opus, channels: 4),
        Case(codec: .opus, channels: 5, routing: [0, 2, 1, 3, 4]),
        Case(codec: .vorbis, channels: 6, routing: [0, 2, 1, 5, 3, 4]),
        Case(codec: .opus, channels: 7, routing: [0, 2, 1, 6, 5, 3, 4]),
        Case(codec: .vorbis, channels: 8, routing: [0, 2, 1, 7, 5, 6, 3, 4]),
        Case(codec: .vorbis, channels: 9), Case(codec: .flac, channels: 6), Case(codec: .other, channels: 6),
        // WAV: 5.1 with sides, which are the backs; quadro; three in front with low frequencies, for which there is 5.1.
        Case(codec: .other, map: [2, 3, 4, 11, 14, 15], channels: 6),
        Case(codec: .other, map: [2, 3, 9, 10], channels: 4),
        Case(codec: .other, map: [2, 3, 4, 11], channels: 4, routing: [0, 1, 2, 3, nil, nil]),
        Case(codec: .other, map: [2, 3, 4, 11, 9, 10, 14, 15], channels: 8),
        // CAF and AIFF in an order of their own.
        Case(codec: .other, map: [3, 2], channels: 2, routing: [1, 0]),
        Case(codec: .other, map: [4, 2, 3, 9, 10, 11], channels: 6, routing: [1, 2, 0, 5, 3, 4]),
        // What nobody can place stays.
        Case(codec: .other, map: [2, 3, 4, 17], channels: 4), Case(codec: .other, map: [2, 2], channels: 2),
    ]

    @Test("of each kind of file", arguments: cases)
    func routes(row: Case) {
        #expect(SpeakerLayout.routing(row.codec, channels: row.channels, map: row.map) == row.routing)
    }

    @Test(
        "every loudspeaker is heard where it was meant",
        arguments: [3, 4, 5, 6, 7, 8],
        ["flac", "ogg", "opus", "wav", "oga"]
    )
    func placed(channels: Int, suffix: String) throws {
        let recordings = try Recordings()
        let tour = try recordings.makeTour(channels: channels)
        // High rates, so that the low frequencies have more than those.
        let options = ["opus": ["--bitrate", "512"], "ogg": ["-q", "9"]][suffix] ?? []
        let decoder = try open(try recordings.encode(tour, to: "x.\(suffix)", options))
        #expect(decoder.format.channels == Int32(channels))
        let samples = Decoding(decoder).samples
        for channel in 0..<channels {
            // The middle of the stretch in which only this channel sounds.
            let frames = (channel * 4_800 + 1_500)..<(channel * 4_800 + 3_300)
            let energies = (0..<channels).map { other in
                frames.reduce(Float(0)) {
                    $0 + samples[$1 * channels + other] * samples[$1 * channels + other]
                }
            }
            let loudest = energies.indices.max { energies[$0] < energies[$1] }
            // Low frequencies are all that some encoders leave of that channel.
            #expect(loudest == channel || energies.allSatisfy { $0 < 0.5 }, "\(channel): \(energies)")
        }
    }
}
