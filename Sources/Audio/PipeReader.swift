import Music

/// The reading end of an ``AudioPipe``, which passes over what answers wishes that are not wanted any more.
///
/// On the loop only.
final class PipeReader {
    /// What comes next.
    enum Front: Equatable {
        /// Nothing yet; the writer says when.
        case nothing
        case samples
        /// A mark of something wanted, not passed yet.
        case mark(Mark)
    }

    private let pipe: AudioPipe
    /// Whether the samples before the next mark are not wanted.
    private var isStale = true

    init(_ pipe: AudioPipe) {
        self.pipe = pipe
    }

    /// Passes over what is not `wanted`, as far as there is anything.
    func front(wanted: (WishNumber) -> Bool) -> Front {
        while true {
            if let mark = pipe.nextMark() {
                isStale = !wanted(mark.wish)
                if !isStale { return .mark(mark) }
                pipe.passMark()
            } else if isStale ? pipe.skip() > 0 : pipe.hasSamples {
                if !isStale { return .samples }
            } else if pipe.waitForSound() {
                return .nothing
            }
        }
    }

    /// Passes the mark that is at the front.
    func passMark() {
        pipe.passMark()
    }

    /// Samples up to the next mark are not wanted any more.
    func skipToNextMark() {
        isStale = true
    }

    /// Copies samples up to the next mark; returns how many.
    func read(into target: UnsafeMutableBufferPointer<Float>) -> Int {
        pipe.read(into: target)
    }

    /// Whether the writer waits for room, has enough of it now and must be woken.
    func takeWriterWaits() -> Bool {
        pipe.takeWriterWaits()
    }
}
