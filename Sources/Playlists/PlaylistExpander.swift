package import Music

/// What there is to play in a playlist and in the playlists and folders that it names.
///
/// The first tracks come before the list has been read, so that music can start. Blocks, on any one thread.
package struct PlaylistExpander: Sendable {
    private let musicSuffixes: Set<String>

    /// `musicSuffixes`, in lower case and without dot, are those of files that could stand in for one that a cue sheet
    /// names by another suffix.
    package init(musicSuffixes: Set<String>) {
        self.musicSuffixes = musicSuffixes
    }

    /// Hands out what the list at `path` names, in its order, until `found` says no.
    ///
    /// A list within a list is expanded in its place, at most 8 deep and never within itself; `folder` says what there is
    /// in a folder. What cannot be played is told to `problem`, one line for each list and kind of trouble: what is on the
    /// network, what is not there, what is no file.
    package func expand(
        _ path: FilePath,
        folder: (FilePath) -> [FilePath],
        problem: (String) -> Void,
        found: (TrackLocation) -> Bool
    ) {
        var count = 0
        func hand(on track: TrackLocation) -> Bool {
            count += 1
            return found(track)
        }
        var open: [OpenList] = []
        var opened = 0
        func enter(_ path: FilePath) {
            opened += 1
            guard opened <= Self.mostLists else { return }
            do throws(PlaylistError) {
                let list = try OpenList(path, musicSuffixes)
                guard !open.contains(where: { $0.reader.identity == list.reader.identity }) else {
                    return problem("\(path): this playlist names itself; it is played once")
                }
                open.append(list)
            } catch {
                problem("\(path): \(error)")
            }
        }
        enter(path)
        while let list = open.last {
            guard let entry = list.reader.next() else {
                open.removeLast()
                for line in list.problems { problem(line) }
                continue
            }
            guard let file = list.find(entry) else { continue }
            let goesOn: Bool
            switch file.kind {
            case .folder: goesOn = folder(file.path).allSatisfy { hand(on: TrackLocation($0)) }
            case .regular where entry.excerpt == nil && PlaylistFile.isPlaylist(file.path.suffix):
                goesOn = true
                if open.count < Self.deepest {
                    enter(file.path)
                } else {
                    problem(
                        "\(file.path): it is the \(Self.deepest + 1)th playlist within a playlist; left out"
                    )
                }
            default: goesOn = hand(on: TrackLocation(file.path, entry.excerpt))
            }
            guard goesOn else { return }
            if count >= PlaylistFile.mostEntries {
                problem("\(path): there are more than a million songs in it; the rest is left out")
                break
            }
        }
        if opened > Self.mostLists {
            problem("\(path): it names more than \(Self.mostLists) playlists; the rest is left out")
        }
    }

    private static let deepest = 8
    /// Lists that name lists many times over would go on for years otherwise.
    private static let mostLists = 10_000
}

/// A list that is being read, and what of it cannot be played.
private final class OpenList {
    let reader: PlaylistReader
    private let path: FilePath
    private let resolver: EntryResolver
    private var (missing, network, odd) = (Tally(), Tally(), Tally())

    init(_ path: FilePath, _ musicSuffixes: Set<String>) throws(PlaylistError) {
        self.path = path
        reader = try PlaylistReader(path, readsTitles: false)
        resolver = EntryResolver(list: path, musicSuffixes: musicSuffixes)
    }

    /// The file or folder that an entry means; what is neither is noted.
    func find(_ entry: PlaylistEntry) -> FoundFile? {
        guard let file = resolver.find(entry) else {
            if entry.isOnNetwork { network.add(entry.text) } else { missing.add(entry.text) }
            return nil
        }
        switch file.kind {
        case .regular, .folder: return file
        case .pipe, .device, .other:
            odd.add(entry.text)
            return nil
        }
    }

    /// One line for each kind of trouble.
    var problems: [String] {
        [
            reader.problem.map { "\($0); the rest is left out" },
            missing.line("not there"),
            network.line("on the network, which Tianlai does not play"),
            odd.line("no files (pipes or devices)"),
        ].compactMap { $0.map { "\(path): \($0)" } }
    }

    private struct Tally {
        private var count = 0
        private var first = ""

        mutating func add(_ text: @autoclosure () -> String) {
            if count == 0 { first = text() }
            count += 1
        }

        func line(_ what: String) -> String? {
            switch count {
            case 0: nil
            case 1: "\(first) is \(what)"
            default: "\(count) of its entries are \(what), the first is \(first)"
            }
        }
    }
}
