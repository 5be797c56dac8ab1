package import Music

extension FilePath {
    /// Whether this is `folder` itself or lies below it.
    package func isBelow(_ folder: FilePath) -> Bool {
        bytes.starts(with: folder.bytes)
            && (bytes.count == folder.bytes.count || folder.bytes.last == slash
                || bytes[folder.bytes.count] == slash)
    }

    /// Where this is now that `old` has become `new`; `nil` where it was not `old` nor below it.
    package func moved(from old: FilePath, to new: FilePath) -> FilePath? {
        guard isBelow(old) else { return nil }
        let rest = bytes.dropFirst(old.bytes.count).drop { $0 == slash }
        return rest.isEmpty ? new : new.appending(rest)
    }
}

private let slash = UInt8(ascii: "/")
