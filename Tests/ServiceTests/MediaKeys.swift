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
        try screen.press("XF86AudioPlay")
        try service.wait(until: "Playing", "tone-0.mp3")
        try screen.press("XF86AudioPlay")
        try service.wait(until: "Paused", "tone-0.mp3")
        try screen.press("XF86AudioPlay")
        try service.wait(until: "Playing", "tone-0.mp3")
        try screen.press("XF86AudioNext")
        try service.wait(until: "Playing", "tone-1.mp3")
        try screen.press("XF86AudioPrev")
        try service.wait(until: "Playing", "tone-0.mp3")
        try screen.press("XF86AudioStop")
        try service.wait(until: "Stopped", "tone-0.mp3")
    }

    private func isStatus(_ status: String) throws -> Bool {
        try service.get("PlaybackStatus") == .text(status)
    }
}
