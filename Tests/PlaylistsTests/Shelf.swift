import Foundation
import Music
import Playlists
import TestSupport
import Testing

/// A folder of a test's own with music and lists in it.
struct Shelf {
    let folder: TemporaryFolder

    /// Makes a shelf with empty files by these names, and the folders that they are in.
    init(_ files: String...) throws {
        folder = try TemporaryFolder()
        for file in files { try add(Array(file.utf8)) }
    }

    /// The path of the folder with all links followed, as the lists' entries come out.
    var path: String { folder.path }

    /// Adds a file by a name that need not be text.
    @discardableResult
    func add(_ name: [UInt8], _ bytes: [UInt8] = []) throws -> FilePath {
        let path = try #require(FilePath(bytes: Array(folder.path.utf8) + [0x2F] + name))
        var parent = Array(folder.path.utf8)
        for part in name.split(separator: 0x2F).dropLast() {
            parent += [0x2F] + part
            _ = try #require(FilePath(bytes: parent)).withCString { mkdir($0, 0o755) }
        }
        let descriptor = path.withCString { open($0, O_WRONLY | O_CREAT | O_TRUNC, 0o644) }
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        try #require(write(descriptor, bytes, bytes.count) == bytes.count)
        return path
    }

    @discardableResult
    func add(_ name: String, _ text: String) throws -> FilePath {
        try add(Array(name.utf8), Array(text.utf8))
    }

    /// What is at a path, without the folder's; `nil` where that is not the beginning.
    func name(_ path: FilePath?) -> String? {
        guard let path, path.bytes.starts(with: Array("\(folder.path)/".utf8)) else { return nil }
        return String(decoding: path.bytes.dropFirst(folder.path.utf8.count + 1), as: UTF8.self)
    }

    /// What the entries of a list turn out to be, by name.
    func found(in list: FilePath, music: Set<String> = []) throws -> [String?] {
        let resolver = EntryResolver(list: list, musicSuffixes: music)
        return try PlaylistFile.read(list).entries.map { name(resolver.find($0)?.path) }
    }

    /// What the entries of a list say.
    func read(_ name: String, _ text: String) throws -> [PlaylistEntry] {
        try PlaylistFile.read(try add(name, text)).entries
    }

    func read(_ name: String, _ bytes: [UInt8]) throws -> [PlaylistEntry] {
        try PlaylistFile.read(try add(Array(name.utf8), bytes)).entries
    }

    /// Why a list is refused.
    func refusal(_ name: String, _ text: String) throws -> String? {
        let path = try add(name, text)
        do {
            _ = try PlaylistFile.read(path)
            return nil
        } catch { return error.description }
    }
}

/// Text in an encoding by the name that iconv has for it.
func encoded(_ text: String, _ encoding: String) throws -> [UInt8] {
    let converter = iconv_open(encoding, "UTF-8")
    try #require(converter != iconv_t(bitPattern: -1))
    defer { iconv_close(converter) }
    var source = Array(text.utf8).map(CChar.init(bitPattern:))
    var result = [CChar](repeating: 0, count: source.count * 4 + 4)
    var (left, free) = (source.count, result.count)
    let status = source.withUnsafeMutableBufferPointer { source in
        result.withUnsafeMutableBufferPointer { result in
            var (input, output) = (source.baseAddress, result.baseAddress)
            return iconv(converter, &input, &left, &output, &free)
        }
    }
    try #require(status == 0, "\(text) is not all in \(encoding)")
    return result.dropLast(free).map(UInt8.init(bitPattern:))
}

func truncateFile(_ path: UnsafePointer<CChar>) -> CInt { truncate(path, 0) }

/// A title as people have it who write in this encoding.
func encodedSong(_ encoding: String) -> String { encoding == "SHIFT_JIS" ? "上を向いて歩こう" : "山谷之歌" }
