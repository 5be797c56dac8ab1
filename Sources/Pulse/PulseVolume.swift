import CPulse

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
