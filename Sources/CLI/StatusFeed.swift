import EventLoop
import Language
import Music
import Service

/// Decides what `status --follow` writes, and when; knows neither bus nor terminal.
struct StatusFeed {
    enum Form: Equatable, Sendable {
        /// One line on a terminal, drawn over and over.
        case progress
        /// A line for each change.
        case lines
        /// A JSON object for each change.
        case json
        /// A line for each change of what the template shows.
        case template(StatusTemplate)
    }

    let form: Form
    let style: TextStyle
    /// The service as it last answered, and when; `nil` while it does not run.
    private var player: PlayerSnapshot?
    private var since = Instant(nanoseconds: 0)
    private var hasShown = false
    /// What a template gave last.
    private var lastText: String?

    init(_ form: Form, style: TextStyle) {
        self.form = form
        self.style = style
    }

    /// Takes in what the service answers, or that it is gone, and returns what is to be written.
    ///
    /// `jumped` says that the position is not where it would have got to by itself.
    mutating func update(_ new: PlayerSnapshot?, jumped: Bool, at now: Instant) -> String {
        let isNews = !hasShown || jumped || shown(player) != shown(new)
        player = new
        since = now
        hasShown = true
        switch form {
        case .progress, .template: return tick(at: now)
        case .lines, .json: return isNews ? text(at: now) : ""
        }
    }

    /// What is to be written because time has passed.
    mutating func tick(at now: Instant) -> String {
        let text = text(at: now)
        guard case .template = form else { return text }
        defer { lastText = text }
        return text == lastText ? "" : text
    }

    /// What a terminal shows now.
    func text(at now: Instant) -> String {
        let current = player.map { $0.at(position(of: $0, at: now)) }
        return switch form {
        case .json: "\(current?.json ?? .members(["status": .string("NotRunning")]))\n"
        case .lines: (current?.line(style) ?? notRunning) + "\n"
        // For a status bar, which shows nothing then.
        case .template(let template): (current.map(template.text) ?? "") + "\n"
        // Begins the line anew, clears it, and lets the terminal cut off what is too long for it.
        case .progress: "\r\u{1B}[K\u{1B}[?7l\(current?.line(style) ?? notRunning)\u{1B}[?7h"
        }
    }

    /// How long until the shown time is another; `nil` where it stands still.
    func untilNextSecond(at now: Instant) -> TrackTime? {
        guard ticks, let player, player.playback == .playing else { return nil }
        let position = position(of: player, at: now)
        if let length = player.song.length, position >= length { return nil }
        return TrackTime(microseconds: 1_000_000 - position.microseconds % 1_000_000)
    }

    /// Whether it shows the time that passes.
    private var ticks: Bool {
        switch form {
        case .progress: true
        case .lines, .json: false
        case .template(let template): template.showsPosition
        }
    }

    private var notRunning: String { style.faint(Phrase("waiting for the service").description) }

    private func position(of player: PlayerSnapshot, at now: Instant) -> TrackTime {
        guard player.playback == .playing else { return player.position }
        return min(player.position + now.since(since), player.song.length ?? TrackTime(microseconds: .max))
    }

    /// What makes one answer different from another to whoever reads along: all but the passing of time.
    private func shown(_ player: PlayerSnapshot?) -> PlayerSnapshot? {
        guard var player else { return nil }
        if form == .json {
            (player.position, player.metadata) = (.zero, nil)
            return player
        }
        var shown = PlayerSnapshot()
        shown.playback = player.playback
        shown.song.trackID = player.song.trackID
        shown.song.title = player.song.title
        shown.song.artists = player.song.artists
        shown.problem = player.problem
        return shown
    }
}
