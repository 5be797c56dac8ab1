import Glibc
package import Music
import TagReading

/// Keeps covers as files, for those who show them: one file for each picture, whatever number of tracks has it.
///
/// The name is made from the content, so that another picture never has the same URL (C158); a cover that was deleted is
/// written anew when it is asked for (C159).
package struct CoverCache: Sendable {
    private let covers: FilePath

    /// Keeps covers in the folder `covers` below `folder`; both are made when the first is written.
    package init(folder: FilePath) {
        covers = folder.appending("covers".utf8)
    }

    /// The file that holds `image`, complete; `nil` where it is no image or cannot be written.
    ///
    /// Blocks while it is written, on any thread and from any number of processes.
    package func keep(_ image: [UInt8]) -> FilePath? {
        guard let kind = ImageKind(image) else { return nil }
        let name = ContentHash(of: image).description
        let path = covers.appending("\(name).\(kind.rawValue)".utf8)
        if isThere(path, size: image.count) { return path }
        guard covers.makeFolder(), write(image, to: path, by: covers.appending(".\(name).XXXXXX".utf8)) else {
            return nil
        }
        return path
    }

    private func isThere(_ path: FilePath, size: Int) -> Bool {
        var status = stat()
        return path.withCString { lstat($0, &status) } == 0
            && FileKind(status.st_mode) == .regular && Int(status.st_size) == size
    }

    /// Whoever looks sees the whole file or none.
    private func write(_ image: [UInt8], to path: FilePath, by template: FilePath) -> Bool {
        var name = (template.bytes + [0]).map { CChar(bitPattern: $0) }
        let descriptor = mkstemp(&name)
        guard descriptor >= 0 else { return false }
        let isWritten = writeAll(image, to: descriptor)
        guard close(descriptor) == 0, isWritten, path.withCString({ rename(name, $0) }) == 0 else {
            unlink(name)
            return false
        }
        return true
    }

    private func writeAll(_ bytes: [UInt8], to descriptor: CInt) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let part = UnsafeRawBufferPointer(rebasing: rest)
                let count = Glibc.write(descriptor, part.baseAddress, part.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }
}

/// 128 bits that tell contents apart: two 64-bit FNV-1a hashes, the second with another start.
///
/// Not against forgery: who forges a cover may as well put the other one into the file.
struct ContentHash: Equatable, CustomStringConvertible {
    private var high: UInt64 = 0xCBF2_9CE4_8422_2325
    private var low: UInt64 = 0x9E37_79B9_7F4A_7C15

    init(of bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { bytes in
            for byte in bytes {
                high = (high ^ UInt64(byte)) &* 0x100_0000_01B3
                low = (low ^ UInt64(byte)) &* 0x100_0000_01B3
                low = low << 29 | low >> 35
            }
        }
    }

    /// 32 hexadecimal digits.
    var description: String {
        [high, low].map { half in
            let digits = String(half, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
