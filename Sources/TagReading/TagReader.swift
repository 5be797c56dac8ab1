package import Charset
import Glibc
package import Music

/// What a file says of itself.
package struct FileTags: Equatable, Sendable {
    package var tags = Tags()
    /// The image file of the front cover as it is in the tag; it begins as one of the kinds of image that are shown.
    package var cover: [UInt8]?
    /// The words of the song, only where they were asked for.
    package var lyrics = TaggedLyrics()
    /// The texts as they are in the file.
    package var stored = StoredTexts()
    /// What was decided about text that does not say its encoding; `nil` where there was nothing to decide.
    package var encoding: EncodingDecision?

    package init() {}

    init(_ content: TagContent, _ encodings: TagEncodings, of path: FilePath) {
        encoding = encodings.decision(content.texts.undeclared, of: path)
        stored = StoredTexts(content.texts, TagTextReading(encoding))
        tags = Tags(stored, gain: content.gain)
        cover = content.cover
        lyrics = content.lyrics
    }
}

/// Why a file's tags cannot be read, in words that go behind its path.
package struct TagError: Error, Equatable, CustomStringConvertible, Sendable {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

/// Reads tags and covers of files, by what is in them and whatever they are called.
package enum TagReader {
    /// What the file at `path` says of itself; nothing where it has no tags.
    ///
    /// Lyrics are only read where they are wanted. Blocks while the file is read, on any thread, but never waits for a
    /// pipe or a device: regular files only. Memory is in the order of the tags that are there, at most 64 MiB of each,
    /// whatever they claim.
    package static func read(
        _ path: FilePath,
        _ encodings: TagEncodings = TagEncodings(),
        wantsLyrics: Bool = false
    ) throws(TagError) -> FileTags {
        FileTags(try content(of: path, wantsCover: true, wantsLyrics: wantsLyrics), encodings, of: path)
    }

    /// What the file at `path` says of itself in words.
    package static func readTags(
        _ path: FilePath,
        _ encodings: TagEncodings = TagEncodings()
    ) throws(TagError) -> Tags {
        FileTags(try content(of: path, wantsCover: false, wantsLyrics: false), encodings, of: path).tags
    }

    private static func content(
        of path: FilePath,
        wantsCover: Bool,
        wantsLyrics: Bool
    ) throws(TagError) -> TagContent {
        let file = try open(path)
        defer { close(file.descriptor) }
        switch container(of: file) {
        case .flac(let start):
            return FLACTags(file, from: start, wantsCover: wantsCover, wantsLyrics: wantsLyrics).content
        case .ogg: return OggTags(file, wantsCover: wantsCover, wantsLyrics: wantsLyrics).content
        case .chunks:
            let chunks = ChunkTags(file, wantsCover: wantsCover, wantsLyrics: wantsLyrics)
            let content = chunks.content
            guard chunks.holdsMPEG, content == TagContent() else { return content }
            return MPEGTags(file, wantsCover: wantsCover, wantsLyrics: wantsLyrics).content
        case .mpeg: return MPEGTags(file, wantsCover: wantsCover, wantsLyrics: wantsLyrics).content
        case .mp4: return MP4Tags(file, wantsCover: wantsCover).content
        }
    }

    private enum Container {
        case mpeg
        /// FLAC that begins there, behind an ID3v2 tag or at 0.
        case flac(Int64)
        case ogg
        /// WAV or AIFF.
        case chunks
        case mp4
    }

    /// What begins as nothing else is taken for MPEG: it may begin with anything.
    private static func container(of file: TagBytes) -> Container {
        let head = file.bytes(at: 0, count: 12)
        func begins(_ magic: String) -> Bool { head.starts(with: magic.utf8) }
        if begins("fLaC") { return .flac(0) }
        if begins("OggS") { return .ogg }
        if begins("RIFF") || begins("RF64") || begins("FORM") { return .chunks }
        if begins("ID3"), head.count == 12 {
            // The size is in seven bits a byte.
            let size = head[6..<10].reduce(0) { $0 << 7 | Int64($1 & 0x7F) } + 10
            if file.bytes(at: size, count: 4).elementsEqual("fLaC".utf8) { return .flac(size) }
        }
        return head.dropFirst(4).starts(with: "ftyp".utf8) ? .mp4 : .mpeg
    }

    private static func open(_ path: FilePath) throws(TagError) -> TagBytes {
        let descriptor = path.withCString { Glibc.open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY) }
        guard descriptor >= 0 else { throw TagError(FileKind.reason(errno)) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, FileKind(status.st_mode) == .regular else {
            close(descriptor)
            throw TagError(FileKind(status.st_mode).refusal)
        }
        return TagBytes(descriptor, size: Int64(status.st_size))
    }
}
