import Audio
import DBus
import EventLoop
import Glibc
import Library
import Music
import Playback
import Playlists
import Pulse
import Session
import State
import TagReading

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
    private let library: Library?
    private let player: Player
    private let journal: Journal?
    private let session: BusSession
    private let surroundings: Surroundings

    init(_ options: ServeOptions) throws {
        self.options = options
        let loop = try EventLoop()
        // Before any thread is started, so that no thread but the loop's gets them.
        try loop.onSignals([SIGINT, SIGTERM, SIGHUP]) { _ in loop.stop(exitCode: 0) }
        signal(SIGPIPE, SIG_IGN)
        // A file that may not grow is like a full disk.
        signal(SIGXFSZ, SIG_IGN)
        self.loop = loop
        let folders = Folders()
        let settings = Settings.read(in: folders, report: report)
        let lists = folders.data?.appending("playlists".utf8)
        library = Self.makeLibrary(
            settings.folders + [lists].compactMap(\.self),
            cache: folders.cache,
            encodings: settings.tagEncodings,
            on: loop
        )
        let files = TrackFiles(
            cache: folders.cache,
            index: library?.reader,
            gain: settings.gain,
            coverCacheSize: settings.coverCacheSize,
            encodings: settings.tagEncodings
        )
        player = try Player(
            loop: loop,
            output: Self.makeOutput(options.output, settings, on: loop),
            open: files.open,
            source: files.source,
            seed: UInt64.random(in: .min ... .max),
            previousRestartsAfter: settings.previousRestartsAfter,
            crossfade: settings.crossfade,
            report: report
        )
        journal = folders.state.map {
            Journal(stateFolder: $0, runtimeFolder: folders.runtime, report: report)
        }
        let shown: any LibraryControl = library ?? NoLibrary()
        let saver = PlaylistSaver(loop: loop, player: player, library: shown, folder: lists)
        session = BusSession(
            loop: loop,
            player: player,
            library: shown,
            positionInterval: settings.positionInterval,
            save: saver.save,
            quit: { loop.stop(exitCode: 0) }
        )
        surroundings = Surroundings(
            loop: loop,
            settings: settings.session,
            pause: { [player] in player.perform(.pause) },
            report: report
        )
        session.onConnected = { [surroundings] in surroundings.listen(on: $0) }
        follow(library)
    }

    /// No music without the bus, and no name on the bus before there is something to show (C-2).
    func run() throws -> CInt {
        try session.connect()
        takeUpQueue()
        while !player.isSettled { loop.turn() }
        try session.takeName()
        loop.atTurnEnd { [session, surroundings, player] in
            session.publish()
            surroundings.follow(isPlaying: player.status.playback == .playing)
        }
        library?.start()
        let code = loop.run()
        end()
        return code
    }

    /// What a former process has left comes back; what was named on the command line takes the place of its queue.
    private func takeUpQueue() {
        if let former = journal?.restore() { player.restore(former, withQueue: options.locations.isEmpty) }
        player.recorder = journal
        let paths = paths()
        if !paths.isEmpty {
            player.replaceQueue(with: paths, playing: options.play)
        } else if options.play {
            player.perform(.play)
        }
    }

    /// The player hears of files that are renamed or changed while it has them in its queue.
    private func follow(_ library: Library?) {
        library?.onMoved = { [player] in player.relocate($0.map { ($0.old, $0.new) }) }
        library?.onTracksChanged = { [player] in player.reread($0) }
    }

    private static func makeLibrary(
        _ folders: [FilePath],
        cache: FilePath?,
        encodings: TagEncodings,
        on loop: EventLoop
    ) -> Library? {
        guard let cache else { return nil }
        let settings = LibrarySettings(
            folders: folders,
            cacheFolder: cache,
            musicSuffixes: TrackFiles.suffixes,
            playlistSuffixes: PlaylistFile.suffixes,
            encodings: encodings,
            length: TrackFiles.length,
            measure: TrackFiles.measure
        )
        return Library(loop, settings, report: report)
    }

    private static func makeOutput(
        _ output: ServeOptions.Output,
        _ settings: Settings,
        on loop: EventLoop
    ) -> any AudioOutput {
        let device = PulseDevice(name: settings.outputDevice, pausesOnLoss: settings.pausesOnDeviceLoss)
        return switch output {
        case .pulse: PulseOutput(loop: loop, device: device)
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

    /// What was heard is kept; then silence, a last word to the clients, and out.
    ///
    /// The workers are left to the end of the process: a file that hangs must not keep it.
    private func end() {
        player.perform(.pause)
        player.recorder = nil
        player.perform(.stop)
        session.publish()
        session.leave()
        journal?.flush()
    }
}

/// The library of a user without a home, where no index can be kept.
private final class NoLibrary: LibraryControl {
    let status: LibraryStatus

    init() {
        var status = LibraryStatus()
        status.problem = "there is no home folder, so no library is kept"
        self.status = status
    }

    func scan() {}

    func measureLoudness() {}

    func search(_ words: String, limit: Int, answer: @escaping (Result<[Track], LibraryError>) -> Void) {
        answer(.failure(LibraryError(status.problem ?? "")))
    }

    func describe(_ locations: [TrackLocation], answer: @escaping ([Track]) -> Void) {
        answer(locations.map { Track($0) })
    }

    func notePlayed(_ playlist: PlaylistID) {}
}
