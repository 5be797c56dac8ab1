/// A screen of a test's own, with a keyboard and a mouse, which nobody sees: another X server.
package final class VirtualScreen {
    /// A window as it lies on the screen.
    package struct Window: Equatable, Sendable {
        package var (x, y, width, height) = (0, 0, 0, 0)
    }

    /// What its clients need in their environment.
    package var environment: [String: String] { ["DISPLAY": display] }
    private let display: String
    private let server: ChildProcess

    /// Starts the server; it listens when this returns.
    package init(width: Int, height: Int) throws {
        let server = try ChildProcess(
            [
                "Xvfb", "-displayfd", "1", "-screen", "0", "\(width)x\(height)x24", "-nolisten", "tcp",
                "-noreset",
            ],
            environment: ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"]
        )
        // It says which display it has found free.
        let number = server.waitForOutput(within: .seconds(60)) { report in
            report.outputText.hasSuffix("\n") ? report.outputText.dropLast() : nil
        }
        guard let number else { throw TestFailure("Xvfb does not start: \(server.report.errorText)") }
        self.server = server
        display = ":\(number)"
    }

    /// Presses and releases a key, named as X names it.
    package func press(_ key: String) throws {
        try xdotool("key", key)
    }

    /// Clicks with the left button.
    package func click(x: Int, y: Int) throws {
        try xdotool("mousemove", "\(x)", "\(y)", "click", "1")
    }

    /// Waits for a visible window of a program that satisfies `isWanted`.
    package func window(of program: String, where isWanted: (Window) -> Bool) throws -> Window {
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            // It fails where there is none yet, or where one goes meanwhile.
            let report = try run([
                "search", "--onlyvisible", "--class", program, "getwindowgeometry", "--shell", "%@",
            ])
            if let window = windows(in: report.outputText).first(where: isWanted) { return window }
        }
        throw TestFailure("\(program) shows no such window")
    }

    private func windows(in text: String) -> [Window] {
        var windows: [Window] = []
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: "=")
            guard parts.count == 2, let number = Int(parts[1]) else { continue }
            switch parts[0] {
            case "WINDOW": windows.append(Window())
            case "X": windows[windows.count - 1].x = number
            case "Y": windows[windows.count - 1].y = number
            case "WIDTH": windows[windows.count - 1].width = number
            case "HEIGHT": windows[windows.count - 1].height = number
            default: break
            }
        }
        return windows
    }

    private func xdotool(_ words: String...) throws {
        let report = try run(words)
        guard report.exit == .code(0) else {
            throw TestFailure("xdotool \(words.joined(separator: " ")): \(report.errorText)")
        }
    }

    private func run(_ words: [String]) throws -> ChildProcess.Report {
        let surroundings = ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "DISPLAY": display]
        return try ChildProcess.run(["xdotool"] + words, environment: surroundings)
    }

    deinit { server.stop() }
}
