import Audio
import EventLoop
import Glibc
import Language
import Library
import Music

/// Decodes files as the service would play them and writes what would be heard, and returns the exit code.
package func render(_ options: RenderOptions) -> CInt {
    do {
        let render = try Render(to: options.output, gain: options.gain)
        var hasFailed = false
        for file in options.files {
            let outcome = render.append(file)
            if outcome.error != nil { hasFailed = true }
            if options.json {
                show(outcome.json.description)
            } else if let error = outcome.error {
                report("\(file): \(error)")
            } else {
                let (frames, rate, channels) = (outcome.frames, outcome.rate, outcome.channels)
                show(Phrase("\(file): \(frames) samples, \(rate) Hz, \(channels) channels").description)
            }
        }
        if let error = render.finish() {
            report(error)
            hasFailed = true
        }
        return hasFailed ? 1 : 0
    } catch {
        report("\(error)")
        return 1
    }
}

/// The real deck, with an output that takes all it can get and writes it into a WAV file.
private final class Render {
    /// What became of one file.
    struct Outcome: Equatable, Sendable {
        var path: FilePath
        /// Frames written, at the rate of each part of the file.
        var frames: Int64
        var rate: Int32
        var channels: Int32
        /// Why it did not play, or not to its end.
        var error: String?

        var json: JSON {
            let path = JSON.string(path.description)
            if let error { return .members(["path": path, "error": .string(error)]) }
            return .members([
                "path": path, "samples": .integer(frames), "rate": .integer(Int64(rate)),
                "channels": .integer(Int64(channels)),
            ])
        }
    }

    private let loop: EventLoop
    private let output: WaveOutput
    private let deck: Deck
    private var isOver = false
    private var failure: String?

    /// Writes into `target`, and where the format changes into numbered files beside it.
    ///
    /// With a `gain`, what the library has measured counts as well as what the tags say.
    init(to target: FilePath, gain: GainKind?) throws {
        loop = try EventLoop()
        output = WaveOutput(path: target, loop: loop)
        let files = TrackFiles(
            cache: nil,
            index: gain == nil ? nil : Folders().cache.map(IndexReader.init(cacheFolder:)),
            gain: GainSettings(mode: gain.map { $0 == .track ? .track : .album } ?? .off)
        )
        deck = try Deck(loop: loop, output: output, open: files.open)
        deck.delegate = self
    }

    /// Appends what is heard of the file at `path`.
    func append(_ path: FilePath) -> Outcome {
        isOver = false
        failure = nil
        output.beginTrack()
        deck.load(DeckTrack(id: TrackID(1), location: TrackLocation(path)), at: .zero, isPaused: false)
        deck.setFollowing(nil)
        while !isOver, output.error == nil { loop.turn() }
        deck.unload()
        return Outcome(
            path: path,
            frames: output.frames,
            rate: output.format?.rate ?? 0,
            channels: output.format?.channels ?? 0,
            error: output.error?.description ?? failure
        )
    }

    /// Completes the file; returns what went wrong with writing it.
    func finish() -> String? {
        output.finish()
        return output.error?.description
    }
}

extension Render: DeckDelegate {
    func deckBegan(_ track: TrackID, isContinuation: Bool) {}

    func deckProgressed() {}
    func deckWentOn() {}

    func deckEnded() { isOver = true }

    func deckFailed(_ track: TrackID, _ error: DecoderError) {
        failure = error.description
        isOver = true
    }

    func deckDamaged(_ track: TrackID, _ error: DecoderError) {}

    func deckLostOutput(_ loss: OutputLoss, at place: TrackTime) { isOver = true }
    func deckOutputReturned() {}

    func deckVolumeChanged(_ volume: Double) {}
}
