import DBus
import Music
import Service

/// Decides what `lyrics --follow` writes, and when; knows neither bus nor terminal.
struct LyricsFeed {
    /// Whether programs read along that want more than the words.
    let json: Bool
    /// What the service told last; nothing is sung while it does not run.
    private var place = Place()
    private var hasShown = false

    /// The line that is sung.
    private struct Place: Equatable {
        /// Counted from 0; -1 where none is.
        var index: Int64 = -1
        var text = ""
    }

    init(json: Bool) {
        self.json = json
    }

    /// Takes in properties of Control1 as they were asked for or told, and returns what is to be written.
    ///
    /// Each line is written once; where none is sung, an empty one takes the place of the last, once.
    mutating func update(_ properties: BusValue) -> String {
        var new = place
        if let index = properties["LyricsIndex"]?.integer { new.index = index }
        if let text = properties["LyricsLine"]?.text { new.text = text }
        return update(new)
    }

    /// Takes in that the service is gone.
    mutating func end() -> String { update(Place()) }

    private mutating func update(_ new: Place) -> String {
        defer { (place, hasShown) = (new, true) }
        // The same words once more are another line.
        let isNews = json || !new.text.isEmpty ? new != place : !place.text.isEmpty
        guard isNews || !hasShown else { return "" }
        let lines = new.text.split(separator: "\n").map { Text.cleanLine(String($0)) }
        guard json else { return lines.joined(separator: " / ") + "\n" }
        let object = JSON.members([
            "line": .integer(orNull: new.index < 0 ? nil : new.index), "text": .strings(lines),
        ])
        return "\(object)\n"
    }

    /// Whether a `PropertiesChanged` of these arguments tells of nothing but lyrics.
    static func isAbout(_ arguments: [BusValue]) -> Bool {
        guard let names = arguments.dropFirst().first?.entries?.map(\.key), !names.isEmpty else {
            return false
        }
        return names.allSatisfy { $0.hasPrefix("Lyrics") }
    }
}
