import Glibc
package import Music

/// Looks for files of music in folders and all that is below them.
package struct FolderWalk {
    /// The suffixes, in lower case and without dot, of what is taken in a folder.
    private let suffixes: Set<String>

    package init(suffixes: Set<String>) {
        self.suffixes = suffixes
    }

    /// The file at `path` itself, whatever its suffix, or the music below the folder at `path`, in the order of paths.
    ///
    /// Blocks while folders are read, on any thread. Hidden files and folders are skipped; links are followed, but no
    /// folder is entered twice. Nothing but folders is opened. What cannot be looked at is told to `problem`.
    package func files(at path: FilePath, problem: (FilePath, String) -> Void) -> [FilePath] {
        guard let entry = Entry(path) else {
            problem(path, FileKind.reason(errno))
            return []
        }
        switch entry.kind {
        case .regular: return [path]
        case .folder: return music(below: path, entry.identity, problem: problem)
        case .pipe, .device, .other:
            problem(path, entry.kind.refusal)
            return []
        }
    }

    /// Folders wait in a list, not on the stack, which would end before the deepest of them.
    private func music(
        below path: FilePath,
        _ identity: Identity,
        problem: (FilePath, String) -> Void
    ) -> [FilePath] {
        var (music, waiting, entered) = ([FilePath](), [path], Set([identity]))
        var isReadable = true
        while let folder = waiting.popLast() {
            guard let names = names(in: folder) else {
                problem(folder, FileKind.reason(errno))
                isReadable = false
                continue
            }
            for name in names {
                let path = folder.appending(name)
                guard let entry = Entry(path) else { continue }
                switch entry.kind {
                case .regular where suffixes.contains(path.suffix): music.append(path)
                case .folder where entered.insert(entry.identity).inserted: waiting.append(path)
                default: continue
                }
            }
        }
        if music.isEmpty, isReadable { problem(path, "there is no music in this folder") }
        return music.sorted()
    }

    /// What is in a folder and not hidden, sorted, so that of two links to one folder always the same is followed;
    /// `nil` with `errno` where it may not be read.
    private func names(in folder: FilePath) -> [[UInt8]]? {
        guard let stream = folder.withCString({ opendir($0) }) else { return nil }
        defer { closedir(stream) }
        var names: [[UInt8]] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if name.first != UInt8(ascii: ".") { names.append(name) }
        }
        return names.sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// What a folder is the same by, under whatever path.
    private struct Identity: Hashable {
        var device: dev_t
        var inode: ino_t
    }

    private struct Entry {
        var kind: FileKind
        var identity: Identity

        /// Follows links; `nil` with `errno` where there is nothing.
        init?(_ path: FilePath) {
            var status = stat()
            guard path.withCString({ stat($0, &status) }) == 0 else { return nil }
            kind = FileKind(status.st_mode)
            identity = Identity(device: status.st_dev, inode: status.st_ino)
        }
    }
}
