import Glibc
package import Music

/// What a file says of itself.
package struct FileTags: Equatable, Sendable {
    package var tags = Tags()
    /// The image file of the front cover as it is in the tag; it begins as one of the kinds of image that are shown.
    package var cover: [UInt8]?

    package init() {}
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
    /// Blocks while the file is read, on any thread, but never waits for a pipe or a device: regular files only. Memory
    /// is in the order of the tags that are there, at most 64 MiB of each, whatever they claim.
    package static func read(_ path: FilePath) throws(TagError) -> FileTags {
        let descriptor = try open(path)
        defer { close(descriptor) }
        switch container(of: descriptor) {
        case .mpeg: return MPEGTags(descriptor).fileTags
        case .other: return FileTags()
        }
    }

    /// What the file at `path` says of itself in words.
    package static func readTags(_ path: FilePath) throws(TagError) -> Tags {
        try read(path).tags
    }

    private enum Container {
        case mpeg
        /// Another format, whose tags are not read.
        case other
    }

    /// What begins as nothing else is taken for MPEG: it may begin with anything.
    private static func container(of descriptor: CInt) -> Container {
        let head = [UInt8](unsafeUninitializedCapacity: 12) { bytes, count in
            count = max(0, pread(descriptor, bytes.baseAddress, bytes.count, 0))
        }
        if head.dropFirst(4).starts(with: "ftyp".utf8) { return .other }
        return ["fLaC", "OggS", "FORM"].contains { head.starts(with: $0.utf8) } ? .other : .mpeg
    }

    private static func open(_ path: FilePath) throws(TagError) -> CInt {
        let descriptor = path.withCString { Glibc.open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY) }
        guard descriptor >= 0 else { throw TagError(FileKind.reason(errno)) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, FileKind(status.st_mode) == .regular else {
            close(descriptor)
            throw TagError(FileKind(status.st_mode).refusal)
        }
        return descriptor
    }
}
