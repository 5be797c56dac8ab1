import Glibc
import Music

/// What of a process's environment says where files go, as a value, so that tests make their own.
struct Environment: Sendable {
    /// The bytes of a variable; `nil` where it is not set.
    var variable: @Sendable (_ name: String) -> [UInt8]?
    /// The home that the system's list of users gives, for where `HOME` is not set.
    var homeOfUser: @Sendable () -> FilePath?

    /// That of this process, as it is at the moment of each question.
    static let process = Environment(
        variable: { name in getenv(name).map(bytes) },
        homeOfUser: {
            guard let user = getpwuid(getuid()), let home = user.pointee.pw_dir else { return nil }
            return FilePath(bytes: bytes(home))
        }
    )

    /// A variable that names a folder: an absolute path; anything else is to be ignored, by the XDG rules.
    func folder(_ name: String) -> FilePath? {
        guard let value = variable(name), let path = FilePath(bytes: value), path.isAbsolute else {
            return nil
        }
        return path
    }

    /// In which language and where the user writes, such as `zh_TW.UTF-8`; empty where nothing says so.
    var locale: String {
        let values = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(variable)
        return values.first { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    private static func bytes(_ text: UnsafeMutablePointer<CChar>) -> [UInt8] {
        (0..<strlen(text)).map { UInt8(bitPattern: text[$0]) }
    }
}

/// Where the user's files go, by the XDG base directory rules; the folders need not exist.
///
/// All are `nil` for a user without a home whose environment does not name them.
struct Folders: Equatable, Sendable {
    let home: FilePath?
    /// `config.ini`.
    let config: FilePath?
    /// The queue and what else must outlive the service.
    let state: FilePath?
    /// What the user has made and wants to keep, such as saved playlists.
    let data: FilePath?
    /// The library's index, covers and what else can be made again.
    let cache: FilePath?
    /// Gone when the user logs out; `nil` where the session has none, since nothing takes its place.
    let runtime: FilePath?
    /// The desktop's list of the user's folders, their folder of music among them.
    let userFolders: FilePath?

    /// Works them out from the environment; looks at no file.
    init(_ environment: Environment = .process) {
        let home = environment.folder("HOME") ?? environment.homeOfUser()
        func base(_ variable: String, _ inHome: String) -> FilePath? {
            environment.folder(variable) ?? home?.appending(inHome.utf8)
        }
        let configs = base("XDG_CONFIG_HOME", ".config")
        let tianlai = "tianlai".utf8
        self.home = home
        config = configs?.appending(tianlai)
        state = base("XDG_STATE_HOME", ".local/state")?.appending(tianlai)
        data = base("XDG_DATA_HOME", ".local/share")?.appending(tianlai)
        cache = base("XDG_CACHE_HOME", ".cache")?.appending(tianlai)
        runtime = environment.folder("XDG_RUNTIME_DIR")?.appending(tianlai)
        userFolders = configs?.appending("user-dirs.dirs".utf8)
    }

    /// The folder of music that the desktop has given the user: `~/Music` where nothing says otherwise.
    ///
    /// `nil` without a home, and where the user wants none. Reads one small file.
    func music() -> FilePath? {
        guard let home else { return nil }
        let list = (try? userFolders.map(SmallFile.read)) ?? nil
        return Self.music(in: list ?? [], home: home)
    }

    /// The same from the text of `user-dirs.dirs`, a shell script of assignments: `XDG_MUSIC_DIR="$HOME/Music"`.
    ///
    /// The home itself says that there is to be no such folder.
    static func music(in list: [UInt8], home: FilePath) -> FilePath? {
        var music = home.appending("Music".utf8)
        for line in list.split(separator: UInt8(ascii: "\n")) {
            let line = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            let name = "XDG_MUSIC_DIR=\"".utf8
            guard line.starts(with: name), let value = unquoted(line.dropFirst(name.count)) else { continue }
            let inHome = "$HOME".utf8
            if value.starts(with: inHome) {
                let rest = value.dropFirst(inHome.count)
                // Not `$HOMEPAGE`.
                guard rest.first ?? slash == slash else { continue }
                let name = rest.drop { $0 == slash }
                music = name.isEmpty ? home : home.appending(name)
            } else if let path = FilePath(bytes: value), path.isAbsolute {
                music = path
            }
        }
        music = music.withoutSlashesAtEnd
        return music == home.withoutSlashesAtEnd ? nil : music
    }

    /// What stands before the closing quote, without the backslashes of the shell; `nil` where there is none.
    private static func unquoted(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var value: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return value
            case UInt8(ascii: "\\"):
                guard let escaped = rest.popFirst() else { return nil }
                value.append(escaped)
            default: value.append(byte)
            }
        }
        return nil
    }
}

extension FilePath {
    /// The same folder, written in one way: `/a/` is `/a`.
    var withoutSlashesAtEnd: FilePath {
        let end = bytes.lastIndex { $0 != slash } ?? 0
        return FilePath(bytes: bytes[...end]) ?? self
    }
}

private let slash = UInt8(ascii: "/")
