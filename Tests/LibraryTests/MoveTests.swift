import Foundation
import Music
import TestSupport
import Testing

@testable import Library

/// What is moved stays what it was (C233).
@Suite(.waiting, .timeLimit(.minutes(5)))
struct MoveTests {
    private let files: MusicFolders
    private let running: RunningLibrary
    private let reads = Observed(0)

    init() throws {
        files = try MusicFolders()
        try files.write("a/01.mp3", title: "One")
        try files.write("a/02.mp3", title: "Two")
        try files.write("a/b/03.mp3", title: "Three")
        try files.write("c/04.mp3", title: "Four")
        running = try files.library { [reads] _ in
            reads.update { $0 += 1 }
            return .unknown
        }
        try running.scan()
    }

    private func moved(_ old: String, _ new: String) throws -> MovedPath {
        MovedPath(old: try files.path(old), new: try files.path(new))
    }

    /// Where the titles are now, below the music folder.
    private func paths() throws -> [String: String] {
        let start = files.music.utf8.count + 1
        let found = try running.search("").map {
            ($0.title, String(decoding: $0.location.path.bytes[start...], as: UTF8.self))
        }
        return Dictionary(uniqueKeysWithValues: found)
    }

    @Test("a file is renamed and moved to another folder")
    func files_() throws {
        files.move("a/01.mp3", "a/x.mp3")
        files.move("a/02.mp3", "c/02.mp3")
        try running.scan()
        #expect(running.moves.contains(try moved("a/01.mp3", "a/x.mp3")))
        #expect(running.moves.contains(try moved("a/02.mp3", "c/02.mp3")))
        #expect(running.moves.count == 2)
        #expect(try paths()["One"] == "a/x.mp3")
        #expect(try running.names("c") == ["02.mp3", "04.mp3"])
        #expect(reads.current == 4)
        #expect(running.library.status.trackCount == 4)
    }

    @Test("tracks get new numbers, so that each takes the name of another")
    func ring() throws {
        files.move("a/02.mp3", "a/03.mp3")
        files.move("a/01.mp3", "a/02.mp3")
        files.move("a/03.mp3", "a/01.mp3")
        try running.scan()
        #expect(Set(running.moves.map(\.old)) == [try files.path("a/01.mp3"), try files.path("a/02.mp3")])
        #expect(try paths()["One"] == "a/02.mp3")
        #expect(try paths()["Two"] == "a/01.mp3")
        #expect(reads.current == 4)
        #expect(running.retagged == [])
    }

    @Test("a folder is moved as one, with what is below it")
    func folder() throws {
        files.move("a", "c/z")
        try running.scan()
        #expect(running.moves == [try moved("a", "c/z")])
        #expect(
            try paths() == [
                "One": "c/z/01.mp3", "Two": "c/z/02.mp3", "Three": "c/z/b/03.mp3", "Four": "c/04.mp3",
            ]
        )
        #expect(try running.names("z") == ["01.mp3", "02.mp3", "03.mp3"])
        #expect(try running.names("a") == [])
        #expect(reads.current == 4)
    }

    @Test("a file takes the place of another")
    func replaces() throws {
        files.move("a/01.mp3", "c/04.mp3")
        try running.scan()
        #expect(running.moves == [try moved("a/01.mp3", "c/04.mp3")])
        #expect(try paths() == ["One": "c/04.mp3", "Two": "a/02.mp3", "Three": "a/b/03.mp3"])
        #expect(running.library.status.trackCount == 3)
    }

    @Test("a copy and a hard link are files of their own")
    func copies() throws {
        #expect(link(files.folder.path("music/a/01.mp3"), files.folder.path("music/a/hard.mp3")) == 0)
        try running.scan()
        #expect(running.moves == [])
        #expect(running.library.status.trackCount == 5)
        try files.remove("a/01.mp3")
        try running.scan()
        #expect(running.library.status.trackCount == 4)
    }

    @Test("a folder takes the place of the one that it lay in")
    func outOfItself() throws {
        files.move("a/b", "new")
        try files.remove("a")
        files.move("new", "a")
        try running.scan()
        #expect(running.moves == [try moved("a/b", "a")])
        #expect(try paths() == ["Three": "a/03.mp3", "Four": "c/04.mp3"])
        try files.write("a/05.mp3", title: "Five")
        try running.scan()
        #expect(try running.names("a") == ["03.mp3", "05.mp3"])
        #expect(running.library.status.trackCount == 3)
    }

    @Test("disks that have got other numbers since are the same disks")
    func renumbered() throws {
        running.library.stop()
        let index = try #require(FilePath("\(files.cache)/library.db"))
        let database = try Database(index, for: .write)
        // As if two disks had changed their numbers, and one its inodes as well.
        try database.run(
            """
            UPDATE file SET device = device + 1, inode = inode + 1000; UPDATE folder SET device = device + 1;
            UPDATE folder SET inode = inode + 1, device = device - 1 WHERE substr(path, -1) = x'63'
            """
        )
        let again = try files.library { _ in
            Issue.record("read again")
            return .unknown
        }
        try again.scan()
        #expect(again.moves == [])
        #expect(again.retagged == [])
        #expect(again.library.status.trackCount == 4)
        files.move("c/04.mp3", "a/04.mp3")
        try again.scan()
        #expect(again.moves == [try moved("c/04.mp3", "a/04.mp3")])
    }

    @Test("what is still at its path was not moved there, whatever was at its number")
    func numberOfAnother() throws {
        running.library.stop()
        let index = try #require(FilePath("\(files.cache)/library.db"))
        let database = try Database(index, for: .write)
        // As if the disks had other numbers when `a/b`, which had the number of `c`, was still there.
        try database.run(
            """
            UPDATE folder SET (device, inode) = (SELECT device, inode FROM folder WHERE substr(path, -1) = x'63')
                WHERE substr(path, -1) = x'62';
            UPDATE folder SET device = device + 1 WHERE substr(path, -1) = x'63'
            """
        )
        try files.remove("a/b")
        let again = try files.library()
        try again.scan()
        #expect(again.moves == [])
        #expect(again.library.status.trackCount == 3)
    }
}
