import Foundation
import Music
import TagReading
import TestSupport
import Testing

@testable import Covers

/// The folder of covers within its limit.
struct CacheBoundTests {
    private let folder: TemporaryFolder
    private let place: FilePath

    init() throws {
        folder = try TemporaryFolder()
        place = try #require(FilePath(folder.path))
    }

    /// As large as a hundred thousand bytes, all of it.
    private func image(_ number: Int) -> [UInt8] {
        ID3Bytes.jpeg(seed: UInt8(truncatingIfNeeded: number), size: 100_000)
    }

    /// Sets when a file was asked for last, in seconds before now.
    private func age(_ path: FilePath, _ seconds: Double) throws {
        let date = Date(timeIntervalSinceNow: -seconds)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: "\(path)")
    }

    private func isThere(_ path: FilePath) -> Bool { FileManager.default.fileExists(atPath: "\(path)") }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path("covers")).sorted() }
    }

    @Test("what was not asked for the longest goes, until nine tenths are left")
    func leastRecentlyUsed() throws {
        let cache = CoverCache(folder: place, limit: 1_000_000)
        let paths = try (0..<12).map { try #require(cache.keep(image($0), isNear: false)) }
        // Neither in the order of their names nor in that of their coming.
        let order = [7, 0, 11, 3, 5, 1, 9, 2, 10, 4, 8, 6]
        for (age, number) in order.reversed().enumerated() {
            try self.age(paths[number], Double(age * 100 + 50))
        }
        #expect(cache.keep(image(7), isNear: false) == paths[7])
        cache.tidy()
        #expect(order.filter { !isThere(paths[$0]) } == [0, 11, 3])
        cache.tidy()
        #expect(try names.count == 9)
    }

    @Test("as much as the limit stays")
    func limit() throws {
        let cache = CoverCache(folder: place, limit: 1_000_000)
        for number in 0..<10 { #expect(cache.keep(image(number), isNear: false) != nil) }
        cache.tidy()
        #expect(try names.count == 10)
        #expect(cache.keep(ID3Bytes.jpeg(), isNear: false) != nil)
        cache.tidy()
        #expect(try names.count == 9)
    }

    @Test("what tracks around the current one show stays, however old and large")
    func near() throws {
        let cache = CoverCache(folder: place, limit: 250_000)
        let near = try (0..<4).map { try #require(cache.keep(image($0), isNear: true)) }
        let far = try #require(cache.keep(image(9), isNear: false))
        for path in near { try age(path, 1_000_000) }
        cache.tidy()
        #expect(near.allSatisfy(isThere))
        #expect(!isThere(far))
        // After many others it is near no more.
        for number in 10..<30 { #expect(cache.keep(image(number), isNear: true) != nil) }
        cache.tidy()
        #expect(near.allSatisfy { !isThere($0) })
        #expect(try names.count == 16)
    }

    @Test("what others have put there stays, and so does what only looks like ours")
    func foreign() throws {
        let cache = CoverCache(folder: place, limit: 1_000)
        let ours = try #require(cache.keep(image(1), isNear: false))
        let hash = String(repeating: "0123456789abcdef", count: 2)
        let names = [
            "photo.jpg", "\(hash).txt", "\(hash)", "\(hash).jpg.part", "\(hash.uppercased()).jpg",
            "x\(hash).jpg",
            ".\(hash).XX", ".hidden", "\(hash.dropLast())g.png", ".\(hash).abcdefg", "\(hash)/jpg",
        ]
        for name in names where !name.contains("/") { try folder.write("covers/\(name)", image(1)) }
        try folder.makeFolder("covers/\(hash).png")
        #expect(symlink(folder.path("covers/photo.jpg"), folder.path("covers/\(hash).webp")) == 0)
        for name in try self.names { try? age(place.appending("covers/\(name)".utf8), 1_000_000) }
        let before = try self.names
        cache.tidy()
        #expect(!isThere(ours))
        #expect(try self.names == before.filter { $0 != String(decoding: ours.name, as: UTF8.self) })
    }

    @Test("what a crash has left half written goes after a day")
    func leftovers() throws {
        let cache = CoverCache(folder: place)
        let kept = try #require(cache.keep(image(1)))
        let hash = String(repeating: "0123456789abcdef", count: 2)
        for (name, age) in [(".\(hash).aB3xYz", 86_500.0), (".\(hash).aB3xYw", 86_300)] {
            try folder.write("covers/\(name)", image(1))
            try self.age(place.appending("covers/\(name)".utf8), age)
        }
        cache.tidy()
        #expect(try names == [".\(hash).aB3xYw", String(decoding: kept.name, as: UTF8.self)])
    }

    @Test("a time in the future does not keep a cover for ever")
    func future() throws {
        let cache = CoverCache(folder: place, limit: 250_000)
        let paths = try (0..<3).map { try #require(cache.keep(image($0), isNear: false)) }
        try age(paths[0], -1_000_000)
        cache.tidy()
        #expect(paths.map(isThere) == [false, true, true])
    }

    @Test("it is looked through once at the beginning, then when it may have become too large")
    func due() throws {
        let cache = CoverCache(folder: place, limit: 1_000_000)
        let former = CoverCache(folder: place, limit: 1_000_000)
        for number in 0..<20 { #expect(former.keep(image(number), isNear: false) != nil) }
        cache.tidyIfDue()
        #expect(try names.count == 9)
        // By somebody else: what is not written here is not looked for.
        for number in 20..<30 { #expect(former.keep(image(number), isNear: false) != nil) }
        #expect(cache.keep(image(30), isNear: false) != nil)
        cache.tidyIfDue()
        #expect(try names.count == 20)
        #expect(cache.keep(image(31), isNear: false) != nil)
        cache.tidyIfDue()
        #expect(try names.count == 9)
    }

    @Test("looked through as often as it has to be, it is never larger than its limit at rest")
    func neverTooLarge() throws {
        let cache = CoverCache(folder: place, limit: 1_000_000)
        for number in 0..<60 {
            #expect(cache.keep(image(number), isNear: false) != nil)
            if number % 3 != 0 { cache.tidyIfDue() }
            #expect(try names.count <= (number % 3 == 0 ? 11 : 10), "\(number)")
        }
    }

    @Test("a folder that is not there is none to tidy")
    func missing() {
        CoverCache(folder: place.appending("none".utf8)).tidyIfDue()
        #expect(!isThere(place.appending("none".utf8)))
    }

    @Test("what is asked for after it was found old stays")
    func askedForMeanwhile() throws {
        let cache = CoverCache(folder: place)
        let path = try #require(cache.keep(image(1)))
        let (folder, other) = (open("\(cache.covers)", O_RDONLY), open("\(cache.covers)", O_RDONLY))
        defer { for descriptor in [folder, other] { close(descriptor) } }
        func find() throws -> KeptCover {
            try age(path, 1000)
            return try #require(KeptCover(Array(path.name), in: folder, now: time(nil)))
        }
        let found = try find()
        #expect(cache.keep(image(1)) == path)
        #expect(!found.remove(from: folder, now: time(nil)))
        #expect(isThere(path))
        // While somebody looks whether it is there.
        #expect(flock(other, LOCK_SH) == 0)
        #expect(try !find().remove(from: folder, now: time(nil)))
        #expect(flock(other, LOCK_UN) == 0)
        #expect(try find().remove(from: folder, now: time(nil)))
        #expect(!isThere(path))
    }

    @Test(
        "two that have one folder find all that they have asked for, and leave nothing lying about",
        .waiting
    )
    func concurrency() async throws {
        let limit: Int64 = 2_000_000
        let results = await withTaskGroup(of: [String].self) { group in
            for worker in 0..<3 {
                group.addTask {
                    let cache = CoverCache(folder: place, limit: limit)
                    var wrong: [String] = []
                    for round in 0..<200 {
                        let wanted = image((round * 7 + worker * 3) % 40)
                        let path = cache.keep(wanted, isNear: round % 2 == 0)
                        let found = path.flatMap { FileManager.default.contents(atPath: "\($0)") }
                        if found.map(Array.init) != wanted { wrong.append("\(worker) \(round)") }
                        if round % 3 == 0 { cache.tidy() }
                    }
                    return wrong
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(results == [])
        CoverCache(folder: place, limit: limit).tidy()
        #expect(try names.allSatisfy { !$0.hasPrefix(".") && $0.hasSuffix(".jpg") })
        #expect(try names.count <= 20)
    }
}

struct CoverNameTests {
    @Test("a name is read as it was written, and a hash does not depend on the pieces")
    func names() throws {
        let image = ID3Bytes.jpeg(seed: 3, size: 1000)
        var hash = ContentHash()
        for part in [0..<1, 1..<500, 500..<1000] { Array(image[part]).withUnsafeBytes { hash.take($0) } }
        #expect(hash == ContentHash(of: image))
        #expect(hash != ContentHash(of: Array(image.dropLast())))
        let name = CoverName(hash, .webp)
        #expect(CoverName(fileName: name.bytes) == name)
        #expect(!CoverName.isUnfinished(name.bytes))
        #expect(CoverName.isUnfinished(name.template))
        #expect(CoverName(fileName: name.template) == nil)
    }
}
