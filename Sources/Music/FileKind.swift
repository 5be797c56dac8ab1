package import Glibc

/// What is found at a path: only regular files are opened, since a pipe or a device could make us wait for ever.
package enum FileKind: Equatable, Sendable {
    case regular, folder, pipe, device, other

    /// Reads the kind out of a mode as `stat` gives it.
    package init(_ mode: mode_t) {
        switch mode & S_IFMT {
        case S_IFREG: self = .regular
        case S_IFDIR: self = .folder
        case S_IFIFO: self = .pipe
        case S_IFCHR, S_IFBLK: self = .device
        default: self = .other
        }
    }

    /// Why it is not read, in words that go behind its path.
    package var refusal: String {
        switch self {
        case .folder: "it is a folder"
        case .pipe: "it is a pipe, not a file"
        case .device: "it is a device, not a file"
        case .regular, .other: "it is not a file"
        }
    }

    /// Why the system refuses it, in words that go behind its path.
    package static func reason(_ code: CInt) -> String {
        switch code {
        case ENOENT, ENOTDIR: "there is no such file"
        case EACCES, EPERM: "it may not be read"
        case ENXIO: "it is not a file"
        case ELOOP: "it is a link that leads in a circle"
        default: String(cString: strerror(code))
        }
    }
}
