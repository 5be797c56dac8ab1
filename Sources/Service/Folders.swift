import Glibc
import Music

/// Where the user's files go, by the XDG base directory rules.
struct Folders {
    /// Covers and what else can be made again; `nil` for a user without a home.
    let cache: FilePath?

    /// Works them out from the environment; a home that is not set is looked up.
    init() {
        let home = Self.variable("HOME") ?? Self.homeOfUser()
        cache = (Self.variable("XDG_CACHE_HOME") ?? home?.appending(".cache".utf8))?.appending("tianlai".utf8)
    }

    /// An absolute path from the environment; anything else is to be ignored, by the XDG rules.
    private static func variable(_ name: String) -> FilePath? {
        guard let value = getenv(name), let path = FilePath(bytes: bytes(value)), path.isAbsolute else {
            return nil
        }
        return path
    }

    private static func homeOfUser() -> FilePath? {
        guard let user = getpwuid(getuid()), let home = user.pointee.pw_dir else { return nil }
        return FilePath(bytes: bytes(home))
    }

    private static func bytes(_ text: UnsafePointer<CChar>) -> [UInt8] {
        (0..<strlen(text)).map { UInt8(bitPattern: text[$0]) }
    }
}
