import DBus
import EventLoop
import Glibc
import Language
import Music
import Service

/// Carries out a command line and returns the exit code: 0 done, 1 could not be done, 2 not understood.
///
/// `words` are the arguments without the name of the program.
package func run(_ words: [[UInt8]]) -> CInt {
    let request: Request
    do throws(UsageError) {
        request = try Request(words)
    } catch {
        Terminal.complain(error)
        return 2
    }
    switch request {
    case .show(let text):
        Terminal.show(text)
        return 0
    case .serve(let options): return serve(options)
    case .render(let options): return render(options)
    case .tags(let options): return showTags(options)
    case .showPlaylist(let options): return showPlaylist(options)
    case .showLyrics(let options): return showLyrics(options)
    case .player(let request):
        return onTheBus { client throws(Refusal) in try client.perform(request) }
    case .showSleep:
        return onTheBus { client throws(Refusal) in Terminal.show("\(try client.player().sleepLine)\n") }
    case .status(let options) where options.follow:
        return onTheBus { client throws(Refusal) in try client.follow(options.form) }
    case .status(let options):
        return onTheBus(json: options.form == .json) { client throws(Refusal) in
            let player = try client.player()
            switch options.form {
            case .lines: Terminal.show(player.lines(Terminal.style))
            case .json: Terminal.show("\(player.json)\n")
            case .template(let template): Terminal.show(template.text(of: player) + "\n")
            }
        }
    case .lyrics(let options):
        return onTheBus(json: options.json && !options.follow) { client throws(Refusal) in
            if options.follow {
                try client.followLyrics(json: options.json)
            } else {
                try client.showLyrics(json: options.json)
            }
        }
    case .queue(let request):
        return onTheBus { client throws(Refusal) in try client.perform(request) }
    case .listQueue(let options):
        return onTheBus(json: options.json) { client throws(Refusal) in try client.listQueue(options) }
    case .playlist(let request):
        return onTheBus { client throws(Refusal) in try client.perform(request) }
    case .listPlaylists(let json):
        return onTheBus(json: json) { client throws(Refusal) in try client.listPlaylists(json: json) }
    case .scanLibrary(let measuresLoudness):
        return onTheBus { client throws(Refusal) in
            try client.scanLibrary(measuresLoudness: measuresLoudness)
        }
    case .searchLibrary(let options):
        return onTheBus(json: options.json) { client throws(Refusal) in try client.searchLibrary(options) }
    case .libraryStatus(let json):
        return onTheBus(json: json) { client throws(Refusal) in
            let library = try client.library()
            Terminal.show(json ? "\(library.json)\n" : library.lines(Terminal.style))
        }
    }
}

/// The arguments of this process as the kernel has them.
package func processArguments() -> [[UInt8]] {
    var words: [[UInt8]] = []
    for index in 1..<max(1, Int(CommandLine.argc)) {
        guard let word = CommandLine.unsafeArgv[index] else { break }
        words.append(Array(UnsafeRawBufferPointer(start: word, count: strlen(word))))
    }
    return words
}

/// Connects to the session bus and carries out `body`; a refusal is told on stderr, and as JSON where a program reads.
private func onTheBus(json: Bool = false, _ body: (PlayerClient) throws(Refusal) -> Void) -> CInt {
    do throws(Refusal) {
        try body(PlayerClient())
        return 0
    } catch {
        if json { Terminal.show("\(JSON.members(["error": .string(error.phrase.english)]))\n") }
        Terminal.complain(error)
        return 1
    }
}
