import DBus
import Language
import Music
import Service

/// What the service says of the library at one moment, read from the properties of Control1.
struct LibrarySnapshot: Equatable, Sendable {
    var tracks = 0
    /// As text; what is no text in a name shows as U+FFFD.
    var folders: [String] = []
    /// Why the library is of no use or out of date.
    var problem: String?
    /// How far the scan is that goes on; `nil` where none does.
    var scan: Scan?

    struct Scan: Equatable, Sendable {
        /// Files of music seen, and those of them that were new or had changed.
        var seen = 0
        var read = 0
        /// How many there are to see; `nil` until that is known.
        var total: Int?
        /// Whether it measures loudness, and counts what it has measured.
        var measuresLoudness = false

        /// For people.
        var text: Phrase {
            let seen = total.map { Phrase("\(self.seen) of \($0)") } ?? Phrase(verbatim: "\(self.seen)")
            return measuresLoudness ? "\(seen) songs measured" : "\(seen) songs, \(read) new"
        }
    }

    init() {}

    init(control: BusValue) {
        tracks = control.count("LibraryTracks")
        folders = control["LibraryFolders"]?.strings ?? []
        problem = control.line("LibraryProblem")
        guard control["Scanning"]?.boolean == true else { return }
        let total = control.count("ScanTotal")
        scan = Scan(
            seen: control.count("ScanSeen"),
            read: control.count("ScanRead"),
            total: total > 0 ? total : nil,
            measuresLoudness: control["ScanMeasuresLoudness"]?.boolean == true
        )
    }

    /// For people: what it holds, line by line.
    func lines(_ style: TextStyle) -> String {
        var lines = [style.strong(songs.description)]
        lines += folders.map { Phrase("in \(Text.cleanLine($0))").description }
        if folders.isEmpty { lines.append(Phrase("in no folder").description) }
        if let scan { lines.append(Phrase("scanning: \(scan.text)").description) }
        if let problem { lines.append(style.warning(Text.cleanLine(problem))) }
        return lines.map { $0 + "\n" }.joined()
    }

    /// For programs; what is not known is null.
    var json: JSON {
        .members([
            "tracks": .integer(Int64(tracks)),
            "folders": .strings(folders),
            "scanning": .bool(scan != nil),
            "seen": .integer(orNull: scan.map { Int64($0.seen) }),
            "read": .integer(orNull: scan.map { Int64($0.read) }),
            "total": .integer(orNull: scan?.total.map(Int64.init)),
            "problem": .string(orNull: problem),
        ])
    }

    /// How many songs there are.
    var songs: Phrase {
        switch tracks {
        case 0: "no songs"
        case 1: "1 song"
        default: "\(tracks) songs"
        }
    }
}
