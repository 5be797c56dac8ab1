import Foundation
import Glibc
import Library
import Music
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ScanTests {
    private let files: MusicFolders

    init() throws { files = try MusicFolders() }

    @Test("music is found below the folder and described by its tags, in the order of the library")
    func findsMusic() throws {
        try files.write("b/2.mp3", title: "Two", artist: "B", album: "Y", track: 2)
        try files.write("b/10.mp3", title: "Ten", artist: "B", album: "Y", track: 10)
        try files.write("a/1.mp3", title: "One", artist: "b", album: "X", track: 3)
        try files.write("none.mp3")
        try files.write("single.mp3", artist: "B")
        try files.write("b/other.txt")
        let running = try files.library()
        try running.scan()
        #expect(try running.names() == ["1.mp3", "2.mp3", "10.mp3", "single.mp3", "none.mp3"])
        #expect(running.library.status.trackCount == 5)
        #expect(running.said == [])
        let first = try #require(try running.search("one").first)
        #expect(first.tags.artists == ["b"])
        #expect(first.tags.trackNumber == 3)
    }

    @Test("a second scan reads only what is new or has changed, and tells what was retagged")
    func readsOnlyChanges() throws {
        let a = try files.write("a.mp3", title: "A")
        try files.write("b.mp3", title: "B")
        let read = Observed<[FilePath]>([])
        let running = try files.library { path in
            read.update { $0.append(path) }
            return .unknown
        }
        try running.scan()
        #expect(read.current.count == 2)
        try running.scan()
        #expect(read.current.count == 2)
        try files.write("a.mp3", title: "Changed")
        let c = try files.write("c.mp3", title: "C")
        try running.scan()
        #expect(Set(read.current[2...]) == [a, c])
        #expect(running.retagged == [a])
        #expect(try running.names("changed") == ["a.mp3"])
        #expect(try running.names("a") == ["a.mp3"])
    }

    @Test("what has gone is removed, with folders and all")
    func removes() throws {
        try files.write("x/1.mp3")
        try files.write("x/y/2.mp3")
        try files.write("3.mp3")
        let running = try files.library()
        try running.scan()
        try files.remove("x")
        try running.scan()
        #expect(try running.names() == ["3.mp3"])
        #expect(running.library.status.trackCount == 1)
        #expect(try running.names("x") == [])
    }

    @Test("the index outlives the program")
    func survives() throws {
        try files.write("a.mp3", title: "A")
        try files.library().scan()
        let again = try files.library { _ in
            Issue.record("read again")
            return .unknown
        }
        try again.scan()
        #expect(try again.names("a") == ["a.mp3"])
    }

    @Test(
        "a library folder that is gone or empty keeps what is known of it, told once",
        arguments: [true, false]
    )
    func keepsUnmounted(isEmpty: Bool) throws {
        try files.write("x/1.mp3")
        let running = try files.library()
        try running.scan()
        try FileManager.default.moveItem(atPath: files.music, toPath: files.folder.path("elsewhere"))
        if isEmpty { try files.folder.makeFolder("music") }
        try running.scan()
        try running.scan()
        #expect(try running.names() == ["1.mp3"])
        #expect(running.said.count == 1)
        #expect(running.library.status.problem != nil)
        if isEmpty { try FileManager.default.removeItem(atPath: files.music) }
        try FileManager.default.moveItem(atPath: files.folder.path("elsewhere"), toPath: files.music)
        try running.scan()
        #expect(running.library.status.problem == nil)
    }

    @Test("links, loops, pipes, devices and odd names")
    func oddFiles() throws {
        try files.write("real/a.mp3")
        try files.write("line\nbreak.mp3", title: "broken")
        try files.write(".hidden/x.mp3")
        try files.write("folder.mp3/in.mp3")
        for (link, target) in [
            ("real/up", ".."), ("real/self", "."), ("aa", "real"), ("round.mp3", "round.mp3"),
            ("zero.mp3", "/dev/zero"),
            ("alias.mp3", "real/a.mp3"),
        ] {
            #expect(symlink(target, files.folder.path("music/\(link)")) == 0)
        }
        #expect(mkfifo(files.folder.path("music/pipe.mp3"), 0o600) == 0)
        let raw = try files.path("").appending([0xFF, 0x2E, 0x6D, 0x70, 0x33])
        close(raw.withCString { creat($0, 0o600) })
        let running = try files.library()
        try running.scan()
        let found = Set(try running.search("").map(\.location.path))
        let expected = [
            try files.path("real/a.mp3"), try files.path("line\nbreak.mp3"),
            try files.path("folder.mp3/in.mp3"),
            try files.path("alias.mp3"), raw,
        ]
        #expect(found == Set(expected))
        try running.scan()
        #expect(Set(try running.search("").map(\.location.path)) == found)
        #expect(running.said == [])
    }

    @Test("a folder that may not be read is told once and keeps its files", .enabled(if: getuid() != 0))
    func unreadable() throws {
        try files.write("x/y/1.mp3")
        let running = try files.library()
        try running.scan()
        chmod(files.folder.path("music/x"), 0)
        defer { chmod(files.folder.path("music/x"), 0o700) }
        try running.scan()
        try running.scan()
        #expect(try running.names() == ["1.mp3"])
        #expect(running.said.count == 1)
    }
}
