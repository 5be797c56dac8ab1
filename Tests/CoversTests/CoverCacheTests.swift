import Foundation
import Covers
import Music
import TestSupport
import Testing

struct CoverCacheTests {
    private let folder: TemporaryFolder
    private let cache: CoverCache

    init() throws {
        folder = try TemporaryFolder()
        cache = CoverCache(folder: try #require(FilePath(folder.path("cache/tianlai"))))
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path("cache/tianlai/covers")).sorted()
    }

    @Test("one file for one picture, another for another, with nothing left beside them")
    func keepsByContent() throws {
        let (one, two) = (ID3Bytes.jpeg(seed: 1), ID3Bytes.jpeg(seed: 2, size: 100_000))
        let first = try #require(cache.keep(one))
        let second = try #require(cache.keep(two))
        #expect(first != second)
        #expect(cache.keep(one) == first)
        #expect(try names().count == 2)
        #expect(FileManager.default.contents(atPath: "\(first)").map(Array.init) == one)
        #expect(FileManager.default.contents(atPath: "\(second)").map(Array.init) == two)
        for path in ["cache", "cache/tianlai", "cache/tianlai/covers"] {
            let mode = try FileManager.default.attributesOfItem(atPath: folder.path(path))[.posixPermissions]
            #expect(mode as? Int == 0o700)
        }
    }

    @Test("a cover that was deleted or cut is written again")
    func writesAnew() throws {
        let image = ID3Bytes.jpeg()
        let path = try #require(cache.keep(image))
        try FileManager.default.removeItem(atPath: folder.path("cache"))
        #expect(cache.keep(image) == path)
        try Data([1]).write(to: URL(fileURLWithPath: "\(path)"))
        #expect(cache.keep(image) == path)
        #expect(FileManager.default.contents(atPath: "\(path)").map(Array.init) == image)
    }

    @Test(
        "the suffix comes from the bytes",
        arguments: [
            ([0xFF, 0xD8, 0xFF], "jpg"), ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "png"),
            (Array("GIF89a".utf8), "gif"), (Array("RIFF0000WEBP".utf8), "webp"),
            (Array("RIFF0000WAVE".utf8), nil), (Array("<html>".utf8), nil), ([], nil),
        ] as [([UInt8], String?)]
    )
    func judgesBytes(magic: [UInt8], suffix: String?) {
        #expect(cache.keep(magic + [UInt8](repeating: 0, count: 40))?.suffix == suffix)
    }

    @Test("a folder that cannot be made, or a name that is taken, is no cover")
    func survivesErrors() throws {
        let file = try folder.write("file", [1])
        #expect(CoverCache(folder: try #require(FilePath(file))).keep(ID3Bytes.jpeg()) == nil)
        #expect(CoverCache(folder: try #require(FilePath("/proc/none"))).keep(ID3Bytes.jpeg()) == nil)
    }
}
