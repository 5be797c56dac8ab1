import Foundation
import Library
import Music
import TestSupport
import Testing

/// How many files to measure with; without `TIANLAI_BENCH` nothing is measured.
private let fileCount = ProcessInfo.processInfo.environment["TIANLAI_BENCH"].flatMap(Int.init)

/// A folder with files made before, instead of new ones.
private let madeFolder = ProcessInfo.processInfo.environment["TIANLAI_BENCH_FOLDER"]

/// Measures a library of so many tagged files: `TIANLAI_BENCH=20000 swift test -c release --filter LibraryBenchmarks`.
@Suite(.enabled(if: fileCount != nil, "TIANLAI_BENCH is not set"))
struct LibraryBenchmarks {
    @Test("scan, scan again, search, look up")
    func measure() throws {
        let files = try MusicFolders()
        let count = try #require(fileCount)
        let clock = ContinuousClock()
        let music = madeFolder ?? files.music
        if madeFolder == nil {
            let made = try clock.measure { try makeFiles(count, files) }
            show("made \(count) files in \(made)")
        }
        show("before the scan \(memory())")
        var running = try RunningLibrary([music], cache: files.cache)
        let first = try clock.measure { try running.scan(within: 300) }
        show("first scan \(first), \(Int(Double(count) / first.seconds)) files/s, \(memory())")
        #expect(running.library.status.trackCount == count)
        running = try RunningLibrary([music], cache: files.cache)
        let second = try clock.measure { try running.scan(within: 300) }
        show("second scan in a new process state \(second), \(memory())")
        let third = try clock.measure { try running.scan(within: 300) }
        show("third scan \(third), \(memory())")
        for words in [
            "", "a", "e", "ka", "kar", "mira", "mp3", "track", "artist", "1", "山", "山谷", "谷 a", "a e i",
            "zzzz",
            "album 7 track 3", "\"a\" OR b*", "'", "artist 999 e", "x y z",
        ] {
            let times = try (0..<5).map { _ in try clock.measure { _ = try running.search(words, limit: 100) }
            }
            let found = try running.search(words, limit: 100).count
            show(
                "search \(words): \(found) found, median \(times.sorted()[2]), worst \(times.max() ?? .zero)"
            )
        }
        let all = try running.search("", limit: count).map(\.location.path)
        #expect(all.count == count)
        let reader = running.library.reader
        let lookups = clock.measure { for path in all.prefix(20_000) { _ = reader.lookup(path) } }
        show("one lookup \(lookups / min(20_000, count)), \(memory())")
        for _ in 0..<2 {
            let described = try clock.measure {
                _ = try running.describe(all.suffix(100).map { TrackLocation($0) })
            }
            show("100 described in \(described)")
        }
    }

    private func makeFiles(_ count: Int, _ files: MusicFolders) throws {
        let syllables = [
            "ka", "ro", "mi", "ta", "nu", "so", "le", "ri", "va", "do", "pe", "shi", "山谷", "回聲", "歌",
        ]
        var state: UInt64 = 1
        func random(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        func words() -> String {
            (0...random(3)).map { _ in (0...random(3)).map { _ in syllables[random(15)] }.joined() }
                .joined(separator: " ")
        }
        for number in 0..<count {
            let (album, track) = (number / 12, number % 12 + 1)
            let artist = "Artist \(album / 8) \(syllables[album / 8 % 15])"
            try files.write(
                "\(artist)/Album \(album)/\(track) \(words()).mp3".replacingOccurrences(of: "//", with: "/"),
                title: words(),
                artist: artist,
                album: "Album \(album) \(syllables[album % 15])",
                track: track
            )
        }
    }

    private func memory() -> String {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let lines = status.split(separator: "\n").filter { $0.hasPrefix("VmHWM") || $0.hasPrefix("VmRSS") }
        return lines.map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }.joined(
            separator: ", "
        )
    }

    private func show(_ line: String) {
        print("bench: \(line)")
    }
}

extension Duration {
    fileprivate var seconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }
}
