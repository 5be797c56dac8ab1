/// What is otherwise in a folder than the index has it.
struct FolderChanges {
    /// New under its name.
    private(set) var added: [FolderListing.File] = []
    /// Another file than the one that was read, or the same with other content.
    private(set) var changed: [FolderListing.File] = []
    /// No longer there, or not under its name.
    private(set) var gone: [KnownFile] = []
    /// How many are as they were.
    private(set) var unchanged = 0

    var isEmpty: Bool { added.isEmpty && changed.isEmpty && gone.isEmpty }

    /// Both lists are by the bytes of the names.
    ///
    /// What `isBeingWritten` is taken for unchanged, or for not there yet where it is new (C232).
    init(
        known: [KnownFile],
        found: [FolderListing.File],
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
            if let same, Self.isUnchanged(same, file) {
                unchanged += 1
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
    private static func isUnchanged(_ known: KnownFile, _ found: FolderListing.File) -> Bool {
        known.stamp.hasContent(of: found.stamp)
            && (!known.hasProblem || known.stamp.changed == found.stamp.changed)
    }
}
