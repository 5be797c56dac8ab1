import TestSupport

/// The media keys of a desktop, on the keyboard of a screen of the test's own.
struct MediaKeys {
    let screen: VirtualScreen
    let service: RunningService

    /// Presses a key of which a second press does no harm, until the status is `status`.
    ///
    /// What is pressed before the desktop listens is lost, and there is no telling when it does.
    func press(_ key: String, until status: String) throws {
        for _ in 0..<60 {
            try screen.press(key)
            if (try? service.wait(for: status, within: .seconds(1)) { try isStatus(status) }) != nil {
                return
            }
        }
        throw TestFailure("nobody listens to \(key)")
    }

    /// Play, Next, Previous and Stop each do what is written on them, from the first of three tones on.
    func expectObedience() throws {
        try service.playerctl("play")
        try press("XF86AudioStop", until: "Stopped")
        let presses = [
            ("Play", "Playing", 0), ("Play", "Paused", 0), ("Play", "Playing", 0), ("Next", "Playing", 1),
            ("Prev", "Playing", 0), ("Stop", "Stopped", 0),
        ]
        for (key, status, tone) in presses {
            try screen.press("XF86Audio\(key)")
            try service.wait(until: status, "tone-\(tone).mp3")
        }
    }

    private func isStatus(_ status: String) throws -> Bool {
        try service.get("PlaybackStatus") == .text(status)
    }
}
