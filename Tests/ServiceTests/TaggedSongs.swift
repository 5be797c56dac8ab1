import Foundation
import TestSupport

/// What the tags of a song say.
struct SongTags {
    var title: String
    var artist: String
    var album: String
    var number = 1

    /// An ID3v2.4 tag of 400 bytes (3 · 128 + 16) behind its head, so that another can be written over it.
    fileprivate var bytes: [UInt8] {
        var frames: [UInt8] = []
        for (name, text) in [("TIT2", title), ("TPE1", artist), ("TALB", album), ("TRCK", "\(number)")] {
            frames += name.utf8 + [0, 0, 0, UInt8(text.utf8.count + 1), 0, 0, 3] + text.utf8
        }
        let rest = [UInt8](repeating: 0, count: 400 - frames.count)
        return Array("ID3".utf8) + [4, 0, 0, 0, 0, 3, 16] + frames + rest
    }
}

/// Half a minute of a tone, made once, where it does not matter what is heard.
private let longTone = Result { try Fixtures().toneBytes(MeasuringTone(band: 0, seconds: 30)) }

extension Fixtures {
    /// Writes a song of these tags, half a minute long, at `name` in the folder, whole in one moment, and returns its path.
    @discardableResult
    func writeSong(_ name: String, _ tags: SongTags) throws -> String {
        try writeSong(name, tags, longTone.get())
    }

    /// The bytes of an MP3 of a measuring tone without tags of its own, at a rate at which it is made quickly.
    func toneBytes(_ tone: MeasuringTone, rate: Int = 16_000) throws -> [UInt8] {
        let path = try makeTone(tone, as: "bare.mp3", rate: rate)
        defer { unlink(path) }
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        // `lame` writes a tag at the beginning, with its size in its head, and one at the end.
        guard bytes.starts(with: "ID3".utf8), bytes.dropLast(125).suffix(3).elementsEqual("TAG".utf8) else {
            throw TestFailure("lame tags otherwise than it did")
        }
        let size = bytes[6..<10].reduce(0) { $0 << 7 | Int($1) }
        return Array(bytes[(size + 10)...].dropLast(128))
    }

    /// Writes a song of these tags and `tone` at `name` in the folder, whole in one moment, and returns its path.
    @discardableResult
    func writeSong(_ name: String, _ tags: SongTags, _ tone: [UInt8]) throws -> String {
        let file = URL(fileURLWithPath: folder.path(name))
        try folder.makeFolder((name as NSString).deletingLastPathComponent)
        try Data(tags.bytes + tone).write(to: file, options: .atomic)
        return file.path
    }

    /// Writes other tags over those of a song that ``writeSong(_:_:_:)`` has made, as a tagger does.
    func retag(_ path: String, _ tags: SongTags) throws {
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.write(contentsOf: tags.bytes)
        try file.close()
    }
}
