import CPulse
import Music

/// Volumes between 0 and 1 as the sound server has them: 0.5 is 50 % in a mixer, whatever curve lies behind it (C136).
enum PulseVolume {
    /// The server's number for `volume`, which many neighbouring volumes share.
    static func number(for volume: Double) -> pa_volume_t {
        pa_volume_t((volume * Double(pulse_volume_norm)).rounded())
    }

    /// The volume that the server's `number` stands for; above 100 % counts as 1.
    static func volume(of number: pa_volume_t) -> Double {
        min(1, Double(number) / Double(pulse_volume_norm))
    }
}

/// Whose word counts when the volume that is wanted here and the one that the server tells of are not the same.
///
/// The server may still tell of an older volume when a newer one is on its way to it, and a session manager may give a
/// new stream the volume that it remembers: neither is somebody's wish. Everything else is (C137, C136).
struct VolumeAgreement: Equatable {
    /// What is to be done about what the server says.
    enum Consequence: Equatable {
        case nothing
        /// Send ``volume`` again.
        case send
        /// Somebody else has set it: ``volume`` is theirs now.
        case tell
    }

    /// What is in force: the very number that was set here (C-13), else the server's; `nil` until there is one.
    private(set) var volume: Double?
    private var settling = Settling.no

    private enum Settling: Equatable {
        case no
        /// Until the server has said once that it has it.
        case untilConfirmed(atMost: Instant)
        case until(Instant)
    }

    /// Somebody here wants this volume.
    mutating func set(_ volume: Double?, at now: Instant) {
        self.volume = volume
        settling = .untilConfirmed(atMost: now.advanced(by: .seconds(1)))
    }

    /// There is a new stream at the server, which is to have the volume in force.
    mutating func beginStream(at now: Instant) {
        settling = volume == nil ? .no : .until(now.advanced(by: .seconds(0.3)))
    }

    /// The server says that the stream has volume `number`.
    mutating func hear(_ number: pa_volume_t, at now: Instant) -> Consequence {
        if number == volume.map(PulseVolume.number) {
            if case .untilConfirmed = settling { settling = .no }
            return .nothing
        }
        switch settling {
        case .until(let end), .untilConfirmed(let end):
            if volume != nil, now < end { return .send }
        case .no:
            break
        }
        settling = .no
        volume = PulseVolume.volume(of: number)
        return .tell
    }
}
