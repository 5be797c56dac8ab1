import DBus
import Language
import Music

/// What `status --format` writes: text with `{{…}}` where something of the player comes, as playerctl has them.
///
/// In the braces stands a variable, a text in quotes, a number, or a function of these: `{{artist}} - {{trunc(title, 20)}}`.
struct StatusTemplate: Equatable, Sendable {
    indirect enum Expression: Equatable, Sendable {
        case text(String)
        case number(Int64)
        case variable(Variable)
        /// What MPRIS calls so in the metadata: `xesam:genre`.
        case metadata(String)
        case call(Function, [Expression])
    }

    enum Variable: String, Sendable, CaseIterable {
        case title, artist, album, url, artUrl, length, status, position, volume, loop, shuffle
        case number, queueLength, problem, playerName, playerInstance
    }

    enum Function: String, Sendable, CaseIterable {
        case lowercase = "lc"
        case uppercase = "uc"
        case duration, emoji, trunc
        case fallback = "default"
        case escape = "markup_escape"

        var operands: Int { self == .trunc || self == .fallback ? 2 : 1 }
    }

    private let parts: [Expression]

    init(_ text: String) throws(UsageError) {
        var parser = TemplateParser(text)
        do throws(UsageError) {
            parts = try parser.parse()
        } catch {
            throw UsageError("--format, character \(parser.place): \(error.phrase)")
        }
    }

    /// Whether what it shows changes as time passes.
    var showsPosition: Bool { parts.contains(where: \.showsPosition) }

    /// The template filled in, without an end of line.
    func text(of player: PlayerSnapshot) -> String {
        parts.map { $0.text(of: player) }.joined()
    }
}

extension StatusTemplate.Expression {
    fileprivate var showsPosition: Bool {
        switch self {
        case .variable(let variable): variable == .position
        case .call(_, let operands): operands.contains(where: \.showsPosition)
        case .text, .number, .metadata: false
        }
    }

    /// What it stands for, on one line; empty where that is not known.
    fileprivate func text(of player: PlayerSnapshot) -> String {
        switch self {
        case .text(let text): text
        case .number(let number): "\(number)"
        case .variable(let variable): Text.cleanLine(variable.text(of: player))
        case .metadata(let key): Text.cleanLine(player.metadata?[key]?.shown ?? "")
        case .call(let function, let operands): function.text(operands, player)
        }
    }

    /// The time that it stands for, in microseconds.
    fileprivate func microseconds(of player: PlayerSnapshot) -> Int64? {
        if case .number(let number) = self { return number }
        return Int64(text(of: player))
    }
}

extension StatusTemplate.Variable {
    fileprivate func text(of player: PlayerSnapshot) -> String {
        let song = player.song
        return switch self {
        case .title: song.trackID == nil ? "" : song.shownTitle
        case .artist: song.shownArtists
        case .album: song.album ?? ""
        case .url: song.url ?? ""
        case .artUrl: song.artURL ?? ""
        case .length: song.length.map { "\($0.microseconds)" } ?? ""
        case .status: player.playback.rawValue
        case .position: "\(player.position.microseconds)"
        case .volume: "\(player.volume)"
        case .loop: player.loop.rawValue
        case .shuffle: "\(player.isShuffled)"
        case .number: player.place.map { "\($0)" } ?? ""
        case .queueLength: "\(player.queueLength)"
        case .problem: player.problem ?? ""
        case .playerName, .playerInstance: "tianlai"
        }
    }
}

extension StatusTemplate.Function {
    fileprivate func text(_ operands: [StatusTemplate.Expression], _ player: PlayerSnapshot) -> String {
        let text = operands[0].text(of: player)
        switch self {
        case .lowercase: return text.lowercased()
        case .uppercase: return text.uppercased()
        case .duration:
            let time = operands[0].microseconds(of: player).map(TrackTime.init(microseconds:))
            return time.map { "\($0)" } ?? ""
        case .emoji:
            switch operands[0] {
            case .variable(.status): return player.playback.emoji
            case .variable(.volume):
                return player.volume < 1 / 3 ? "🔈" : player.volume < 2 / 3 ? "🔉" : "🔊"
            default: return text
            }
        case .trunc:
            guard case .number(let length) = operands[1], text.count > length else { return text }
            return text.prefix(Int(length)) + "…"
        case .fallback: return text.isEmpty ? operands[1].text(of: player) : text
        case .escape:
            return text.reduce(into: "") { escaped, character in
                switch character {
                case "&": escaped += "&amp;"
                case "<": escaped += "&lt;"
                case ">": escaped += "&gt;"
                case "'": escaped += "&apos;"
                case "\"": escaped += "&quot;"
                default: escaped.append(character)
                }
            }
        }
    }
}

extension PlaybackStatus {
    fileprivate var emoji: String {
        switch self {
        case .playing: "▶️"
        case .paused: "⏸️"
        case .stopped: "⏹️"
        }
    }
}

extension BusValue {
    /// What it says, for people; `nil` where that cannot be said in a line.
    fileprivate var shown: String? {
        strings?.joined(separator: ", ") ?? text ?? integer.map { "\($0)" } ?? double.map { "\($0)" }
            ?? boolean.map { "\($0)" }
    }
}
