import Foundation
import Glibc
import Library
import Music
import TestSupport
import Testing

/// What happens in the folders while the library is there (C232).
@Suite(.waiting, .timeLimit(.minutes(5)))
struct WatchTests {
    private let files: MusicFolders
    private let running: RunningLibrary

    init() throws {
        files = try MusicFolders()
        try files.write("a/1.mp3", title: "One")
        try files.write("b/2.mp3", title: "Two")
        running = try files.library()
        try running.scan()
    }

    /// Waits at most two seconds, and what a busy machine may take.
    private func waitFor(_ count: Int) throws {
        try running.wait("\(count) tracks") { running.library.status.trackCount == count }
    }

    @Test("a file that is added, and one that is removed")
    func addsAndRemoves() throws {
        try files.write("a/3.mp3", title: "Three")
        try waitFor(3)
        #expect(try running.names("three") == ["3.mp3"])
        try files.remove("b/2.mp3")
        try waitFor(2)
    }

    @Test("a new folder with folders in it, and files that come into these later")
    func newFolders() throws {
        try files.write("c/d/e/3.mp3")
        try waitFor(3)
        try files.write("c/d/e/4.mp3")
        try files.write("c/d/5.mp3")
        try waitFor(5)
        try files.remove("c")
        try waitFor(2)
    }

    @Test("a folder moved out of the library and back in")
    func movesOutAndIn() throws {
        let outside = files.folder.path("outside")
        #expect(rename(files.folder.path("music/a"), outside) == 0)
        try waitFor(1)
        try Data([0]).write(to: URL(fileURLWithPath: "\(outside)/ignored.mp3"))
        #expect(rename(outside, files.folder.path("music/b/a")) == 0)
        try waitFor(3)
        try files.write("b/a/4.mp3")
        try waitFor(4)
    }

    @Test("a renamed file and a renamed folder are told as moved, and watched on")
    func renames() throws {
        files.move("a/1.mp3", "b/1.mp3")
        try running.wait("the move") { !running.moves.isEmpty }
        #expect(running.moves == [MovedPath(old: try files.path("a/1.mp3"), new: try files.path("b/1.mp3"))])
        files.move("b", "c")
        try running.wait("the second move") { running.moves.count == 2 }
        #expect(running.moves.last == MovedPath(old: try files.path("b"), new: try files.path("c")))
        try files.write("c/3.mp3")
        try waitFor(3)
    }

    @Test("a file that is retagged in place")
    func retags() throws {
        let path = try files.write("a/1.mp3", title: "Other")
        try running.wait("the change") { running.retagged == [path] }
        #expect(try running.names("other") == ["1.mp3"])
    }

    @Test("a file that is written slowly is not there before it is whole")
    func waitsForWriters() throws {
        let path = files.folder.path("music/a/slow.mp3")
        let descriptor = creat(path, 0o600)
        #expect(descriptor >= 0)
        let bytes = ID3Bytes.tag(ID3Bytes.text("TIT2", "Slow")) + ID3Bytes.silence(frames: 4)
        #expect(write(descriptor, bytes, 20) == 20)
        // Something else happens in the folder, so that it is looked into.
        try files.write("a/3.mp3")
        try waitFor(3)
        running.pass(1)
        #expect(write(descriptor, Array(bytes[20...]), bytes.count - 20) == bytes.count - 20)
        running.pass(1)
        #expect(running.library.status.trackCount == 3)
        close(descriptor)
        try waitFor(4)
        #expect(try running.names("slow") == ["slow.mp3"])
    }

    @Test("links to a file and to a folder are whole at once")
    func links() throws {
        #expect(link(files.folder.path("music/a/1.mp3"), files.folder.path("music/b/hard.mp3")) == 0)
        #expect(symlink("../a/1.mp3", files.folder.path("music/b/soft.mp3")) == 0)
        try waitFor(4)
        let outside = try files.folder.makeFolder("outside")
        try Data(ID3Bytes.silence(frames: 1)).write(to: URL(fileURLWithPath: "\(outside)/5.mp3"))
        #expect(symlink(outside, files.folder.path("music/link")) == 0)
        try waitFor(5)
    }

    @Test("playlists that come, are renamed, played and go")
    func playlists() throws {
        func names() -> [String] { running.library.status.playlists.map(\.name) }
        try files.folder.write("music/list 10.m3u", "#".utf8)
        try files.folder.write("music/List 2.m3u8", "#".utf8)
        try running.wait("both playlists") { names() == ["List 2", "list 10"] }
        let id = running.library.status.playlists[1].id
        running.library.notePlayed(id)
        #expect(running.library.status.playlists[1].played != nil)
        files.move("list 10.m3u", "a/Best.m3u")
        try running.wait("the new name") { names() == ["Best", "List 2"] }
        let best = running.library.status.playlists[0]
        #expect(best.id == id)
        #expect(best.played != nil)
        #expect(best.path == (try files.path("a/Best.m3u")))
        // As editors save: under another name, and then over the old one.
        try files.folder.write("music/a/.new", "#\n#".utf8)
        files.move("a/.new", "a/Best.m3u")
        running.pass(2)
        #expect(running.library.status.playlists[0].id == id)
        try files.remove("a/Best.m3u")
        try running.wait("the end of it") { names() == ["List 2"] }
        try files.folder.write("music/new.m3u", "#".utf8)
        try running.wait("another") { names() == ["List 2", "new"] }
        #expect(running.library.status.playlists[1].id != id)
    }

    @Test("when more happens than the kernel keeps, everything is looked through again")
    func overflow() throws {
        let limit = try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
        let most = try #require(Int(limit.trimmingCharacters(in: .whitespacesAndNewlines)))
        // Each is made, closed and removed, which is at least one event, while nobody reads that.
        for number in 0...most {
            let path = files.folder.path("music/a/\(number % 2).part")
            close(creat(path, 0o600))
            unlink(path)
        }
        try files.write("b/3.mp3")
        try waitFor(3)
        #expect(running.said.count == 1)
    }
}
