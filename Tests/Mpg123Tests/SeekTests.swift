import Audio
import Foundation
import Mpg123
import Music
import TestSupport
import Testing

/// What is read after a seek is what a straight read gives there.
@Suite(.timeLimit(.minutes(5)))
struct SeekTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(
        "seeks to random places are exact, also two without a read in between",
        arguments: EncodedSound.allCases
    )
    func exact(sound: EncodedSound) throws {
        let path = try sound.make(in: folder)
        try expectExactSeeks(in: path, count: 40)
    }

    @Test("seeks into files of others are exact", .enabled(if: !corpusFiles.isEmpty), arguments: corpusFiles)
    func corpus(path: FilePath) throws {
        // What does not play or changes its format is not for this test.
        guard let decoder = try? Mpg123.open(path) else { return }
        let straight = Decoding(decoder)
        guard straight.stretches.count == 1, straight.frames > 100 else { return }
        try expectExactSeeks(in: path, count: 12)
    }

    @Test("beyond the end there is the end, and then one can go back")
    func beyondTheEnd() throws {
        let decoder = try Mpg123.open(try EncodedSound.constantRate.make(in: folder))
        let whole = Decoding(decoder).samples
        for place in [Int64(whole.count / 2), 1 << 40, .max] {
            try decoder.seek(to: place)
            #expect(Decoding(decoder).frames == 0, "after a seek to \(place)")
        }
        try decoder.seek(to: Int64(-5))
        #expect(isSame(Decoding(decoder).samples, whole))
    }
}

/// Files of the big corpus that play in one format; none without `TIANLAI_CORPUS`.
private let corpusFiles: [FilePath] = {
    guard let corpus = ProcessInfo.processInfo.environment["TIANLAI_CORPUS"] else { return [] }
    return ["conformance", "broken", "tags"].flatMap { folder -> [FilePath] in
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(corpus)/\(folder)")) ?? []
        return names.filter { [".mp3", ".mp2", ".mp1"].contains($0.suffix(4)) }.sorted()
            .compactMap { FilePath("\(corpus)/\(folder)/\($0)") }
    }
}()

/// Seeks about and compares with a straight read.
func expectExactSeeks(in path: FilePath, count: Int, _ prepare: (any Decoder) -> Void = { _ in }) throws {
    let straight = Decoding(try Mpg123.open(path))
    let decoder = try Mpg123.open(path)
    let (samples, channels) = (straight.samples, Int(decoder.format.channels))
    try #require(straight.frames > 0)
    prepare(decoder)
    var random = SeededNumbers(seed: 4711)
    var place = 0
    for number in 0..<count {
        place = Int.random(in: 0..<straight.frames, using: &random)
        try decoder.seek(to: Int64(place))
        if number % 3 == 1 {
            // As when somebody drags slowly backwards.
            place = max(0, place - Int.random(in: 1...12_000, using: &random))
            try decoder.seek(to: Int64(place))
        }
        let heard = Decoding(decoder, limit: 3000).samples
        let off = difference(heard, samples[(place * channels)...])
        #expect(off < 1 / 32768, "\(path): at frame \(place), seek \(number)")
    }
}

/// The same numbers in each run.
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ state >> 29
    }
}
