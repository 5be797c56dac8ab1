import Glibc
import Music

/// The two streams that a command writes to.
enum Terminal {
    /// Whether results go to a person's eyes, by a terminal that knows how to draw.
    static var isInteractive: Bool { isatty(STDOUT_FILENO) == 1 && !isDumb }

    private static var isDumb: Bool { getenv("TERM").map { strcmp($0, "dumb") == 0 } ?? true }

    /// Colours on a terminal only, and not where the user wants none (no-color.org).
    static var style: TextStyle {
        let wantsNone = getenv("NO_COLOR").map { $0.pointee != 0 } ?? false
        return TextStyle(isPlain: !isInteractive || wantsNone)
    }

    /// Writes a result.
    static func show(_ text: String) {
        write(text, to: STDOUT_FILENO)
    }

    /// Writes what went wrong, in one line.
    static func complain(_ error: some CustomStringConvertible) {
        write("tianlai: \(Text.cleanLine(error.description))\n", to: STDERR_FILENO)
    }

    /// Whole and at once, so that whoever reads along has it.
    private static func write(_ text: String, to descriptor: CInt) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno != EINTR { return }
            bytes = bytes.dropFirst(max(0, count))
        }
    }
}
