package import DBus
package import EventLoop

/// What goes on round the player that makes it pause, and what it keeps the machine and others from while it plays.
///
/// On the loop only. What is switched off costs nothing: neither a connection nor a rule on the bus.
package final class Surroundings {
    private let login: Logind?
    private let others: OtherPlayersWatch?
    private var isPlaying = false

    /// `pause` is called when the music is to pause; `report` gets one line for people where what they have asked for
    /// cannot be had.
    package init(
        loop: EventLoop,
        settings: SessionSettings,
        pause: @escaping () -> Void,
        report: @escaping (String) -> Void
    ) {
        login = Logind(loop: loop, settings: settings, pause: pause, report: report)
        others = OtherPlayersWatch(settings: settings, pause: pause)
    }

    /// Looks at the players on this session bus from now on, instead of on the one before.
    package func listen(on bus: BusConnection) {
        others?.listen(on: bus)
    }

    /// Says whether music plays; at the end of each turn.
    package func follow(isPlaying: Bool) {
        guard isPlaying != self.isPlaying else { return }
        self.isPlaying = isPlaying
        login?.follow(isPlaying: isPlaying)
        others?.follow(isPlaying: isPlaying)
    }
}

/// What the user wants of the player beside playing.
package struct SessionSettings: Equatable, Sendable {
    /// Whether the music pauses before the machine sleeps.
    package var pausesOnSleep = true
    /// Whether the machine does not go to sleep by itself while music plays.
    package var inhibitsSuspend = false
    /// Whether others that play are paused when this begins.
    package var pausesOthers = false
    /// Whether this is paused when another begins.
    package var pausesWhenOthersPlay = false

    package init() {}
}
