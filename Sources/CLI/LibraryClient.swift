import DBus
import EventLoop
import Glibc
import Language
import Music
import Service

extension PlayerClient {
    /// What the library holds.
    func library() throws(Refusal) -> LibrarySnapshot {
        let control = try call(Player.controlState(startsService: true), timeout: .seconds(25))
        return LibrarySnapshot(control: control ?? .variants([]))
    }

    /// Has the service look through the library, perhaps measure it, and shows how far it is until it is done.
    func scanLibrary(measuresLoudness: Bool) throws(Refusal) {
        _ = try library()
        // Before the scan is asked for: from then on there is something to leave going on.
        do throws(EventLoopError) {
            try loop.onSignals([SIGINT, SIGTERM]) { [loop] _ in loop.stop(exitCode: 1) }
        } catch {
            throw Refusal(told: "\(error)")
        }
        try call(.control(measuresLoudness ? "MeasureLoudness" : "Scan"))
        let follower = ScanFollower(self)
        follower.ask()
        let code = loop.run()
        try follower.end(code)
    }

    /// Finds songs and shows, plays or adds them.
    func searchLibrary(_ options: SearchOptions) throws(Refusal) {
        let library = try library()
        let arguments: [BusValue] = [.string(options.words), .uint32(UInt32(options.limit))]
        let answer = try call(.control("Search", arguments))
        let songs = (answer?.elements ?? []).map(Song.init(metadata:))
        guard !songs.isEmpty else { throw library.nothingFound }
        switch options.use {
        case .show:
            let text = songs.map { song in
                options.json ? "\(song.json)\n" : song.name + song.shownEnd(Terminal.style) + "\n"
            }
            Terminal.show(text.joined())
        case .play:
            try perform(.open(songs.locations.map(Location.uri)))
        case .add:
            try add(songs.locations, at: "end")
        }
        if songs.count >= options.limit {
            Terminal.complain(
                Phrase("only the first \(songs.count) that were found; --limit N says how many")
            )
        }
    }
}

extension [Song] {
    /// Where they are, in this order; a file that holds several of them is named once.
    fileprivate var locations: [String] {
        var seen: Set<String> = []
        return compactMap(\.url).filter { seen.insert($0).inserted }
    }
}

extension LibrarySnapshot {
    /// Why a search may have found nothing.
    fileprivate var nothingFound: Refusal {
        if let problem { return Refusal(told: problem) }
        if scan != nil { return Refusal("nothing was found so far; the library is still being scanned") }
        if tracks == 0 { return Refusal("the library is empty; fill it: tianlai library scan") }
        return Refusal("no song has all of these words")
    }
}

/// Asks how far a scan is, ten times a second.
private final class ScanFollower {
    private let client: PlayerClient
    private var feed = ScanFeed(showsProgress: Terminal.isInteractive, at: .now())
    private var tick: Timer?
    private var refusal: Refusal?

    init(_ client: PlayerClient) {
        self.client = client
        tick = client.loop.timer { [unowned self] in ask() }
        client.bus.onDisconnected = { [unowned self] in giveUp(Refusal("the session bus is gone")) }
    }

    func ask() {
        do throws(CallError) {
            try client.bus.call(Player.controlState(), timeout: .seconds(5)) { [unowned self] result in
                switch result {
                case .success(let values):
                    take(feed.update(LibrarySnapshot(control: values.first ?? .variants([])), at: .now()))
                case .failure(let error):
                    giveUp(
                        error.isNoSuchService
                            ? Refusal("the service has gone before the scan was done") : Refusal(error)
                    )
                }
            }
        } catch {
            giveUp(Refusal(error))
        }
    }

    /// The loop has ended with `code`; where that is not 0, and nothing was refused, it was Ctrl-C.
    func end(_ code: CInt) throws(Refusal) {
        if code != 0 { Terminal.show(feed.clearing) }
        if let refusal { throw refusal }
        if code != 0 { throw Refusal("the scan goes on; tianlai library status shows how far it is") }
    }

    private func take(_ step: ScanFeed.Step) {
        switch step {
        case .goOn(let text):
            if !text.isEmpty { Terminal.show(text) }
            tick?.start(after: .seconds(0.1))
        case .end(let text):
            Terminal.show(feed.clearing + text)
            client.loop.stop(exitCode: 0)
        case .giveUp(let refusal): giveUp(refusal)
        }
    }

    private func giveUp(_ refusal: Refusal) {
        self.refusal = self.refusal ?? refusal
        client.loop.stop(exitCode: 1)
    }
}
