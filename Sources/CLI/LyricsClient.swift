import DBus
import EventLoop
import Glibc
import Language
import Music
import Service

extension PlayerClient {
    /// Shows the words of the current song, the line that is sung set off.
    func showLyrics(json: Bool) throws(Refusal) {
        let path = try player().song.url.flatMap(FileURI.decode)?.description
        let answer = try answer(to: .control("Lyrics"))
        let lyrics = Lyrics(answer)
        if json { return Terminal.show("\(lyricsJSON(path, lyrics))\n") }
        guard let lyrics else { throw Refusal("no words are known of this song") }
        let current = try call(Player.controlState())?["LyricsIndex"]?.integer ?? -1
        let style = Terminal.style
        let lines = shownLines(lyrics).enumerated().map { index, line in
            (index == Int(current) ? style.strong(line) : line) + "\n"
        }
        Terminal.show(lines.joined())
    }

    /// Shows the line that is sung until the user has had enough.
    func followLyrics(json: Bool) throws(Refusal) {
        let follower = LyricsFollower(self, feed: LyricsFeed(json: json))
        defer { withExtendedLifetime(follower) {} }
        try runUntilInterrupted()
    }

    private func answer(to call: MethodCall) throws(Refusal) -> [BusValue] {
        do throws(CallError) {
            return try bus.callAndWait(call, timeout: .seconds(5))
        } catch {
            throw Refusal(error)
        }
    }
}

extension Lyrics {
    /// Reads what the service answers: the track, the kind, and of each line microseconds and text.
    init?(_ answer: [BusValue]) {
        guard answer.count == 3, let kind = answer[1].text, let elements = answer[2].elements else {
            return nil
        }
        let lines = elements.compactMap { element -> Line? in
            guard let parts = element.elements, parts.count == 2, let time = parts[0].integer,
                let text = parts[1].text
            else { return nil }
            return Line(TrackTime(microseconds: time), Text.cleanLine(text))
        }
        switch kind {
        case "timed": self = .timed(lines)
        case "plain": self = .plain(lines.map(\.text))
        default: return nil
        }
    }
}

/// Writes what signals tell; asks once when the service comes, and nothing afterwards.
private final class LyricsFollower {
    private let client: PlayerClient
    private var feed: LyricsFeed
    private var subscriptions: [Subscription] = []

    init(_ client: PlayerClient, feed: LyricsFeed) {
        self.client = client
        self.feed = feed
        let match = SignalMatch(
            from: Player.name,
            path: Player.controlPath,
            interface: Player.properties,
            member: "PropertiesChanged"
        )
        subscriptions.append(
            client.bus.subscribe(match) { [unowned self] signal in
                guard signal.arguments.first?.text == Player.control, signal.arguments.count > 1 else {
                    return
                }
                Terminal.show(self.feed.update(signal.arguments[1]))
            }
        )
        subscriptions.append(
            client.bus.onOwnerChange(of: Player.name) { [unowned self] owner in
                if owner == nil { Terminal.show(self.feed.end()) } else { ask() }
            }
        )
    }

    private func ask() {
        try? client.bus.call(Player.controlState(), timeout: .seconds(5)) { [unowned self] result in
            guard let properties = try? result.get().first else { return }
            Terminal.show(feed.update(properties))
        }
    }
}
