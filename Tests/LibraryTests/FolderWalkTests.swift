import Foundation
import Library
import Music
import TestSupport
import Testing

struct FolderWalkTests {
    private let folder: TemporaryFolder
    private let walk = FolderWalk(suffixes: ["mp3", "mp2"])

    init() throws { folder = try TemporaryFolder() }

    /// What is found at `name` in the folder, and what is told.
    private func find(_ name: String = "") throws -> (files: [String], problems: [String]) {
        let path = try #require(FilePath(name.isEmpty ? folder.path : folder.path(name)))
        var problems: [String] = []
        let files = walk.files(at: path) { problems.append("\($0): \($1)") }
        func short(_ text: String) -> String { text.replacingOccurrences(of: "\(folder.path)/", with: "") }
        return (files.map { short($0.description) }, problems.map(short))
    }

    @Test("music below the folder, as people count, without what is hidden or something else")
    func findsMusic() throws {
        for path in ["b", ".hidden", "b/c", "x.mp3"] { try folder.makeFolder(path) }
        for name in [
            "10 z.mp3", "2 a.MP3", "b/c/1.mp2", "b/0.mp3", "note.txt", ".secret.mp3", ".hidden/1.mp3",
            "x.mp3/in.mp3",
            "mp3", "a.mp3.part",
        ] {
            try folder.write(name, [])
        }
        #expect(mkfifo(folder.path("pipe.mp3"), 0o600) == 0)
        let found = try find()
        #expect(found.files == ["2 a.MP3", "10 z.mp3", "b/0.mp3", "b/c/1.mp2", "x.mp3/in.mp3"])
        #expect(found.problems.isEmpty)
    }

    @Test("links are followed, loops and dangling ones passed over")
    func followsLinks() throws {
        try folder.makeFolder("a/b")
        try folder.write("a/b/1.mp3", [])
        for (link, target) in [
            ("a/b/up", ".."), ("a/self", "."), ("a/other", "b"), ("a/gone.mp3", "nothing"),
            ("a/round", "round"),
            ("a/dev.mp3", "/dev/zero"), ("a/two.mp3", "b/1.mp3"),
        ] {
            #expect(symlink(target, folder.path(link)) == 0)
        }
        let found = try find("a")
        #expect(found.files.count == 2)
        #expect(found.files.contains("a/two.mp3"))
        try folder.makeFolder("c")
        try folder.write("c/1.mp3", [])
        #expect(symlink("c", folder.path("link")) == 0)
        #expect(try find("link").files == ["link/1.mp3"])
    }

    @Test("names that are no text keep their bytes")
    func keepsBytes() throws {
        let path = try #require(FilePath(folder.path)).appending([0xFF, 0x0A, 0x2E, 0x6D, 0x70, 0x33])
        let descriptor = path.withCString { creat($0, 0o600) }
        #expect(descriptor >= 0)
        close(descriptor)
        let root = try #require(FilePath(folder.path))
        #expect(walk.files(at: root) { _, _ in } == [path])
    }

    @Test("a file that is named is taken whatever its suffix; what is missing or no file is told")
    func takesNamedFiles() throws {
        try folder.write("song", [])
        #expect(mkfifo(folder.path("pipe.mp3"), 0o600) == 0)
        #expect(try find("song").files == ["song"])
        #expect(try find("none.mp3").problems == ["none.mp3: there is no such file"])
        #expect(try find("song/below").problems == ["song/below: there is no such file"])
        #expect(try find("pipe.mp3").problems == ["pipe.mp3: it is a pipe, not a file"])
    }

    @Test("a folder that may not be read is told, the others are searched", .enabled(if: getuid() != 0))
    func tellsUnreadable() throws {
        try folder.makeFolder("a")
        try folder.write("1.mp3", [])
        chmod(folder.path("a"), 0)
        defer { chmod(folder.path("a"), 0o700) }
        let found = try find()
        #expect(found.files == ["1.mp3"])
        #expect(found.problems == ["a: it may not be read"])
    }

    @Test("a deep folder")
    func goesDeep() throws {
        let depth = 60
        let path = (0..<depth).map { "d\($0)" }.joined(separator: "/")
        try folder.makeFolder(path)
        try folder.write("\(path)/1.mp3", [])
        #expect(try find().files == ["\(path)/1.mp3"])
    }
}
