import Glibc
import Music

/// A folder in which something is otherwise than the index has it.
struct AlteredFolder {
    var id: Int64
    /// Whether the folder has another number than before, so that those of its files say nothing either.
    var isRenumbered: Bool
}

/// The first half of a scan: which folders there are, and in which of them something is otherwise than the index has it.
///
/// It reads names and stamps only, so that a library in which nothing has changed costs next to nothing, and keeps no
/// names, so that a large one needs no more memory than a small one.
struct FolderSurvey {
    /// Folders in which something has changed.
    private(set) var altered: [AlteredFolder] = []
    /// Folders that were looked into.
    private(set) var seen: Set<Int64> = []
    /// Folders that cannot be looked into: what is known of them and below them is kept.
    private(set) var blocked: [Scan.Blocked] = []
    /// Folders known to the index whose place is empty.
    private(set) var missing: [FilePath] = []
    /// Files of music there are, and those of them that are as they were.
    private(set) var (total, unchanged) = (0, 0)

    private let scope: ScanScope
    private var entered: Set<FileIdentity> = []
    /// Folders wait in lists, not on the stack, which would end before the deepest of them; those behind links wait
    /// until all others are known, so that each has its real path where it has one in the library.
    private var (waiting, behindLinks) = ([Visit](), [Visit]())

    private struct Visit {
        var path: FilePath
        var identity: FileIdentity
        /// Whether all below it is looked at, or only what is new among its folders.
        var isWhole: Bool
    }

    init(_ scope: ScanScope) {
        self.scope = scope
    }

    /// Looks at all folders of the library and all that is below them; `false` where it was told to stop.
    mutating func walk() throws(DatabaseError) -> Bool {
        for root in scope.roots.reversed() { try start(at: root, isWhole: true) }
        return try visitAll()
    }

    /// Looks at these folders again, and at all that is below the ones among their folders that are new.
    mutating func look(at folders: [KnownFolder]) throws(DatabaseError) -> Bool {
        for folder in folders {
            if scope.roots.contains(folder.path) {
                try start(at: folder.path, isWhole: false)
            } else if let stamp = FileStamp(at: folder.path) {
                waiting.append(Visit(path: folder.path, identity: stamp.identity, isWhole: false))
            } else if isNothing(errno) {
                missing.append(folder.path)
            }
        }
        return try visitAll()
    }

    /// A folder of the library that is not there may come back with its disk; one that never was is nothing to speak of.
    private mutating func start(at root: FilePath, isWhole: Bool) throws(DatabaseError) {
        guard let stamp = FileStamp(at: root) else {
            let reason = errno
            let isUnknown = try scope.index.isEmpty(below: root)
            if !isUnknown || !isNothing(reason) { block(root, FileKind.reason(reason)) }
            return
        }
        waiting.append(Visit(path: root, identity: stamp.identity, isWhole: isWhole))
    }

    private mutating func visitAll() throws(DatabaseError) -> Bool {
        while let visit = waiting.popLast() ?? behindLinks.popLast() {
            if scope.shouldStop() { return false }
            try enter(visit)
            scope.tell(.surveyed(unchanged: unchanged))
        }
        return true
    }

    private mutating func enter(_ visit: Visit) throws(DatabaseError) {
        guard entered.insert(visit.identity).inserted else { return }
        let before = try scope.index.folders.folder(at: visit.path)
        if let before, before.identity.device != visit.identity.device,
            FolderListing(visit.path, scope.wanted)?.isEmpty == true,
            try !scope.index.isEmpty(below: visit.path)
        {
            return block(visit.path, "it is empty, as if its disk were not there")
        }
        guard let folder = try known(visit, before) else { return }
        scope.watches?.add(folder.path, folder.id)
        guard let listing = FolderListing(folder.path, scope.wanted) else {
            return block(folder.path, FileKind.reason(errno))
        }
        if listing.isEmpty, scope.roots.contains(folder.path), try !scope.index.isEmpty(below: folder.path) {
            return block(folder.path, "it is empty, as if its disk were not there")
        }
        seen.insert(folder.id)
        scope.tell(.readable(folder.path))
        try compare(
            listing,
            with: folder,
            isRenumbered: before.map { $0.identity != visit.identity } ?? false
        )
        try enqueue(listing, of: folder, isWhole: visit.isWhole)
    }

    private mutating func compare(
        _ listing: FolderListing,
        with folder: KnownFolder,
        isRenumbered: Bool
    ) throws(DatabaseError) {
        let changes = try scope.changes(in: folder, listing, isRenumbered: isRenumbered)
        total += listing.music.count
        unchanged += changes.music.unchanged
        if !changes.isEmpty { altered.append(AlteredFolder(id: folder.id, isRenumbered: isRenumbered)) }
    }

    private mutating func enqueue(
        _ listing: FolderListing,
        of folder: KnownFolder,
        isWhole: Bool
    ) throws(DatabaseError) {
        for child in listing.folders.reversed() {
            let visit = Visit(
                path: folder.path.appending(child.name),
                identity: child.identity,
                isWhole: true
            )
            if !isWhole, try scope.index.folders.folder(at: visit.path)?.identity == visit.identity {
                continue
            }
            if child.isLink { behindLinks.append(visit) } else { waiting.append(visit) }
        }
        guard !isWhole else { return }
        let names = Set(listing.folders.map(\.name))
        for child in try scope.index.folders.children(of: folder.path)
        where !names.contains(Array(child.path.name)) {
            missing.append(child.path)
        }
    }

    /// The folder as the index knows it, under the path that it has now; `nil` where it is known by another path that
    /// leads to it as well.
    private func known(_ visit: Visit, _ before: KnownFolder?) throws(DatabaseError) -> KnownFolder? {
        if let before, before.identity == visit.identity { return before }
        // Disks get other numbers with each start of the system, and some file systems give their files new ones too: what
        // is still at its path has not been moved.
        let isRenumbered = before?.identity.inode == visit.identity.inode
        for other in try scope.index.folders.folders(visit.identity)
        where other.path != visit.path && !isRenumbered {
            guard let stamp = FileStamp(at: other.path) else {
                guard isNothing(errno) else { continue }
                return try scope.moveFolder(other, to: visit.path)
            }
            let isThere = stamp.identity == visit.identity
            if isThere, before == nil, scope.roots.contains(where: other.path.isBelow) { return nil }
        }
        return try scope.index.folders.add(visit.path, visit.identity)
    }

    private mutating func block(_ path: FilePath, _ reason: String) {
        blocked.append((path, reason))
        scope.tell(.unreadable(path, reason))
    }
}
