import EventLoop
import Language
import Music

/// Decides what `library scan` writes while it waits, and when it waits no longer; knows neither bus nor terminal.
struct ScanFeed {
    /// What is to be done after an answer of the service.
    enum Step: Equatable {
        /// Write this, which may be nothing, and ask again.
        case goOn(String)
        /// Write this; it is done.
        case end(String)
        /// Say this; it will not come to an end.
        case giveUp(Refusal)
    }

    /// Whether a line of progress is drawn over and over.
    let showsProgress: Bool
    private var last: LibrarySnapshot.Scan?
    /// When the scan was last seen to get on.
    private var moved: Instant

    /// A file on a disk that does not answer can take as long as it likes; whoever waits shall not.
    static let patience = TrackTime.seconds(120)

    init(showsProgress: Bool, at now: Instant) {
        self.showsProgress = showsProgress
        moved = now
    }

    /// Takes in what the service answers.
    mutating func update(_ library: LibrarySnapshot, at now: Instant) -> Step {
        guard let scan = library.scan else {
            if let problem = library.problem { return .giveUp(Refusal(told: problem)) }
            return .end("\(Self.outcome(library))\n")
        }
        if scan != last { moved = now }
        last = scan
        if now.since(moved) >= Self.patience {
            return .giveUp(
                Refusal("the scan does not get on; a disk may not answer. It has seen \(scan.text)")
            )
        }
        return .goOn(showsProgress ? "\r\u{1B}[K\u{1B}[?7l\(Self.bar(scan))\(scan.text)\u{1B}[?7h" : "")
    }

    private static func outcome(_ library: LibrarySnapshot) -> Phrase {
        if library.folders.isEmpty { return "\(library.songs); the library has no folders" }
        if library.tracks > 0 { return library.songs }
        return "\(library.songs) in \(library.folders.joined(separator: ", "))"
    }

    /// What takes a line of progress off the terminal.
    var clearing: String { showsProgress ? "\r\u{1B}[K" : "" }

    /// Thirty places, as long as the whole is known.
    private static func bar(_ scan: LibrarySnapshot.Scan) -> String {
        guard let total = scan.total else { return "" }
        let full = min(30, scan.seen * 30 / total)
        return "[\(String(repeating: "#", count: full))\(String(repeating: ".", count: 30 - full))]  "
    }
}
