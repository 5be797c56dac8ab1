import Audio
import Foundation
import Mpg123
import Music
import TestSupport
import Testing

/// Files so long that places in them are found by an index, and what happens when that is not true.
@Suite(.timeLimit(.minutes(5)))
struct LongFileTests {
    private let folder: TemporaryFolder
    private let path: FilePath
    private let index: SeekIndex

    /// A quarter of an hour: the same ten seconds again and again.
    init() throws {
        folder = try TemporaryFolder()
        let piece = try EncodedSound.mpeg25.make(in: folder, seconds: 10)
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: "\(piece)")))
        // Without the info frame, which is as long as the others at this rate.
        let sound = Array(bytes.dropFirst(72))
        path = try #require(
            FilePath(try folder.write("long.mp3", Array(repeatElement(sound, count: 90).joined())))
        )
        let decoder = try Mpg123.open(path)
        _ = try decoder.length()
        index = try #require(decoder.seekIndex)
    }

    @Test("what counting found makes seeks of another decoder start there, and they are exact")
    func used() throws {
        #expect(index.step >= SeekIndex.leastStep)
        var asked = 0
        try expectExactSeeks(in: path, count: 30) { decoder in
            decoder.seek(with: {
                asked += 1
                return index
            })
        }
        #expect(asked == 1)

        // That it is used shows when it is off by a frame of data, which nothing in the file tells.
        let shifted = try #require(
            SeekIndex(
                step: index.step,
                offsets: [index.offsets[0]] + index.offsets.dropFirst().map { $0 + 72 }
            )
        )
        let decoder = try Mpg123.open(path)
        decoder.seek(with: { shifted })
        let (frame, samples) = (6_500_000, Decoding(try Mpg123.open(path)).samples)
        try decoder.seek(to: Int64(frame))
        #expect(difference(Decoding(decoder, limit: 2000).samples, samples[(frame + 576)...]) < 1 / 32768)
    }

    @Test("short files need none, and are not asked for one")
    func short() throws {
        let short = try EncodedSound.constantRate.make(in: folder)
        let decoder = try Mpg123.open(short)
        _ = try decoder.length()
        #expect(decoder.seekIndex == nil)
        try expectExactSeeks(in: short, count: 3) { decoder in
            decoder.seek(with: {
                Issue.record("asked for an index")
                return nil
            })
        }
    }

    @Test("an index of another file changes nothing", arguments: Lie.allCases)
    func lies(lie: Lie) throws {
        let wrong = try #require(SeekIndex(step: index.step, offsets: lie.offsets(index.offsets)))
        try expectExactSeeks(in: path, count: 10) { $0.seek(with: { wrong }) }
    }

    enum Lie: CaseIterable {
        case otherStart, beyondTheEnd, betweenFrames

        func offsets(_ true: [Int64]) -> [Int64] {
            switch self {
            case .otherStart: `true`.map { $0 + 720 }
            case .beyondTheEnd: [`true`[0]] + `true`.dropFirst().map { $0 + (1 << 40) }
            case .betweenFrames: [`true`[0]] + `true`.dropFirst().map { $0 + 30 }
            }
        }
    }

    @Test("the index counts from where the sound begins, behind a tag")
    func tagged() throws {
        let tag = Array("ID3".utf8) + [3, 0, 0, 0, 0, 39, 8] + [UInt8](repeating: 0, count: 5000)
        let sound = try Data(contentsOf: URL(fileURLWithPath: "\(path)"))
        let tagged = try #require(FilePath(try folder.write("tagged.mp3", tag + sound)))
        try expectExactSeeks(in: tagged, count: 10) { $0.seek(with: { index }) }
    }
}
