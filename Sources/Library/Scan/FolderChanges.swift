/// What is otherwise in a folder than the index has it.
struct FolderChanges {
    /// New under its name.
    private(set) var added: [FolderListing.File] = []
    /// Another file than the one that was read, or the same with other content.
    private(set) var changed: [FolderListing.File] = []
    /// No longer there, or not under its name.
    private(set) var gone: [KnownFile] = []
    /// As they were, but with other numbers.
    private(set) var renumbered: [(id: Int64, stamp: FileStamp)] = []
    /// How many are as they were.
    private(set) var unchanged = 0

    var isEmpty: Bool { added.isEmpty && changed.isEmpty && gone.isEmpty && renumbered.isEmpty }

    /// Both lists are by the bytes of the names.
    ///
    /// Where the folder `isRenumbered`, size and time tell whether a file is the one that was read.
    /// What `isBeingWritten` is taken for unchanged, or for not there yet where it is new (C232).
    init(
        known: [KnownFile],
        found: [FolderListing.File],
        isRenumbered: Bool = false,
        isBeingWritten: (FolderListing.File) -> Bool = { _ in false }
    ) {
        var rest = known[...]
        for file in found {
            while let first = rest.first, first.name.lexicographicallyPrecedes(file.name) {
                gone.append(first)
                rest.removeFirst()
            }
            let same = rest.first.flatMap { $0.name == file.name ? $0 : nil }
            if same != nil { rest.removeFirst() }
            if let same, Self.isUnchanged(same, file, isRenumbered) {
                unchanged += 1
                if same.stamp.identity != file.stamp.identity { renumbered.append((same.id, file.stamp)) }
            } else if isBeingWritten(file) {
                unchanged += same == nil ? 0 : 1
            } else if same == nil {
                added.append(file)
            } else {
                changed.append(file)
            }
        }
        gone += rest
    }

    /// What could not be read is tried again also when it may be read by others now.
    private static func isUnchanged(
        _ known: KnownFile,
        _ found: FolderListing.File,
        _ isRenumbered: Bool
    ) -> Bool {
        known.stamp.hasContent(of: found.stamp)
            && (isRenumbered || known.stamp.identity == found.stamp.identity)
            && (!known.hasProblem || known.stamp.changed == found.stamp.changed)
    }
}
