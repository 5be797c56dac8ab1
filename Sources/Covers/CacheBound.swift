import Glibc
import Music
import Synchronization

/// How the folder of covers is kept within its limit: what was not asked for the longest goes first.
extension CoverCache {
    /// Looks through the folder where that is due: once, and again when so much has been written that it may be too large.
    ///
    /// Blocks while it does; call where nobody waits.
    package func tidyIfDue() {
        let isDue = state.withLock { state in state.room.map { $0 < 0 } ?? true }
        if isDue { tidy() }
    }

    /// Removes what is too much, down to nine tenths of the limit, and what was left half written a day before `now`,
    /// which is in seconds since 1970.
    ///
    /// Only what is called as the cache calls its files is removed, and never what tracks around the current one show,
    /// be it more than the limit.
    package func tidy(now: Int = time(nil)) {
        let near = state.withLock { state in
            state.room = limit / 10
            return Set(state.near)
        }
        guard let stream = covers.withCString({ opendir($0) }) else { return }
        defer { closedir(stream) }
        let folder = dirfd(stream)
        var covers: [KeptCover] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if let cover = KeptCover(name, in: folder, now: now) {
                covers.append(cover)
            } else if CoverName.isUnfinished(name) {
                removeUnfinished(name, in: folder, now: now)
            }
        }
        let size = covers.reduce(0) { $0 + $1.size }
        let removed =
            size > limit ? remove(size - limit / 10 * 9, of: covers, but: near, from: folder, now: now) : 0
        // Not more, since others may write too, and not less, or what is near could have it looked through each time.
        let room = min(max(limit - size + removed, limit / 20), limit / 10)
        state.withLock { $0.room = room }
    }

    /// Removes so many bytes at least, where that can be, of what was not used for the longest; returns how many.
    private func remove(
        _ excess: Int64,
        of covers: [KeptCover],
        but near: Set<CoverName>,
        from folder: CInt,
        now: Int
    ) -> Int64 {
        var removed: Int64 = 0
        for cover in covers.sorted(by: { $0.used < $1.used }) where !near.contains(cover.name) {
            guard removed < excess else { break }
            if cover.remove(from: folder, now: now) { removed += cover.size }
        }
        return removed
    }

    /// Whoever writes a cover needs moments, not a day.
    private func removeUnfinished(_ name: [UInt8], in folder: CInt, now: Int) {
        guard let status = fileStatus(name, in: folder), now - Int(status.st_mtim.tv_sec) > 86_400 else {
            return
        }
        _ = withCString(name) { unlinkat(folder, $0, 0) }
    }
}

/// A file of the cache as it was found.
struct KeptCover {
    let name: CoverName
    let size: Int64
    /// In nanoseconds since 1970.
    let used: Int64

    /// Looks at `fileName` in an open folder; `nil` where it is none of ours.
    init?(_ fileName: [UInt8], in folder: CInt, now: Int) {
        guard let name = CoverName(fileName: fileName), let status = fileStatus(fileName, in: folder) else {
            return nil
        }
        self.name = name
        size = Int64(status.st_size)
        // A clock that went wrong for a day must not keep covers for years.
        let seconds = Int(status.st_mtim.tv_sec)
        used = seconds > now + 3600 ? 0 : Int64(seconds) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
    }

    /// Removes it, unless somebody has asked for it meanwhile or does so now.
    func remove(from folder: CInt, now: Int) -> Bool {
        guard flock(folder, LOCK_EX | LOCK_NB) == 0 else { return false }
        defer { _ = flock(folder, LOCK_UN) }
        guard let present = KeptCover(name.bytes, in: folder, now: now), present.used == used else {
            return false
        }
        return withCString(name.bytes) { unlinkat(folder, $0, 0) } == 0
    }
}

/// The status of a regular file; `nil` where there is none of this name.
private func fileStatus(_ name: [UInt8], in folder: CInt) -> stat? {
    var status = stat()
    guard withCString(name, { fstatat(folder, $0, &status, AT_SYMLINK_NOFOLLOW) }) == 0,
        FileKind(status.st_mode) == .regular
    else { return nil }
    return status
}

private func withCString<Result>(_ name: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result {
    (name.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { name in
        guard let start = name.baseAddress else {
            preconditionFailure("an array with an element has an address")
        }
        return body(start)
    }
}
