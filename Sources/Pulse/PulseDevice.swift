import Music

/// Which device is played on, and what happens when it goes.
package struct PulseDevice: Equatable, Sendable {
    /// The sink as `pactl list short sinks` names it, on which alone there is sound; `nil` for the server's default.
    package var name: String?
    /// Whether the loss of the device is the end of the sound, instead of going on on another (C214).
    package var pausesOnLoss: Bool

    package init(name: String? = nil, pausesOnLoss: Bool = true) {
        self.name = name
        self.pausesOnLoss = pausesOnLoss
    }

    /// A device needs no longer to wake up when it is to play.
    static let longestWaking = TrackTime.seconds(0.5)

    static let isGone = "the sound device has gone; play again to go on with another"
    static let isAnother = "the sound device is another than before; play again to go on with it"

    /// Why there is no sound without the chosen one.
    var isAway: String {
        "the sound device “\(Text.cleanLine(name ?? ""))” is not there; connect it, or change output-device in config.ini"
    }
}
