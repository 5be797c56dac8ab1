import Audio
import EventLoop
import Music

/// An output that takes sound as fast as it comes and writes it into WAV files.
///
/// A WAV file holds one format: where that changes, the sound goes on in `NAME-2.wav`, `NAME-3.wav` and so on.
final class WaveOutput: AudioOutput {
    weak var source: (any OutputSource)?
    var volume: Double?

    /// Frames written so far, all files together.
    private(set) var frames: Int64 = 0
    /// The first format of the track that is written now; `nil` before its first sound.
    private(set) var format: StreamFormat?
    /// What went wrong with writing; nothing more is written then.
    private(set) var error: WaveError?

    private let path: FilePath
    private var fileCount = 0
    private var file: WaveFile?
    private let pull: Timer

    init(path: FilePath, loop: EventLoop) {
        final class Later { weak var output: WaveOutput? }
        let later = Later()
        self.path = path
        pull = loop.timer { later.output?.takeSound() }
        later.output = self
    }

    /// The next sound is another track's.
    func beginTrack() {
        frames = 0
        format = nil
    }

    /// Completes what has been written.
    func finish() {
        attempt { () throws(WaveError) in try file?.finish() }
        file = nil
    }

    func open(_ format: StreamFormat, paused: Bool, beginsInMidWave: Bool) {
        self.format = self.format ?? format
        if file?.format != format {
            finish()
            fileCount += 1
            attempt { () throws(WaveError) in file = try WaveFile(at: numberedPath, format: format) }
        }
        pull.start(after: .zero)
    }

    func setPaused(_ paused: Bool) {}

    func prepare(_ format: StreamFormat) {}

    func cut(beginsInMidWave: Bool) { pull.start(after: .zero) }

    /// What is written is heard.
    func takeBack(_ frames: Int64) -> Bool { frames == 0 }

    func sourceHasSound() { pull.start(after: .zero) }

    func drain() {
        tellAllIsHeard()
        source?.outputDrained()
    }

    func close() { pull.stop() }

    private func takeSound() {
        withUnsafeTemporaryAllocation(of: Float.self, capacity: 1 << 16) { buffer in
            while let source, let file, error == nil {
                let count = source.fill(buffer)
                guard count > 0 else { break }
                attempt { () throws(WaveError) in
                    try file.append(UnsafeBufferPointer(rebasing: buffer[..<count]))
                }
                frames += Int64(count) / Int64(file.format.channels)
            }
        }
        tellAllIsHeard()
    }

    private func tellAllIsHeard() {
        source?.outputTimed(unheard: 0, at: .now(), isAdvancing: true)
    }

    private func attempt(_ body: () throws(WaveError) -> Void) {
        do throws(WaveError) { try body() } catch { self.error = self.error ?? error }
    }

    private var numberedPath: FilePath {
        guard fileCount > 1, let folder = path.folder else { return path }
        let name = Array(path.name)
        let dot = name.lastIndex(of: UInt8(ascii: ".")) ?? name.count
        return folder.appending(name[..<dot] + Array("-\(fileCount)".utf8) + name[dot...])
    }
}
