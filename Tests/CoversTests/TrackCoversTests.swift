import Covers
import Foundation
import Music
import TagReading
import TestSupport
import Testing

/// Which picture is shown of a track, with real folders.
struct TrackCoversTests {
    private let folder: TemporaryFolder
    private let covers: TrackCovers

    init() throws {
        folder = try TemporaryFolder()
        try folder.makeFolder("music")
        let cache = try #require(FilePath(folder.path("cache")))
        covers = TrackCovers(cache: CoverCache(folder: cache))
    }

    /// Writes an image that differs from others by `seed`.
    private func write(_ name: String, seed: UInt8) throws {
        try folder.write(name, ID3Bytes.jpeg(seed: seed))
    }

    private func path(_ name: String) throws -> FilePath {
        try #require(FilePath(folder.path(name)))
    }

    /// The seed of the image that is shown of a track, out of the cache; `nil` where none is.
    private func shown(_ track: String = "music/a.mp3", embedded: [UInt8]? = nil) throws -> UInt8? {
        let cover = try covers.cover(of: path(track), embedded: embedded, isNear: true)
        guard let cover else { return nil }
        #expect("\(cover)".hasPrefix(folder.path("cache/covers/")))
        return FileManager.default.contents(atPath: "\(cover)")?.last
    }

