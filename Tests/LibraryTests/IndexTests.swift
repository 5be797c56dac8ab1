import Foundation
import Glibc
import Music
import TestSupport
import Testing

@testable import Library

@Suite(.timeLimit(.minutes(5)))
struct IndexTests {
    private let files: MusicFolders

    init() throws { files = try MusicFolders() }

    private var indexPath: String { "\(files.cache)/library.db" }

    private func openIndex() throws -> Database {
        try Database(try #require(FilePath(indexPath)), for: .write)
    }

    @Test("an index that is no database is made anew, in one line")
    func junk() throws {
        try files.write("a.mp3")
        try files.folder.makeFolder("cache/tianlai")
        try files.folder.write(
            "cache/tianlai/library.db",
            Array("no database at all\n".utf8) + [UInt8](0...255)
        )
        let running = try files.library()
        try running.scan()
        #expect(try running.names() == ["a.mp3"])
        #expect(running.said.count == 1)
        #expect(running.said.first?.contains("made anew") == true)
        #expect(running.library.status.problem == nil)
    }

    @Test("an index that is broken inside is made anew, while somebody has it open")
    func broken() throws {
        for number in 0..<300 { try files.write("\(number).mp3", title: "Track \(number)") }
        try files.library().scan()
        let running = try files.library()
        #expect(try running.names("track 7").first == "7.mp3")
        let size = try Data(contentsOf: URL(fileURLWithPath: indexPath)).count
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: indexPath))
        try handle.seek(toOffset: 4096)
        try handle.write(contentsOf: Data(repeating: 0xA5, count: size - 4096))
        try handle.close()
        try running.scan()
        try running.wait("the new index") { running.library.status.trackCount == 300 }
        #expect(try running.names("track 7").first == "7.mp3")
        #expect(running.said.count == 1)
    }

    @Test("an index of another version is made anew")
    func otherVersion() throws {
        try files.write("a.mp3")
        try files.library().scan()
        try openIndex().run("PRAGMA user_version = 4711")
        let running = try files.library()
        try running.scan()
        #expect(try running.names() == ["a.mp3"])
        #expect(running.said.count == 1)
    }

    @Test("where no index can be written, that is said once, and searching fails in one line")
    func noPlace() throws {
        try files.write("a.mp3")
        try files.folder.write("cache", [])
        let running = try files.library()
        try running.scan()
        try running.scan()
        #expect(running.said.count == 1)
        #expect(running.library.status.problem != nil)
        #expect(throws: LibraryError.self) { try running.search("a") }
        #expect(running.library.reader.lookup(try files.path("a.mp3")) == nil)
    }

    @Test("on a full disk what was there stays, and what was half written does not")
    func fullDisk() throws {
        let file = IndexFile(in: try #require(FilePath(files.cache)))
        let database = try file.openForWriting { Issue.record("\($0)") }
        try database.run("PRAGMA max_page_count = 60")
        let index = try LibraryIndex(database, roots: [])
        let folder = try index.folders.add(
            try #require(FilePath("/m")),
            FileIdentity(device: 1, inode: 1)
        )
        func record(_ number: Int) -> FileRecord {
            let stamp = FileStamp(
                identity: FileIdentity(device: 1, inode: Int64(number)),
                size: 1,
                modified: 1,
                changed: 1
            )
            return FileRecord(
                folder: folder,
                name: Array("\(number)".utf8),
                stamp: stamp,
                track: IndexedTrack()
            )
        }
        try index.change { () throws(DatabaseError) in _ = try index.files.put([record(0)]) }
        #expect(throws: DatabaseError.full) {
            try index.change { () throws(DatabaseError) in
                _ = try index.files.put((1..<2000).map(record))
            }
        }
        #expect(try index.files.count() == 1)
        try index.change { () throws(DatabaseError) in _ = try index.files.put([record(1)]) }
        #expect(try index.files.count() == 2)
    }

    @Test("when there is no room left between two places, all get new ones")
    func placesAnew() throws {
        for name in ["a", "c", "e"] { try files.write("\(name).mp3", title: name) }
        let first = try files.library()
        try first.scan()
        let index = try openIndex()
        // As if thousands had been put in between, in the most unfortunate order.
        try index.run(
            """
            CREATE TEMP TABLE w AS SELECT rowid - (SELECT min(rowid) FROM search) AS n, title, path FROM search;
            DELETE FROM search; UPDATE file SET place = name = x'632E6D7033';
            UPDATE file SET place = 2 WHERE name = x'652E6D7033';
            INSERT INTO search (rowid, title, artist, album, path) SELECT place, title, '', '', title FROM file
            """
        )
        try files.write("b.mp3", title: "b")
        try files.write("d.mp3", title: "d")
        try first.scan()
        #expect(try first.names() == ["a.mp3", "b.mp3", "c.mp3", "d.mp3", "e.mp3"])
        for name in ["a", "b", "c", "d", "e"] { #expect(try first.names(name) == ["\(name).mp3"]) }
    }

    @Test("a file is looked up while it is the one that was read, with an exact length once that is known")
    func looksUp() throws {
        let path = try files.write("x/a.mp3", title: "A", artist: "B")
        let running = try files.library { _ in FileLength(.seconds(3)) }
        let reader = running.library.reader
        #expect(reader.lookup(path) == nil)
        try running.scan()
        #expect(reader.lookup(path)?.tags.artists == ["B"])
        #expect(reader.lookup(path)?.length == FileLength(.seconds(3)))
        #expect(try running.describe([TrackLocation(path)]).first?.length == .seconds(3))
        reader.note(path, MeasuredFile(stamp: try #require(FileStamp(at: path)), length: .seconds(2.5)))
        try running.wait("the length") { reader.lookup(path)?.length.isExact == true }
        var excerpt = Excerpt(start: .seconds(1))
        excerpt.title = "Part"
        let described = try running.describe([
            TrackLocation(path), TrackLocation(path, excerpt), TrackLocation(try files.path("none")),
        ])
        #expect(described.map(\.title) == ["A", "Part", "none"])
        #expect(described.map(\.length) == [.seconds(2.5), .seconds(1.5), nil])
        try files.write("x/a.mp3", title: "Another")
        #expect(reader.lookup(path) == nil)
    }

    @Test(
        "a file that cannot be read is remembered, and tried again when it may be read",
        .enabled(if: getuid() != 0)
    )
    func badFiles() throws {
        let path = try files.write("a.mp3", title: "A")
        chmod(path.description, 0)
        let running = try files.library()
        try running.scan()
        #expect(running.library.reader.lookup(path)?.problem != nil)
        #expect(try running.names() == ["a.mp3"])
        chmod(path.description, 0o600)
        try running.scan()
        #expect(running.library.reader.lookup(path)?.problem == nil)
        #expect(try running.names("a").count == 1)
    }
}
