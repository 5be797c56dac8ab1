import Audio
import Foundation
import Mpg123
import Music
import Testing

/// The folder of the big corpus; without `TIANLAI_CORPUS` these tests are skipped.
private let corpus = ProcessInfo.processInfo.environment["TIANLAI_CORPUS"]

/// Files whose right result others have agreed on: conformance streams, tagged files, damaged files.
@Suite(.enabled(if: corpus != nil, "TIANLAI_CORPUS names no corpus"))
struct CorpusTests {
    @Test("every file decodes to as many samples as it should, or is refused at once", arguments: rows)
    func decodesWholly(row: Row) throws {
        let clock = ContinuousClock()
        let began = clock.now
        let decoder: any Decoder
        do {
            decoder = try Mpg123.open(row.path)
        } catch {
            #expect(row.expectation != "play", "refused: \(error)")
            #expect(clock.now - began < .seconds(1))
            return
        }
        let straight = Decoding(decoder)
        if row.expectation == "reject" {
            #expect(straight.frames == 0, "played \(straight.frames) frames of what is no sound")
            #expect(clock.now - began < .seconds(1))
            return
        }
        #expect(straight.failure == nil)
        if row.expectation == "play", let range = row.frames {
            #expect(range.contains(straight.frames), "\(straight.frames) instead of \(range)")
        }
        if row.expectation == "play", let format = row.format { #expect(straight.format == format) }

        let again = try Mpg123.open(row.path)
        let length = try again.length()
        if !row.isIrregular { #expect(length == Int64(straight.frames), "length() is not what plays") }
        #expect(isSame(Decoding(again).samples, straight.samples), "length() moved the read position")
    }

    @Test("the sound is that of the reference decoder", arguments: references)
    func conforms(reference: Reference) throws {
        let decoding = Decoding(try Mpg123.open(reference.path))
        let decoded = decoding.samples
        // libmpg123 begins each new format with an empty filter: the first frame of data after a change may differ.
        var unsure: [Range<Int>] = []
        var place = decoding.stretches.first?.samples.count ?? 0
        for stretch in decoding.stretches.dropFirst() {
            unsure.append(place..<place + 1152 * Int(stretch.format.channels))
            place += stretch.samples.count
        }
        let pcm = try Data(contentsOf: URL(fileURLWithPath: "\(reference.pcm)"))
        var (sum, largest) = (0.0, 0)
        for index in 0..<reference.values where !unsure.contains(where: { $0.contains(index) }) {
            let sample = decoded[reference.skippedValues + index]
            let value = min(max(Double(sample) * 32768, -32768), 32767)
            let wanted = Int(Int16(bitPattern: UInt16(pcm[2 * index]) | UInt16(pcm[2 * index + 1]) << 8))
            sum += (value - Double(wanted)) * (value - Double(wanted))
            largest = max(largest, abs(Int(value.rounded()) - wanted))
        }
        #expect((sum / Double(reference.values)).squareRoot() < 0.32)
        #expect(largest <= 2)
    }

    @Test("after a seek comes what a straight read gives there", arguments: seeks)
    func seeksExactly(seek: Seek) throws {
        let straight = Decoding(try Mpg123.open(seek.path)).samples
        let decoder = try Mpg123.open(seek.path)
        for target in seek.targets {
            try decoder.seek(to: Int64(target))
            let heard = Decoding(decoder, limit: 6000).samples
            let wanted = straight[(target * Int(decoder.format.channels))...]
            #expect(difference(heard, wanted) < 1 / 32768, "at frame \(target)")
        }
    }
}

struct Row: CustomTestStringConvertible {
    var name: String
    var path: FilePath
    var expectation: String
    var format: StreamFormat?
    var frames: ClosedRange<Int>?
    /// Whether its format changes on the way or its parts are trimmed separately.
    var isIrregular: Bool

    var testDescription: String { name }
}

struct Reference: CustomTestStringConvertible {
    var path: FilePath
    var pcm: FilePath
    var skippedValues: Int
    var values: Int

    var testDescription: String { "\(path)" }
}

struct Seek: CustomTestStringConvertible {
    var path: FilePath
    var targets: [Int]

    var testDescription: String { "\(path)" }
}

private typealias JSON = [String: Any]

private func json(_ name: String) -> JSON {
    guard let corpus, let data = FileManager.default.contents(atPath: "\(corpus)/\(name)") else { return [:] }
    return (try? JSONSerialization.jsonObject(with: data)) as? JSON ?? [:]
}

private func path(_ name: String) -> FilePath? {
    corpus.flatMap { FilePath("\($0)/\(name)") }
}

private func files(in folder: String) -> [(name: String, row: JSON)] {
    let files = json("\(folder)/expected.json")["files"] as? JSON ?? [:]
    return files.keys.sorted().filter { [".mp3", ".mp2", ".mp1"].contains($0.suffix(4)) }
        .map { ($0, files[$0] as? JSON ?? [:]) }
}

private let rows: [Row] = ["conformance", "tags", "broken"].flatMap { folder in
    files(in: folder).compactMap { name, row in
        let audio = row["audio"] as? JSON ?? [:]
        let formats = row["formats"] as? [JSON] ?? audio["formats"] as? [JSON] ?? []
        let first = formats.first ?? audio
        let total = formats.isEmpty ? nil : formats.reduce(0) { $0 + ($1["samples"] as? Int ?? 0) }
        let samples = audio["samples"] as? Int ?? total
        let range = audio["samples_range"] as? [Int] ?? samples.map { [$0, $0] }
        return path("\(folder)/\(name)").map { path in
            Row(
                name: name,
                path: path,
                expectation: row["expect"] as? String ?? "play",
                format: (first["rate"] as? Int).map {
                    StreamFormat(rate: Int32($0), channels: Int32(first["channels"] as? Int ?? 0))
                },
                frames: range.map { $0[0]...$0[1] },
                isIrregular: formats.count > 1
            )
        }
    }
}

private let references: [Reference] = files(in: "conformance").compactMap { name, row in
    guard row["tolerance"] is JSON, let pcm = row["pcm"] as? String,
        let values = row["compare_values"] as? Int,
        let format = (row["formats"] as? [JSON])?.first, let channels = format["channels"] as? Int,
        let skipped = row["skip_decoded_samples"] as? Int,
        let path = path("conformance/\(name)"), let reference = path.folder?.appending(Array(pcm.utf8))
    else { return nil }
    return Reference(path: path, pcm: reference, skippedValues: skipped * channels, values: values)
}

private let seeks: [Seek] =
    (json("seek.json")["files"] as? [JSON] ?? json("conformance/seek.json")["files"] as? [JSON] ?? [])
    .compactMap { row in
        guard let name = row["file"] as? String, let targets = row["targets"] as? [Int] else { return nil }
        return path(name).map { Seek(path: $0, targets: targets) }
    }
