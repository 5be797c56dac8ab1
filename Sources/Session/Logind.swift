import DBus
import EventLoop
import Music

/// The machine's sleep, as systemd's logind (or elogind) tells of it on the system bus.
///
/// On the loop only. The connection is made when music plays for the first time. Where there is no such bus or no logind
/// nothing is done, and it is looked for again when music begins once more.
final class Logind {
    private static let name = "org.freedesktop.login1"
    private static let path = "/org/freedesktop/login1"
    private static let interface = "org.freedesktop.login1.Manager"

    private let loop: EventLoop
    private let settings: SessionSettings
    private let pause: () -> Void
    private let report: (String) -> Void
    private var plan = SleepPlan()
    private var bus: BusConnection?
    private var signals: Subscription?
    private var lastTried: Instant?
    private var hasComplained = false
    /// Runs out when a pause has been heard.
    private let silence: Timer

    private lazy var sleepLock = InhibitorLock(
        "sleep",
        mode: "delay",
        because: "pauses the music"
    ) { [unowned self] in refused($0) }
    private lazy var idleLock = InhibitorLock(
        "idle",
        mode: "block",
        because: "plays music"
    ) { [unowned self] error in
        if !error.isNoSuchService { complain(error.description) }
        refused(error)
    }

    /// A pause fades within ten milliseconds; devices, above all those without a wire, hear of it some tenths later.
    private static let timeToSilence = TrackTime.seconds(0.3)
    /// A system bus that does not answer must not hold up the session's for long, nor often.
    private static let longestConnecting = TrackTime.seconds(0.2)
    private static let timeBetweenTries = TrackTime.seconds(60)

    /// Nothing where the settings want nothing of the machine.
    init?(
        loop: EventLoop,
        settings: SessionSettings,
        pause: @escaping () -> Void,
        report: @escaping (String) -> Void
    ) {
        guard settings.pausesOnSleep || settings.inhibitsSuspend else { return nil }
        final class Later { weak var logind: Logind? }
        let later = Later()
        self.loop = loop
        self.settings = settings
        self.pause = pause
        self.report = report
        silence = loop.timer { later.logind?.fellSilent() }
        later.logind = self
    }

    /// A call of logind's, which is not started for it.
    static func call(_ member: String, _ arguments: [BusValue]) -> MethodCall {
        MethodCall(to: name, path: path, interface: interface, member, arguments, startsService: false)
    }

    func follow(isPlaying: Bool) {
        plan.follow(isPlaying: isPlaying)
        if isPlaying, bus == nil { connect() }
        holdLocks()
    }

    private func connect() {
        let now = Instant.now()
        if let lastTried, now.since(lastTried) < Self.timeBetweenTries { return }
        lastTried = now
        do throws(BusError) {
            let bus = try BusConnection(to: .system(), on: loop, within: Self.longestConnecting)
            bus.onDisconnected = { [weak self] in self?.disconnect() }
            self.bus = bus
            guard settings.pausesOnSleep else { return }
            let match = SignalMatch(
                from: Self.name,
                path: Self.path,
                interface: Self.interface,
                member: "PrepareForSleep"
            )
            signals = bus.subscribe(match) { [unowned self] in prepare(forSleep: $0.arguments.first?.boolean)
            }
        } catch {
            complain("there is no system bus")
        }
    }

    private func disconnect() {
        sleepLock.letGo()
        idleLock.letGo()
        signals = nil
        bus?.close()
        bus = nil
        silence.stop()
        plan.sleepIsOver()
    }

    private func prepare(forSleep isComing: Bool?) {
        switch isComing {
        case true?:
            guard plan.sleepComes() else { break }
            pause()
            silence.start(after: Self.timeToSilence)
        case false?:
            silence.stop()
            plan.sleepIsOver()
        case nil:
            return
        }
        holdLocks()
    }

    private func fellSilent() {
        plan.fellSilent()
        holdLocks()
    }

    private func holdLocks() {
        guard let bus else { return }
        if settings.pausesOnSleep { sleepLock.want(plan.holdsUpSleep, over: bus) }
        if settings.inhibitsSuspend { idleLock.want(plan.isPlaying, over: bus) }
    }

    private func refused(_ error: CallError) {
        guard error.isNoSuchService else { return }
        complain("there is no logind")
        disconnect()
    }

    /// Only those who have asked for it miss it.
    private func complain(_ reason: String) {
        guard settings.inhibitsSuspend, !hasComplained else { return }
        hasComplained = true
        report("the machine may go to sleep while music plays (inhibit-suspend): \(reason)")
    }
}
