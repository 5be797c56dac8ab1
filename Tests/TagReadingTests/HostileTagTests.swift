import Glibc
import TagReading
import Music
import TestSupport
import Testing

/// Files that lie, or that were written to do harm: whatever is read, the service lives and goes on soon.
@Suite(.timeLimit(.minutes(5)))
struct HostileTagTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func read(_ bytes: [UInt8]) throws -> FileTags { try folder.readTags(of: bytes, as: "a.mp3") }

    private static let whole =
        ID3Bytes.tag(
            ID3Bytes.text("TIT2", "Title"),
            ID3Bytes.frame("TPE1", [1, 0xFF, 0xFE, 0x42, 0x30, 0x00, 0x00, 0x43]),
            ID3Bytes.picture(ID3Bytes.jpeg()),
            ID3Bytes.text("TCON", "(17)((x)")
        )
        + ID3Bytes.silence(frames: 2)
        + ID3Bytes.ape(("Title", Array("T".utf8), true), ("Cover Art (Front)", [0] + ID3Bytes.jpeg(), false))
        + ID3Bytes.v1(title: Array("Title".utf8))

    @Test("cut anywhere")
    func survivesCuts() throws {
        for length in stride(from: 1, to: Self.whole.count, by: 3) {
            _ = try read(Array(Self.whole.prefix(length)))
        }
    }

    @Test("any bytes changed", arguments: 0..<20)
    func survivesChanges(seed: UInt64) throws {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        func random(below limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        for _ in 0..<100 {
            var bytes = Self.whole
            for _ in 0..<1 + random(below: 8) {
                bytes[random(below: bytes.count)] = UInt8(random(below: 256))
            }
            _ = try read(bytes)
        }
    }

    @Test("a tag that claims 256 MB has what is there")
    func readsClaimedSize() throws {
        let bytes = ID3Bytes.tag(claimed: 0xFFF_FFFF, ID3Bytes.text("TIT2", "Here"))
        #expect(try read(bytes + ID3Bytes.silence(frames: 4)).tags.title == "Here")
    }

    @Test("a frame that claims more than its tag costs no more than the rest")
    func readsClaimedFrame() throws {
        let frame = Array("APIC".utf8) + [0x7F, 0x7F, 0x7F, 0x7F, 0, 0, 0]
        let bytes = ID3Bytes.tag(ID3Bytes.text("TIT2", "Here"), frame)
        #expect(try read(bytes + ID3Bytes.silence(frames: 4)).tags.title == "Here")
    }

    @Test("chapters in chapters in chapters do not fill the stack")
    func survivesChapters() throws {
        let head: [UInt8] = [0x61, 0] + [UInt8](repeating: 0, count: 16)
        let depth = 20_000
        // From the outermost in: every one holds all that follow.
        var bytes: [UInt8] = []
        for level in 0..<depth {
            let rest = (depth - level) * 28 - 10
            let size = [21, 14, 7, 0].map { UInt8(rest >> $0 & 127) }
            bytes += "CHAP".utf8 + size + [0, 0] + head
        }
        _ = try read(ID3Bytes.tag(ID3Bytes.text("TIT2", "Here"), bytes))
    }

    @Test("a million tiny frames are given up")
    func survivesManyFrames() throws {
        let frame = ID3Bytes.frame("TXYZ", [0])
        let frames = (0..<200_000).flatMap { _ in frame }
        #expect(try read(ID3Bytes.tag(frames)) == FileTags())
    }

    @Test("a long title is cut, the rest is read")
    func cutsLongTitle() throws {
        let long = String(repeating: "x", count: 2_000_000)
        let tags = try read(ID3Bytes.tag(ID3Bytes.text("TIT2", long), ID3Bytes.text("TALB", "Album"))).tags
        #expect(tags.title?.utf8.count == 4 << 10)
        #expect(tags.album == "Album")
    }

    @Test(
        "no frames anywhere: zeros, and what looks like frames at every byte",
        arguments: [0x00, 0xFF] as [UInt8]
    )
    func survivesNoFrames(byte: UInt8) throws {
        let bytes = [UInt8](repeating: byte, count: 16 << 20) + ID3Bytes.v1(title: Array("End".utf8))
        #expect(try read(bytes).tags.title == "End")
        let pairs = (0..<4 << 20).flatMap { _ in [0xFF, 0xFB] as [UInt8] }
        _ = try read(pairs)
    }

    @Test("a huge file without frames is not searched to its end")
    func survivesHugeFile() throws {
        let path = try folder.write("a.mp3", [])
        let end = ID3Bytes.v1(title: Array("End".utf8))
        let descriptor = open(path, O_WRONLY)
        #expect(pwrite(descriptor, end, end.count, 16 << 30) == end.count)
        #expect(close(descriptor) == 0)
        let target = try #require(FilePath(path))
        #expect(try TagReader.read(target).tags.title == "End")
    }

    @Test("what shrank a thousandfold is not unpacked")
    func survivesBomb() throws {
        // The limit counts packed bytes, so it does not matter that these are none.
        let body: [UInt8] = [0, 0, 0, 4, 0x78, 0x01] + [UInt8](repeating: 0, count: 70_000)
        let bomb = ID3Bytes.frame("TIT2", flags: [0, 0x09], body)
        let bytes = ID3Bytes.tag(bomb, ID3Bytes.text("TALB", "Album")) + ID3Bytes.silence(frames: 4)
        #expect(try read(bytes) == FileTags())
    }
}
