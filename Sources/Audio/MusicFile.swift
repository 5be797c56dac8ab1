import Glibc
package import Music

/// A regular file open for reading, a buffer at a time, from any place in it.
///
/// What only one thread uses at a time. libmpg123 asks for four bytes, then for the rest of a frame, and byte by byte
/// where it looks for one, libsndfile for a header field at a time; the buffer turns that into few reads (C201). The
/// bytes before `start` are hidden from them: they are no sound.
package final class MusicFile {
    private let descriptor: CInt
    /// The size when it was opened; a file that grows or shrinks later just ends elsewhere.
    package let size: Int64
    /// Where the sound begins: position 0 of ``read(into:)`` and ``seek(by:from:)``.
    package var start: Int64 = 0
    /// The reason of the first read that the system refused.
    package private(set) var failure: CInt?

    private var position: Int64 = 0
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 15, alignment: 16)
    private var buffered: Range<Int64> = 0..<0

    /// Opens `path` without ever waiting for what is behind it; whatever is no regular file is refused.
    package init(_ path: FilePath) throws(DecoderError) {
        let descriptor = path.withCString { open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY) }
        guard descriptor >= 0 else { throw .unreadable(FileKind.reason(errno)) }
        var status = stat()
        let refusal: DecoderError? =
            if fstat(descriptor, &status) != 0 {
                .unreadable(FileKind.reason(errno))
            } else if FileKind(status.st_mode) != .regular {
                .unreadable(FileKind(status.st_mode).refusal)
            } else if status.st_size == 0 {
                .notMusic("it is empty")
            } else {
                nil
            }
        if let refusal {
            close(descriptor)
            buffer.deallocate()
            throw refusal
        }
        self.descriptor = descriptor
        size = Int64(status.st_size)
    }

    /// The same file once more, with a position of its own.
    package init(sharing other: MusicFile) throws(DecoderError) {
        let descriptor = fcntl(other.descriptor, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else {
            buffer.deallocate()
            throw .unreadable(FileKind.reason(errno))
        }
        self.descriptor = descriptor
        size = other.size
        start = other.start
    }

    deinit {
        close(descriptor)
        buffer.deallocate()
    }

    /// Up to `count` bytes at `offset` from the file's own beginning; fewer only at its end.
    package func bytes(at offset: Int64, count: Int) throws(DecoderError) -> [UInt8] {
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
            while filled < count {
                let rest = UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(bytes)[filled...]
                )
                let got = readDirectly(into: rest, at: offset + Int64(filled))
                guard got > 0 else { return }
                filled += got
            }
        }
        if let failure { throw .unreadable(FileKind.reason(failure)) }
        return bytes
    }

    /// Reads on at the position: how many bytes, 0 at the end, -1 where the system refuses.
    package func read(into target: UnsafeMutableRawBufferPointer) -> Int {
        guard target.count < buffer.count else {
            let got = readDirectly(into: target, at: start + position)
            position += Int64(max(0, got))
            return got
        }
        let place = start + position
        if !buffered.contains(place) {
            let got = readDirectly(into: buffer, at: place)
            buffered = place..<place + Int64(max(0, got))
            guard got > 0 else { return got }
        }
        let count = min(target.count, Int(buffered.upperBound - place))
        let from = Int(place - buffered.lowerBound)
        target.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[from..<from + count]))
        position += Int64(count)
        return count
    }

    /// Moves the position as lseek(2) does, and returns it; -1 where there is no such place.
    package func seek(by offset: Int64, from whence: CInt) -> Int64 {
        let base: Int64
        switch whence {
        case SEEK_SET: base = 0
        case SEEK_CUR: base = position
        case SEEK_END: base = size - start
        default: return -1
        }
        let (place, overflow) = base.addingReportingOverflow(offset)
        guard !overflow, place >= 0 else { return -1 }
        position = place
        return place
    }

    private func readDirectly(into target: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int {
        while true {
            let got = pread(descriptor, target.baseAddress, target.count, off_t(offset))
            if got >= 0 { return got }
            guard errno == EINTR else {
                failure = failure ?? errno
                return -1
            }
        }
    }
}
