import Audio
import DBus
import EventLoop
import Glibc
import Mpg123
import Music
import Playback
import Pulse

/// Runs the service in the foreground until it is told to end, and returns the exit code.
package func serve(_ options: ServeOptions) -> CInt {
    do {
        return try Serve(options).run()
    } catch {
        report("\(error)")
        return 1
    }
}

/// The service put together: what is started in which order, and how it ends.
private struct Serve {
    private let options: ServeOptions
    private let loop: EventLoop
    private let player: Player
    private let session: BusSession

    init(_ options: ServeOptions) throws {
        self.options = options
        let loop = try EventLoop()
        // Before any thread is started, so that no thread but the loop's gets them.
        try loop.onSignals([SIGINT, SIGTERM, SIGHUP]) { _ in loop.stop(exitCode: 0) }
        signal(SIGPIPE, SIG_IGN)
        self.loop = loop
        player = try Player(
            loop: loop,
            output: Self.makeOutput(options.output, on: loop),
            open: TrackFiles.open,
            source: TrackFiles(cache: Folders().cache).source,
            seed: UInt64.random(in: .min ... .max),
            report: report
        )
        session = BusSession(loop: loop, player: player, quit: { loop.stop(exitCode: 0) })
    }

    /// No music without the bus, and no name on the bus before there is something to show (C-2).
    func run() throws -> CInt {
        try session.connect()
        player.replaceQueue(with: paths(), playing: options.play)
        while !player.isSettled { loop.turn() }
        try session.takeName()
        loop.atTurnEnd { [session] in session.publish() }
        let code = loop.run()
        end()
        return code
    }

    private static func makeOutput(_ output: ServeOptions.Output, on loop: EventLoop) -> any AudioOutput {
        switch output {
        case .pulse: PulseOutput(loop: loop)
        case .silent: SilentOutput(loop: loop)
        }
    }

    /// The paths of the locations, those that have none reported.
    private func paths() -> [FilePath] {
        options.locations.compactMap { location in
            do throws(LocationError) {
                return try location.path()
            } catch {
                report("\(error); skipped")
                return nil
            }
        }
    }

    /// Silence, a last word to the clients, and out.
    ///
    /// The workers are left to the end of the process: a file that hangs must not keep it.
    private func end() {
        player.perform(.stop)
        session.publish()
        session.leave()
    }
}
