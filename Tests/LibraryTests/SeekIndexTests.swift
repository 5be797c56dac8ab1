import Foundation
import Music
import TestSupport
import Testing

@testable import Library

/// What the index keeps of places in files, and when it forgets that.
@Suite(.timeLimit(.minutes(5)))
struct SeekIndexTests {
    private let files: MusicFolders

    init() throws { files = try MusicFolders() }

    private let bytes = (0..<5000).map { UInt8(truncatingIfNeeded: $0 * 7) }

    /// A library that has noted the places of `path`.
    private func noted(_ path: FilePath) throws -> (running: RunningLibrary, stamp: FileStamp) {
        let running = try files.library()
        try running.scan()
        let stamp = try #require(FileStamp(at: path))
        let reader = running.library.reader
        reader.note(path, MeasuredFile(stamp: stamp, length: .seconds(600), seekIndex: bytes))
        try running.wait("the note") { reader.lookup(path)?.length.isExact == true }
        return (running, stamp)
    }

    @Test("what was noted of a file is there for it, also for the next process, and for no other state of it")
    func kept() throws {
        let path = try files.write("a.mp3", title: "A")
        let other = try files.write("b.mp3", title: "B")
        let (running, stamp) = try noted(path)
        #expect(running.library.reader.seekIndex(of: path, stamp) == bytes)
        var changed = stamp
        changed.modified += 1
        #expect(running.library.reader.seekIndex(of: path, changed) == nil)
        #expect(running.library.reader.seekIndex(of: other, try #require(FileStamp(at: other))) == nil)
        #expect(try files.library().library.reader.seekIndex(of: path, stamp) == bytes)
    }

    @Test("it moves with its file")
    func moved() throws {
        let path = try files.write("a.mp3", title: "A")
        let (running, stamp) = try noted(path)
        let new = try #require(FilePath("\(files.music)/new.mp3"))
        try FileManager.default.moveItem(atPath: "\(path)", toPath: "\(new)")
        try running.scan()
        #expect(running.library.reader.seekIndex(of: new, stamp) == bytes)
        #expect(running.library.reader.seekIndex(of: path, stamp) == nil)
    }

    @Test("it goes with its file, and with what was in it")
    func gone() throws {
        let path = try files.write("a.mp3", title: "A")
        let (running, stamp) = try noted(path)
        let reader = running.library.reader
        try files.write("a.mp3", title: "Another, longer title")
        try running.scan()
        #expect(reader.seekIndex(of: path, stamp) == nil)
        #expect(reader.seekIndex(of: path, try #require(FileStamp(at: path))) == nil)
    }

    @Test("what was measured before a file changed is not noted of what it is now")
    func late() throws {
        let (late, next) = (try files.write("a.mp3", title: "A"), try files.write("b.mp3", title: "B"))
        let running = try files.library()
        try running.scan()
        let reader = running.library.reader
        var stamp = try #require(FileStamp(at: late))
        stamp.size += 1
        reader.note(late, MeasuredFile(stamp: stamp, length: .seconds(600), seekIndex: bytes))
        // What is noted later is noted afterwards.
        let other = try #require(FileStamp(at: next))
        reader.note(next, MeasuredFile(stamp: other, length: .seconds(600), seekIndex: bytes))
        try running.wait("the note") { reader.lookup(next)?.length.isExact == true }
        #expect(reader.lookup(late)?.length.isExact == false)
        #expect(reader.seekIndex(of: late, stamp) == nil)
    }
}
