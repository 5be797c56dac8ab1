import Foundation
import TestSupport
import Testing

/// The folder of the big corpus; without `TIANLAI_CORPUS` this test is skipped.
private let corpus = ProcessInfo.processInfo.environment["TIANLAI_CORPUS"]

/// Files of lyrics and tagged songs of which it is known what is to be shown.
@Suite(.enabled(if: corpus != nil, "TIANLAI_CORPUS names no corpus"), .waiting, .timeLimit(.minutes(5)))
struct LyricsCorpusTests {
    @Test("lyrics show finds in every file what it should", arguments: ["lyrics", "tags", "broken"])
    func shows(folder: String) throws {
        let rows = try rows(of: folder)
        #expect(!rows.isEmpty)
        for (name, wanted) in rows {
            let file = try "\(#require(corpus))/\(folder)/\(name)"
            let command = try Tianlai.start(
                ["lyrics", "show", "--json", file],
                environment: ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"]
            )
            let report = try #require(command.wait(within: .seconds(30)), "\(name) takes for ever")
            #expect(report.exit == .code(0), "\(name): \(report.errorText)")
            let shown = try #require(
                try JSONSerialization.jsonObject(with: Data(report.output)) as? [String: Any],
                "\(name): \(report.outputText)"
            )
            let lines = try #require(shown["lines"] as? [Any])
            let kind = wanted["kind"] as? String
            if kind != "any" { #expect(shown["kind"] as? String == kind, "\(name)") }
            if let count = wanted["count"] as? Int { #expect(lines.count == count, "\(name)") }
            guard let expected = wanted["lines"] as? [Any] else { continue }
            #expect(lines.map(Self.text) == expected.map(Self.text), "\(name)")
            #expect(lines.map(Self.centiseconds) == expected.map(Self.centiseconds), "\(name)")
        }
    }

    /// What is known of the lyrics of files in the folder, by their names.
    private func rows(of folder: String) throws -> [(String, [String: Any])] {
        let file = try URL(fileURLWithPath: "\(#require(corpus))/\(folder)/expected.json")
        let root = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
        let files = try #require(root?["files"] as? [String: [String: Any]])
        return files.compactMap { name, row in
            let lyrics = row["lines"] == nil ? row["lyrics"] as? [String: Any] : row
            return lyrics.map { (name, $0) }
        }
    }

    /// Blanks do not matter, as programs differ in which they leave between stamps.
    private static func text(_ line: Any) -> String {
        let text = (line as? [Any])?.last as? String ?? line as? String ?? "?"
        return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private static func centiseconds(_ line: Any) -> Int {
        ((line as? [Any])?.first as? NSNumber).map { Int(($0.doubleValue / 10).rounded()) } ?? -1
    }
}
