import Glibc
import Music
import Testing

@testable import Library

struct WatchDecisionTests {
    /// As `inotify(7)` numbers them.
    private static let (modify, attributes, closeWrite, movedFrom, movedTo):
        (UInt32, UInt32, UInt32, UInt32, UInt32) =
            (0x2, 0x4, 0x8, 0x40, 0x80)
    private static let (create, delete, deleteSelf, overflow, ignored, isFolder):
        (UInt32, UInt32, UInt32, UInt32, UInt32, UInt32) = (0x100, 0x200, 0x400, 0x4000, 0x8000, 0x4000_0000)

    @Test(
        "what an event means",
        arguments: [
            (create, "a.mp3", FolderEvent.made), (modify, "a.mp3", .written), (closeWrite, "a.mp3", .altered),
            (movedTo, "a.mp3", .altered), (movedFrom, "a.mp3", .altered), (delete, "a.mp3", .altered),
            (attributes, "a.mp3", .altered), (modify, "a.txt", .nothing), (closeWrite, "a.txt", .nothing),
            (create, "link", .altered), (create, ".hidden.mp3", .nothing), (create | isFolder, "a", .altered),
            (create | isFolder, ".a", .nothing), (attributes | isFolder, "", .altered),
            (attributes, "", .nothing),
            (deleteSelf, "", .altered), (ignored, "", .watchEnded), (overflow, "", .lost),
        ] as [(UInt32, String, FolderEvent)]
    )
    func events(mask: UInt32, name: String, meaning: FolderEvent) {
        let event = FolderEvent(mask: mask, name: Array(name.utf8)) {
            String(decoding: $0, as: UTF8.self).hasSuffix(".mp3")
        }
        #expect(event == meaning)
    }

    @Test("a quiet second is waited for, and no more than one and a half")
    func quiet() {
        func at(_ seconds: Double) -> Instant { Instant(nanoseconds: Int64(seconds * 1e9)) }
        var quiet = QuietTime()
        #expect(quiet.wait(from: at(0)) == nil)
        quiet.note(at(0))
        #expect(quiet.wait(from: at(0.25)) == .seconds(0.75))
        quiet.note(at(0.25))
        #expect(quiet.wait(from: at(0.25)) == .seconds(1))
        quiet.note(at(1.25))
        #expect(quiet.wait(from: at(1.25)) == .seconds(0.25))
        #expect(quiet.wait(from: at(9)) == .zero)
        quiet.end()
        #expect(quiet.wait(from: at(9)) == nil)
    }

    private func stamp(
        inode: Int64 = 1,
        size: Int64 = 9,
        modified: Int64 = 5,
        changed: Int64 = 7
    ) -> FileStamp {
        FileStamp(
            identity: FileIdentity(device: 1, inode: inode),
            size: size,
            modified: modified,
            changed: changed
        )
    }

    @Test("what is otherwise in a folder")
    func changes() {
        func known(_ name: String, _ stamp: FileStamp, hasProblem: Bool = false) -> KnownFile {
            KnownFile(id: 1, name: Array(name.utf8), stamp: stamp, hasProblem: hasProblem)
        }
        func found(_ name: String, _ stamp: FileStamp) -> FolderListing.File {
            FolderListing.File(name: Array(name.utf8), stamp: stamp)
        }
        let changes = FolderChanges(
            known: [
                known("a", stamp()), known("b", stamp()), known("bad", stamp(), hasProblem: true),
                known("c", stamp()), known("d", stamp()),
                known("fixed", stamp(), hasProblem: true), known("g", stamp()), known("z", stamp()),
            ],
            found: [
                found("b", stamp(changed: 8)), found("bad", stamp()), found("c", stamp(inode: 2)),
                found("d", stamp(size: 8)),
                found("e", stamp()), found("fixed", stamp(changed: 8)), found("g", stamp(modified: 6)),
                found("h", stamp()),
            ],
            isBeingWritten: { [Array("g".utf8), Array("h".utf8)].contains($0.name) }
        )
        func names(_ names: [[UInt8]]) -> [String] { names.map { String(decoding: $0, as: UTF8.self) } }
        #expect(names(changes.gone.map(\.name)) == ["a", "z"])
        #expect(names(changes.added.map(\.name)) == ["e"])
        #expect(names(changes.changed.map(\.name)) == ["c", "d", "fixed"])
        #expect(changes.unchanged == 3)
    }

    @Test("a new file that nobody has written to is whole unless it is empty")
    func writing() {
        #expect(WritingState.made.isIncomplete(stamp(size: 0)))
        #expect(!WritingState.made.isIncomplete(stamp(size: 1)))
        #expect(WritingState.written.isIncomplete(stamp(size: 1)))
    }
}
