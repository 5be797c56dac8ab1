import Music

/// Makes the index say what is in the library's folders.
struct Scan {
    private let scope: ScanScope

    /// A folder that could not be looked into.
    typealias Blocked = (path: FilePath, reason: String)

    init(_ scope: ScanScope) {
        self.scope = scope
    }

    /// Looks through everything; gives the folders that cannot be looked into.
    func all() throws(DatabaseError) -> [Blocked] {
        var survey = FolderSurvey(scope)
        guard try survey.walk() else { return [] }
        scope.tell(.counted(total: survey.total))
        var reading = FolderReading(scope)
        guard try reading.read(survey.altered) else { return [] }
        let gone = try scope.index.folders.all { folder in
            !survey.seen.contains(folder.id)
                && !survey.blocked.contains { folder.path.isBelow($0.path) }
        }
        try reading.remove(gone)
        return survey.blocked
    }

    /// Looks at these folders again, and at what is new below them.
    func some(_ folders: Set<Int64>) throws(DatabaseError) -> [Blocked] {
        var known: [KnownFolder] = []
        for id in folders.sorted() {
            if let folder = try scope.index.folders.folder(id) { known.append(folder) }
        }
        var survey = FolderSurvey(scope)
        guard try survey.look(at: known) else { return [] }
        scope.tell(.counted(total: survey.total))
        var reading = FolderReading(scope)
        guard try reading.read(survey.altered) else { return [] }
        var gone: Set<Int64> = []
        for path in survey.missing { gone.formUnion(try scope.index.folders.tree(path).map(\.id)) }
        try reading.remove(gone.subtracting(survey.seen).sorted())
        return survey.blocked
    }
}
