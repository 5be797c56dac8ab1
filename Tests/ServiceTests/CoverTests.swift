import Foundation
import Testing
import TestSupport

/// Covers as the desktop gets them: files that are whole when they are announced (C158 to C167).
@Suite("covers", .waiting, .timeLimit(.minutes(5)))
struct CoverTests {
    private let fixtures: Fixtures
    private let tone: [UInt8]
    private static let png: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 1, count: 100_000)

    init() throws {
        fixtures = try Fixtures()
        tone = try fixtures.toneBytes(MeasuringTone(band: 0, seconds: 30))
    }

    /// Writes a song whose title is its path, with these frames in its tag.
    @discardableResult
    private func song(_ name: String, _ frames: [UInt8] = []) throws -> String {
        try fixtures.folder.makeFolder((name as NSString).deletingLastPathComponent)
        return try fixtures.folder.write(name, ID3Bytes.tag(ID3Bytes.text("TIT2", name), frames) + tone)
    }

    /// All that lies in the music folder.
    private var music: Set<String> {
        get throws {
            Set(try FileManager.default.subpathsOfDirectory(atPath: fixtures.folder.path("music")))
        }
    }

    /// The files in the service's cache of covers, with their sizes.
    private func kept(by service: RunningService) -> [String: Int] {
        let folder = service.folder.path("cache/tianlai/covers")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.reduce(into: [:]) { sizes, name in
            let facts = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
            sizes[name] = facts?[.size] as? Int
        }
    }

    @Test("each track has its own, whole when it is announced; one without any has no URL")
    func announced() throws {
        let large = ID3Bytes.jpeg(seed: 1, size: 3_000_000)
        let songs: [(name: String, cover: [UInt8]?, suffix: String)] = [
            ("music/a #1/1.mp3", large, "jpg"),
            ("music/a #1/2.mp3", Self.png, "png"),
            ("music/b/3.mp3", nil, ""),
            ("music/b/4.mp3", nil, ""),
            ("music/b/5.mp3", nil, ""),
            ("music/c/CD 1/6.mp3", ID3Bytes.jpeg(seed: 6), "jpg"),
            ("music/c/CD 1/7.mp3", large, "jpg"),
        ]
        let link = ID3Bytes.picture(Array("http://example.com/cover.jpg".utf8), mime: "-->")
        let text = ID3Bytes.picture(Array("this is not a picture at all".utf8))
        let frames = [
            "1": ID3Bytes.picture(large), "4": link, "5": text, "7": ID3Bytes.picture(large),
        ]
        for (name, _, _) in songs {
            try song(name, frames[String(name.dropLast(4).suffix(1))] ?? [])
        }
        try fixtures.folder.write("music/a #1/Cover.JPG", Self.png)
        try fixtures.folder.write("music/c/front.Jpeg", ID3Bytes.jpeg(seed: 6))
        let before = try music

        let service = try RunningService(songs.map { fixtures.folder.path($0.name) })
        var urls: [String?] = []
        for (index, song) in songs.enumerated() {
            let mark = try service.monitor.settle()
            if index > 0 { try service.playerctl("next") } else { try service.playerctl("play") }
            if index > 0 {
                // Looked at as soon as the signal is heard.
                let found = service.monitor.wait(since: mark, within: .seconds(30)) {
                    signals -> CoverFound? in
                    signals.lazy.compactMap { $0.changes?["Metadata"] }.first.map(CoverFound.init)
                }
                #expect(found?.title == song.name)
                #expect(found?.bytes == song.cover, "\(song.name)")
            }
            let metadata = try #require(try service.get("Metadata"))
            let now = CoverFound(metadata)
            #expect(now.bytes == song.cover, "\(song.name)")
            #expect(now.url?.hasSuffix(song.suffix) ?? true)
            urls.append(now.url)
        }
        #expect(urls[0] == urls[6] && Set(urls.compactMap(\.self)).count == 3)
        #expect(urls.compactMap(\.self).allSatisfy { $0.contains("/cache/tianlai/covers/") })
        #expect(try music == before)
        #expect(kept(by: service).count == 3)
        // Deleted by somebody: written anew for who comes to the track again.
        try FileManager.default.removeItem(atPath: service.folder.path("cache/tianlai/covers"))
        for _ in 0..<3 { try service.playerctl("previous") }
        try service.wait(until: "Playing", "4.mp3")
        for _ in 0..<3 { try service.playerctl("next") }
        try service.wait(until: "Playing", "7.mp3")
        #expect(CoverFound(try #require(try service.get("Metadata"))).bytes == large)
    }

    @Test("many large covers: it answers all the while, and the cache keeps within its limit")
    func many() throws {
        let (count, size, limit) = (40, 1_000_000, 10_000_000)
        let paths = try (0..<count).map { number in
            let image = ID3Bytes.jpeg(seed: UInt8(number), size: size)
            return try song("music/\(number).mp3", ID3Bytes.picture(image))
        }
        let service = try RunningService(
            paths,
            settings: "[covers]\ncache-size = \(limit / 1_000_000)\n"
        )
        #expect(service.process.report.errorText == "")
        for number in 1...12 {
            try service.playerctl("next")
            try service.ask(until: "Paused")
            try service.wait(until: "Paused", "\(number).mp3")
            let cover = CoverFound(try #require(try service.get("Metadata")))
            #expect(cover.bytes == ID3Bytes.jpeg(seed: UInt8(number), size: size), "\(number)")
        }
        // Glances at what is listed go on behind, and then it is tidied up; 16 of them may be around the current one.
        let deadline = ContinuousClock.now + .seconds(60)
        let most = max(limit, 17 * size)
        while ContinuousClock.now < deadline, kept(by: service).values.reduce(0, +) > most {
            try service.ask(for: .milliseconds(200))
        }
        let kept = kept(by: service)
        #expect(kept.values.reduce(0, +) <= most && !kept.isEmpty, "\(kept)")
        let cover = CoverFound(try #require(try service.get("Metadata")))
        #expect(cover.bytes == ID3Bytes.jpeg(seed: 12, size: size))
    }

    @Test("one that is found late is told once, whole, and clocks are told where the music is (C-25)")
    func late() throws {
        let paths = [try song("music/1/a.mp3"), try song("music/2/b.mp3")]
        try fixtures.folder.write("music/2/cover.jpg", Self.png)
        let disk = try SlowDisk(in: fixtures.folder, "/cover.jpg")
        disk.hang()
        let service = try RunningService(paths, environment: disk.environment)
        try service.playerctl("play")
        try service.wait(until: "Playing", "a.mp3")
        let mark = try service.monitor.settle()
        try service.playerctl("next")
        // Shown as far as it is known, when a quarter of a second is over.
        try service.wait(until: "Playing", "b.mp3")
        try service.ask(for: .milliseconds(500))
        let early = try service.monitor.playerSignals(since: mark)
        let shown = early.compactMap { $0.changes?["Metadata"] }
        #expect(shown.map { CoverFound($0).url } == [nil])
        // Text does not wait for it, nor does the length (C078).
        #expect(shown.map { CoverFound($0).title } == ["music/2/b.mp3"])
        #expect(try service.get("CanSeek") == .flag(true))

        let second = try service.monitor.settle()
        let before = try service.place()
        disk.goOn()
        #expect(service.monitor.wait(since: second) { $0.first { $0.member == "Seeked" } } != nil)
        let after = try service.place()
        try service.ask(for: .milliseconds(500))
        let late = try service.monitor.playerSignals(since: second)
        #expect(late.map(\.summary) == ["PropertiesChanged Metadata", "Seeked"])
        let metadata = try #require(late.first?.changes?["Metadata"])
        #expect(CoverFound(metadata).bytes == Self.png)
        #expect(CoverFound(metadata).title == "music/2/b.mp3")
        #expect(metadata == (try service.get("Metadata")))
        let seeked = Double(try #require(late.last?.arguments.first?.integer)) / 1e6
        #expect(before <= seeked && seeked <= after, "\(before) \(seeked) \(after)")
    }

    @Test("tags shows the cover that would be shown, and where it lies")
    func shown() throws {
        let image = ID3Bytes.jpeg(seed: 1, size: 5000)
        let (embedded, beside) = (try song("music/a.mp3", ID3Bytes.picture(image)), try song("music/b.mp3"))
        func shown(_ path: String) throws -> (text: String, json: [String: Any]) {
            let environment = try privateEnvironment(in: fixtures.folder)
            let texts = try [[], ["--json"]].map { words in
                let command = try Tianlai.start(["tags"] + words + [path], environment: environment)
                return try #require(command.wait(within: .seconds(30))).outputText
            }
            let object = try JSONSerialization.jsonObject(with: Data(texts[1].utf8))
            return (texts[0], try #require(object as? [String: Any]))
        }
        let none = try shown(beside)
        #expect(!none.text.contains("Cover"))
        #expect(none.json["shown_cover"] is NSNull && none.json["cover"] is NSNull)

        let cover = try fixtures.folder.write("music/FOLDER.jpg", Self.png)
        let first = try shown(embedded)
        #expect(first.text.contains("Cover:        5000 bytes, jpg, embedded"))
        #expect(first.json["cover"] as? Int == 5000)
        #expect(
            first.json["shown_cover"] as? NSDictionary == ["kind": "jpg", "bytes": 5000, "from": "embedded"]
        )
        let second = try shown(beside)
        #expect(second.text.contains("Cover:        \(Self.png.count) bytes, png, \(cover)"))
        #expect(second.json["cover"] is NSNull)
        #expect(
            second.json["shown_cover"] as? NSDictionary
                == ["kind": "png", "bytes": Self.png.count, "from": cover]
        )
    }
}

/// The cover that a Metadata map names, as its file is at this moment.
private struct CoverFound {
    var title: String?
    var url: String?
    var bytes: [UInt8]?

    init(_ metadata: BusText) {
        title = metadata["xesam:title"]?.text
        url = metadata["mpris:artUrl"]?.text
        guard let url = url.flatMap(URL.init(string:)), url.isFileURL else { return }
        bytes = FileManager.default.contents(atPath: url.path).map(Array.init)
    }
}
