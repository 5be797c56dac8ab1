import DBus
import EventLoop
import Glibc
import Language
import Music
import Service

/// The command's side of the bus: asks the service and waits for its answer.
final class PlayerClient {
    let loop: EventLoop
    let bus: BusConnection

    /// Connects to the session bus within two seconds.
    init() throws(Refusal) {
        do {
            loop = try EventLoop()
            bus = try BusConnection(on: loop)
        } catch {
            throw Refusal(told: "\(error)")
        }
    }

    /// What plays now.
    func player(startingService starts: Bool = false) throws(Refusal) -> PlayerSnapshot {
        // Starting takes as long as the bus allows for it.
        let properties = try call(Player.state(startsService: starts), timeout: .seconds(starts ? 25 : 5))
        // A service that is too old to tell more is still a player.
        let control = (try? bus.callAndWait(Player.controlState(), timeout: .seconds(5)))?.first
        return PlayerSnapshot(properties: properties ?? .variants([]), control: control)
    }

    /// Has the service do it; returns when it has.
    func perform(_ request: PlayerRequest) throws(Refusal) {
        if case .open(let locations) = request { try Self.checkFiles(locations) }
        let before = try player(startingService: request.startsService)
        for call in try request.calls(on: before, folder: .working) { try self.call(call) }
        if request.wantsSound(on: before) {
            try waitUntilHeard(from: before, isOpening: request.isOpening)
        }
        if request == .quit { try waitUntilGone() }
    }

    /// Returns when sound is heard, or throws why it is not: that turns out a moment after the service has answered.
    ///
    /// `isOpening` says that files have to be looked for first. Gives up after a second, since a sound server may take
    /// longer than anybody wants to wait for a prompt.
    func waitUntilHeard(from before: PlayerSnapshot, isOpening: Bool) throws(Refusal) {
        let deadline = Instant.now().advanced(by: .seconds(1))
        var former = before
        repeat {
            let now = try player()
            // Until the files are found the service says what it said before.
            if !isOpening || now.isAnotherSituation(than: before) {
                if let problem = now.problem { throw Refusal(told: problem) }
                guard now.playback == .playing else { return }
                if now.song.trackID == former.song.trackID, now.position > former.position { return }
                former = now
            }
            usleep(10_000)
        } while Instant.now() < deadline
        if let problem = try player().problem { throw Refusal(told: problem) }
    }

    /// Calls and returns the first thing that the answer holds.
    @discardableResult
    func call(_ call: MethodCall, timeout: TrackTime = .seconds(5)) throws(Refusal) -> BusValue? {
        do throws(CallError) {
            return try bus.callAndWait(call, timeout: timeout).first
        } catch {
            throw Refusal(error)
        }
    }

    /// Refuses what names a file that is not there, since the service looks for it only after it has answered.
    static func checkFiles(_ locations: [Location]) throws(Refusal) {
        for case .path(let path) in locations where path.withCString({ access($0, F_OK) }) != 0 {
            throw Refusal(told: "\(path): \(String(cString: strerror(errno)).lowercased())")
        }
    }

    /// So that the next command finds no service that is about to end.
    private func waitUntilGone() throws(Refusal) {
        let deadline = loop.timer { [loop] in loop.stop(exitCode: 1) }
        deadline.start(after: .seconds(5))
        let owner = bus.onOwnerChange(of: Player.name) { [loop] owner in
            if owner == nil { loop.stop(exitCode: 0) }
        }
        defer { owner.cancel() }
        guard loop.run() == 0 else { throw Refusal("the service does not end") }
    }
}

extension PlayerRequest {
    /// Whether files have to be looked for before anything is heard.
    fileprivate var isOpening: Bool {
        if case .open = self { true } else { false }
    }

    /// Whether something should be heard after it.
    fileprivate func wantsSound(on player: PlayerSnapshot) -> Bool {
        switch self {
        case .play, .open: true
        case .toggle: player.playback != .playing
        default: false
        }
    }
}

extension Refusal {
    /// What a call that failed means to the person who typed the command.
    init(_ error: CallError) {
        if error.isNoSuchService {
            self = error.isNotInstalled ? .notInstalled : .notRunning
        } else if error.isNoReply {
            self = Refusal(
                "the service does not answer; if it hangs, end it and start it again: tianlai serve"
            )
        } else {
            self = Refusal(told: error.description)
        }
    }
}

extension FilePath {
    /// The folder that relative paths start from.
    static var working: FilePath { current ?? root }

    private static var root: FilePath {
        guard let root = FilePath("/") else { preconditionFailure("a slash is a path") }
        return root
    }
}
