import DBus
import EventLoop
import Glibc
import Language
import Music

extension PlayerClient {
    /// Shows what plays until the user has had enough.
    func follow(_ wanted: StatusOptions.Form) throws(Refusal) {
        let form: StatusFeed.Form =
            switch wanted {
            case .lines: Terminal.isInteractive ? .progress : .lines
            case .json: .json
            case .template(let template): .template(template)
            }
        let follower = StatusFollower(self, feed: StatusFeed(form, style: Terminal.style))
        defer { follower.end() }
        try runUntilInterrupted()
    }

    /// Runs the loop until Ctrl-C; throws when the bus goes.
    func runUntilInterrupted() throws(Refusal) {
        do throws(EventLoopError) {
            try loop.onSignals([SIGINT, SIGTERM]) { [loop] _ in loop.stop(exitCode: 0) }
        } catch {
            throw Refusal(told: "\(error)")
        }
        bus.onDisconnected = { [loop] in loop.stop(exitCode: 1) }
        guard loop.run() == 0 else { throw Refusal("the session bus is gone") }
    }
}

/// Asks the service again whenever a signal says that something is another than before; asks nothing at rest.
private final class StatusFollower {
    private let client: PlayerClient
    private var feed: StatusFeed
    private var subscriptions: [Subscription] = []
    private var tick: Timer?
    private var isRunning = false
    private var isAsking = false
    /// A signal came while an answer was under way.
    private var mustAskAgain = false
    private var hasJumped = false

    init(_ client: PlayerClient, feed: StatusFeed) {
        self.client = client
        self.feed = feed
        tick = client.loop.timer { [unowned self] in show(self.feed.tick(at: .now())) }
        let bus = client.bus
        for (path, interface) in [(Player.path, Player.properties), (Player.controlPath, Player.properties)] {
            let match = SignalMatch(from: Player.name, path: path, interface: interface)
            subscriptions.append(
                bus.subscribe(match) { [unowned self] signal in
                    // Of the words nothing is shown.
                    if !LyricsFeed.isAbout(signal.arguments) { ask() }
                }
            )
        }
        let seeked = SignalMatch(
            from: Player.name,
            path: Player.path,
            interface: Player.interface,
            member: "Seeked"
        )
        subscriptions.append(
            bus.subscribe(seeked) { [unowned self] _ in
                hasJumped = true
                ask()
            }
        )
        subscriptions.append(
            bus.onOwnerChange(of: Player.name) { [unowned self] owner in
                isRunning = owner != nil
                if isRunning { ask() } else { update(nil) }
            }
        )
    }

    /// Leaves the terminal's cursor on a line of its own.
    func end() {
        if feed.form == .progress { Terminal.show("\n") }
    }

    private func ask() {
        guard !isAsking else {
            mustAskAgain = true
            return
        }
        isAsking = true
        mustAskAgain = false
        call(Player.state()) { [unowned self] properties in
            call(Player.controlState()) { [unowned self] control in
                isAsking = false
                if let properties, isRunning {
                    update(PlayerSnapshot(properties: properties, control: control))
                }
                if mustAskAgain { ask() }
            }
        }
    }

    private func call(_ call: MethodCall, _ done: @escaping (BusValue?) -> Void) {
        do throws(CallError) {
            try client.bus.call(call, timeout: .seconds(5)) { result in done(try? result.get().first) }
        } catch {
            done(nil)
        }
    }

    private func update(_ player: PlayerSnapshot?) {
        let text = feed.update(player, jumped: hasJumped, at: .now())
        hasJumped = false
        show(text)
    }

    private func show(_ text: String) {
        if !text.isEmpty { Terminal.show(text) }
        if let delay = feed.untilNextSecond(at: .now()) {
            tick?.start(after: delay)
        } else {
            tick?.stop()
        }
    }
}
