/// When the music pauses because the machine goes to sleep, and for how long sleep is held up for it.
///
/// Decided without a bus. Nothing here ever makes music begin: after sleep it is for the user to play on.
struct SleepPlan: Equatable {
    private(set) var isPlaying = false
    private var isGoingToSleep = false
    /// Whether a pause is on its way to the ear.
    private(set) var isFallingSilent = false

    /// Whether sleep is to be held up when it comes.
    ///
    /// Not once it has come, when nobody gets a lock any more.
    var holdsUpSleep: Bool { isFallingSilent || isPlaying && !isGoingToSleep }

    mutating func follow(isPlaying: Bool) {
        self.isPlaying = isPlaying
    }

    /// The machine is about to sleep; returns whether to pause, after which ``fellSilent()`` is due in a moment.
    mutating func sleepComes() -> Bool {
        isGoingToSleep = true
        isFallingSilent = isPlaying
        return isPlaying
    }

    /// The pause has been heard.
    mutating func fellSilent() {
        isFallingSilent = false
    }

    /// The machine has slept, or does not after all.
    mutating func sleepIsOver() {
        isGoingToSleep = false
        isFallingSilent = false
    }
}
