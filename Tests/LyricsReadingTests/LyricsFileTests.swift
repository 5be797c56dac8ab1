import Glibc
import LyricsReading
import Music
import TestSupport
import Testing

@Suite("Files of lyrics")
struct LyricsFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The name of the file that is found for the song `name`.
    private func beside(_ name: String) throws -> String? {
        let song = try #require(FilePath(folder.path(name)))
        return LyricsFile.beside(song).map { String(decoding: $0.name, as: UTF8.self) }
    }

    @Test("the file of the same name is found in any letter case, the very name first")
    func names() throws {
        for name in [
            "a.lrc", "A.lrc", "b.LRC", "c.Lrc", "d.lRC", "E.lrc", "f.g.lrc", "h", "i.LrC", "i.lRc.lrc",
            ".j.lrc", "K.lrc", "k.lRc", "M.lrc", "m.lRC", "N.lRc", "n.lrC",
        ] {
            try folder.write(name, "x".utf8)
        }
        let found = [
            ("a.mp3", "a.lrc"), ("A.mp3", "A.lrc"), ("b.mp3", "b.LRC"), ("c.flac", "c.Lrc"),
            ("d.ogg", "d.lRC"),
            ("e.mp3", "E.lrc"), ("f.g.mp3", "f.g.lrc"), ("f.mp3", nil), ("h.mp3", nil), ("i.MP3", "i.LrC"),
            (".j.mp3", ".j.lrc"), ("a", "a.lrc"), ("nothing.mp3", nil), ("lrc.mp3", nil),
            ("k.mp3", "k.lRc"), ("m.mp3", "m.lRC"), ("n.mp3", "n.lrC"),
        ]
        for (song, file) in found { #expect(try beside(song) == file, "\(song)") }
        #expect(LyricsFile.beside(try #require(FilePath("/nowhere/at/all.mp3"))) == nil)
    }

    @Test("names that are no text, and accents composed otherwise")
    func bytes() throws {
        try folder.write("e\u{301}.LRc", "x".utf8)
        #expect(try beside("\u{E9}.mp3") == "e\u{301}.LRc")
        let song = try #require(FilePath(bytes: folder.path("x").utf8 + [0xFF, 0xA4] + ".mp3".utf8))
        let file = try #require(FilePath(bytes: folder.path("x").utf8 + [0xFF, 0xA4] + ".lrc".utf8))
        let descriptor = file.withCString { open($0, O_CREAT | O_WRONLY, 0o600) }
        #expect(descriptor >= 0)
        close(descriptor)
        #expect(LyricsFile.beside(song) == file)
    }

    @Test("only files are opened, and none that is too large")
    func refusals() throws {
        #expect(mkfifo(folder.path("pipe.lrc"), 0o600) == 0)
        try folder.makeFolder("folder.lrc")
        #expect(symlink("/dev/zero", folder.path("zero.lrc")) == 0)
        #expect(symlink("loop.lrc", folder.path("loop.lrc")) == 0)
        for name in ["pipe", "folder", "zero", "loop", "gone"] { #expect(try beside("\(name).mp3") == nil) }
        try folder.write("large.lrc", [UInt8](repeating: 0x61, count: 4 << 20 | 1))
        let cases = [
            ("pipe.lrc", "it is a pipe, not a file"), ("folder.lrc", "it is a folder"),
            ("zero.lrc", "it is a device, not a file"), ("gone.lrc", "there is no such file"),
            ("loop.lrc", "it is a link that leads in a circle"),
            ("large.lrc", "it is too large for lyrics (more than 4 MiB)"),
        ]
        for (name, reason) in cases {
            let path = try #require(FilePath(folder.path(name)))
            #expect(throws: LyricsError(reason)) { try LyricsFile.read(path) }
        }
    }

    @Test("a text in whatever encoding, with its mark or without")
    func encodings() throws {
        let text = "[00:01.00]月光照在小米田\r\n[00:02.00]山谷裡有回聲\r\n"
        let big5: [UInt8] = [
            0xA4, 0xEB, 0xA5, 0xFA, 0xB7, 0xD3, 0xA6, 0x62, 0xA4, 0x70, 0xA6, 0xCC, 0xA5, 0xD0, 0x0A, 0xA4,
            0x73,
            0xA8, 0xA6, 0xB8, 0xCC, 0xA6, 0xB3, 0xA6, 0x5E, 0xC1, 0x6E,
        ]
        let split = big5.split(separator: 0x0A)
        let files: [[UInt8]] = [
            Array(text.utf8), [0xEF, 0xBB, 0xBF] + text.utf8,
            [0xFF, 0xFE] + text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] },
            [0xFE, 0xFF] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] },
            Array("[00:01.00]".utf8) + split[0] + Array("\n[00:02.00]".utf8) + split[1],
        ]
        for (index, bytes) in files.enumerated() {
            let path = try #require(FilePath(try folder.write("\(index).lrc", bytes)))
            #expect(
                try LyricsFile.read(path)
                    == .timed([
                        Lyrics.Line(.seconds(1), "月光照在小米田"), Lyrics.Line(.seconds(2), "山谷裡有回聲"),
                    ]),
                "\(index)"
            )
        }
        let empty = try #require(FilePath(try folder.write("empty.lrc", [])))
        #expect(try LyricsFile.read(empty) == nil)
        let junk = try #require(FilePath(try folder.write("junk.lrc", (0..<2048).map { UInt8($0 & 255) })))
        for line in try LyricsFile.read(junk)?.texts ?? [] { #expect(Text.cleanLine(line) == line) }
    }
}
