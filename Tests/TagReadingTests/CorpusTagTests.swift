import Foundation
import Music
import TagReading
import TestSupport
import Testing

/// The folder of the big corpus; without `TIANLAI_CORPUS` these tests are skipped.
private let corpus = ProcessInfo.processInfo.environment["TIANLAI_CORPUS"]

/// The tags of the big corpus: read as others read them, and read without harm when they are damaged.
@Suite(.enabled(if: corpus != nil, "TIANLAI_CORPUS names no corpus"), .timeLimit(.minutes(5)))
struct CorpusTagTests {
    @Test("is read as it should be", arguments: rows)
    fileprivate func reads(row: Row) throws {
        let path = try #require(FilePath(row.path))
        guard let file = try? TagReader.read(path, TagEncodings()) else { return }
        for (field, wanted) in row.tags {
            #expect(row.comparable(file.texts(field), field) == row.comparable(wanted, field), "\(field)")
        }
    }

    @Test("survives mutations of its ends", arguments: rows)
    fileprivate func survives(row: Row) throws {
        let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: row.path)))
        // The tags are there, and a long middle would only cost time.
        let (head, tail) = (whole.prefix(16 << 10), whole.dropFirst(16 << 10).suffix(4 << 10))
        let file = try #require(RewrittenFile())
        var mutation = Mutation(seed: whole.count)
        for _ in 0..<20 {
            var bytes = Array(head) + tail
            mutation.mutate(&bytes, in: mutation.random(below: 2) == 0 ? 0..<1 << 10 : 0..<bytes.count)
            try #require(file.write(bytes))
            #expect(try TagReader.read(file.path).flaws.isEmpty)
        }
    }
}

/// What the corpus says of a file.
private struct Row: CustomTestStringConvertible, Sendable {
    var path: String
    var tags: [String: [String]]

    var testDescription: String { path.split(separator: "/").suffix(2).joined(separator: "/") }

    /// Readers differ in how much of a date and in which form of a number they tell.
    func comparable(_ texts: [String], _ field: String) -> [String] {
        switch field {
        case "track", "disc":
            texts.map { String($0.prefix { $0 != "/" }.drop { $0 == "0" }) }
        case "date": texts.map { String($0.prefix(4)) }
        case "title", "album": Array(texts.prefix(1))
        default: texts
        }
    }
}

extension FileTags {
    fileprivate func texts(_ field: String) -> [String] {
        switch field {
        case "title": stored[.title]
        case "artist": stored[.artist]
        case "album": stored[.album]
        case "albumartist": stored[.albumArtist]
        case "track": Array(stored[.track].prefix(1))
        case "disc": Array(stored[.disc].prefix(1))
        case "date": [stored.date].compactMap(\.self)
        default: tags.genres
        }
    }
}

/// Others show UTF-8 in ID3v1 as if it were Latin-1, where it is read here, and search for comments that a block cuts.
private let deviations: Set<String> = ["id3v1_272_extra.mp3", "mutagen_52-too-short-block-size.flac"]

private let rows: [Row] = ["tags", "broken"].flatMap { folder in
    guard let corpus, let data = FileManager.default.contents(atPath: "\(corpus)/\(folder)/expected.json"),
        let json = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
        let files = json["files"] as? [String: [String: Any]]
    else { return [Row]() }
    return files.sorted { $0.key < $1.key }.compactMap { name, row in
        guard row["tags_optional"] as? Bool != true, !deviations.contains(name) else { return nil }
        let isCrafted = (row["source"] as? String)?.contains("crafted") == true
        let unsure = ["readers_differ", "one_reader_only"].flatMap { key in
            (row[key] as? [String: Any])?.keys.map(\.self) ?? row[key] as? [String] ?? []
        }
        var wanted: [String: [String]] = [:]
        for field in ["title", "artist", "album", "albumartist", "track", "disc", "date", "genre"] {
            guard let texts = (row["tags"] as? [String: Any])?[field] as? [String], let first = texts.first,
                !first.isEmpty, !first.hasPrefix("sha1:"), isCrafted || !unsure.contains(field)
            else { continue }
            wanted[field] = texts
        }
        return Row(path: "\(corpus)/\(folder)/\(name)", tags: wanted)
    }
}
