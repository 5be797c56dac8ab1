import Glibc
package import Music

/// A file without a name that is given one content after the other, for tests that read thousands.
package final class RewrittenFile {
    private let descriptor: CInt
    package let path: FilePath

    package init?() {
        var name = Array("/tmp/tianlai-XXXXXX".utf8CString)
        descriptor = mkstemp(&name)
        unlink(name)
        guard descriptor >= 0, let path = FilePath("/proc/self/fd/\(descriptor)") else { return nil }
        self.path = path
    }

    deinit { close(descriptor) }

    /// Puts `bytes` in the place of what was there; says whether that was done.
    package func write(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { bytes in
            ftruncate(descriptor, off_t(bytes.count)) == 0
                && pwrite(descriptor, bytes.baseAddress, bytes.count, 0) == bytes.count
        }
    }
}