    /// Has the folder look as if nothing had happened in it for a while, so that what was seen in it is remembered.
    private func age(_ name: String, _ seconds: Double = 100) throws {
        let date = Date(timeIntervalSinceNow: -seconds)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: folder.path(name))
    }

    @Test("the picture in the tags goes before all that lies beside it; without any there is no cover")
    func order() throws {
        #expect(try shown() == nil)
        try write("music/cover.jpg", seed: 1)
        #expect(try shown(embedded: ID3Bytes.jpeg(seed: 9)) == 9)
        #expect(try shown() == 1)
        #expect(try shown(embedded: Array("this is no picture, but long enough".utf8)) == 1)
    }

    @Test("what lies beside it goes by its name, in any letter case")
    func names() throws {
        let names = [
            "a.webp", "COVER.JPG", "cover.jpeg", "Cover.Png", "cover.WEBP", "Folder.jpg", "folder.png",
            "front.JPEG", "album.png", "AlbumArt.jpg",
        ]
        // The best comes last, as no order of a folder would have it.
        for (seed, name) in names.enumerated().reversed() {
            try write("music/\(name)", seed: UInt8(seed))
            #expect(try shown() == UInt8(seed), "\(name)")
        }
        for (seed, name) in names.enumerated() {
            #expect(try shown() == UInt8(seed), "\(name)")
            try FileManager.default.removeItem(atPath: folder.path("music/\(name)"))
        }
        #expect(try shown() == nil)
    }

    @Test(
        "other names are no covers",
        arguments: [
            "cover.gif", "cover.jpg.part", "mycover.jpg", ".cover.jpg", "cover", "back.jpg", "cover.mp3",
        ]
    )
    func otherNames(name: String) throws {
        try write("music/\(name)", seed: 1)
        #expect(try shown() == nil)
    }

    @Test("of two that differ in letter case always the same is shown")
    func sameName() throws {
        try write("music/cover.jpg", seed: 2)
        try write("music/Cover.jpg", seed: 1)
        #expect(try shown() == 1)
    }

    @Test("what is no picture, or might hang, is passed over", .timeLimit(.minutes(5)))
    func hostile() throws {
        #expect(mkfifo(folder.path("music/a.jpg"), 0o600) == 0)
        #expect(mkfifo(folder.path("music/cover.jpg"), 0o600) == 0)
        try folder.makeFolder("music/cover.png")
        try folder.write("music/folder.jpg", [])
        try folder.write("music/folder.jpeg", [0xFF, 0xD8, 0xFF])
        try folder.write("music/folder.png", "<html>404, but longer than any magic</html>".utf8)
        #expect(symlink("/dev/zero", folder.path("music/front.jpg")) == 0)
        #expect(symlink("front.png", folder.path("music/front.png")) == 0)
        #expect(symlink("nowhere", folder.path("music/front.webp")) == 0)
        let socket = try UnixSocket(at: folder.path("music/album.jpg"))
        #expect(try shown() == nil)
        withExtendedLifetime(socket) {}
        // 33 MB that begin as a JPEG: a scan of the whole booklet.
        try write("music/album.jpeg", seed: 1)
        #expect(truncate(folder.path("music/album.jpeg"), 33 << 20) == 0)
        #expect(try shown() == nil)
        try write("picture", seed: 7)
        #expect(symlink("../picture", folder.path("music/album.webp")) == 0)
        #expect(try shown() == 7)
        #expect(covers.picture(beside: try path("music/a.mp3"))?.path == (try path("music/album.webp")))
    }

    @Test("the largest picture that is read is 32 MiB")
    func largest() throws {
        try write("music/cover.jpg", seed: 1)
        #expect(truncate(folder.path("music/cover.jpg"), 32 << 20) == 0)
        #expect(try shown() == 0)
    }

    @Test("the suffix in the cache comes from the bytes, and the content is the same")
    func kind() throws {
        let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        let image = png + (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        try folder.write("music/cover.jpg", image)
        let track = try path("music/a.mp3")
        let cover = try #require(covers.cover(of: track, embedded: nil, isNear: true))
        #expect(cover.suffix == "png")
        #expect(FileManager.default.contents(atPath: "\(cover)").map(Array.init) == image)
        // As if it were in the tags: one file for one picture.
        #expect(covers.cover(of: track, embedded: image, isNear: true) == cover)
        let beside = try #require(covers.picture(beside: track))
        #expect(beside.path == (try path("music/cover.jpg")))
        #expect(beside.kind == .png)
        #expect(beside.size == image.count)
    }

    @Test(
        "discs show the cover of their album, other folders do not",
        arguments: [
            ("CD1", true), ("cd 02", true), ("Disc 2", true), ("disk-3", true), ("Disc_10 - Live", true),
            ("CD1 (bonus)", true), ("CD2 現場", true), ("CD", false), ("Discography", false),
            ("CD Baby 7", false),
            ("cd2b", false), ("Live", false), ("1", false), ("abcd1", false),
        ]
    )
    func discs(name: String, isDisc: Bool) throws {
        try folder.makeFolder("music/\(name)")
        try write("music/cover.jpg", seed: 1)
        #expect(try shown("music/\(name)/a.mp3") == (isDisc ? 1 : nil))
        try write("music/\(name)/album.png", seed: 2)
        #expect(try shown("music/\(name)/a.mp3") == 2)
    }

    @Test("what comes, goes or changes in a folder that was looked at is seen", arguments: [true, false])
    func changes(isOld: Bool) throws {
        func see() throws -> UInt8? {
            if isOld { try age("music") }
            _ = try shown()
            return try shown("music/b.mp3")
        }
        #expect(try see() == nil)
        try write("music/front.jpg", seed: 1)
        #expect(try shown() == 1)
        #expect(try see() == 1)
        try write("music/cover.jpg", seed: 2)
        #expect(try shown() == 2)
        #expect(try see() == 2)
        // Written over in place, as long as before: the folder stays as it is.
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: folder.path("music/cover.jpg")))
        try file.write(contentsOf: Data(ID3Bytes.jpeg(seed: 3)))
        try file.close()
        #expect(try see() == 3)
        try FileManager.default.removeItem(atPath: folder.path("music/cover.jpg"))
        #expect(try see() == 1)
        try FileManager.default.moveItem(
            atPath: folder.path("music/front.jpg"),
            toPath: folder.path("music/back.jpg")
        )
        #expect(try see() == nil)
    }

    @Test("where nothing can be kept, the picture is shown where it lies")
    func withoutCache() throws {
        let file = try folder.write("file", [1])
        try write("music/cover.jpg", seed: 1)
        let track = try path("music/a.mp3")
        for cache in [CoverCache(folder: try #require(FilePath(file))), nil] {
            let covers = TrackCovers(cache: cache)
            #expect(covers.cover(of: track, embedded: nil, isNear: true) == (try path("music/cover.jpg")))
        }
    }

    @Test("a folder that is not there, and a name without a folder, do no harm")
    func nowhere() throws {
        #expect(try shown("nothing/here/a.mp3") == nil)
        let bare = try #require(FilePath("no such track.mp3"))
        #expect(covers.cover(of: bare, embedded: nil, isNear: true) == nil)
    }
}

/// A socket that lies in a folder, as some programs leave them.
private final class UnixSocket {
    private let descriptor: Int32

    init(at path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0 else { throw TestFailure("no socket: \(errno)") }
    }

    deinit { close(descriptor) }
}
