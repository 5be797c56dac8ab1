import Music
import Synchronization

/// What is true of the samples that follow it in an ``AudioPipe``.
struct Mark: Equatable, Sendable {
    enum Kind: Equatable, Sendable {
        /// The samples are of this track, beginning at this place in it.
        case sound(of: DeckTrack, from: TrackTime, StreamFormat)
        /// Nothing follows: what was written so far is all there is to play.
        case end
    }

    /// Which wish of the loop this answers; what answers one that was taken back is thrown away.
    ///
    /// A track that begins anew answers another wish; where it goes on in another format, it is the same.
    var wish: WishNumber
    var kind: Kind
}

/// Two rings between the decoder thread and the loop: samples, and marks that say what the samples are.
///
/// One thread writes and one reads, without a lock; whoever has to wait for the other side says so here and is woken
/// by what the other side's calls return. A track that changes, a jump and the end are marks among the samples, so
/// whoever takes the samples knows to the frame what it has taken. The pipe holds a stretch of time, not a number of
/// samples: what is of another format than before gets a ring of its own, which goes when it has been read.
final class AudioPipe: @unchecked Sendable {
    // The storage is shared by its two ends: samples and marks in `read..<written` are the reader's, the others the
    // writer's, and the counters are published after the contents.
    private let marks: UnsafeMutableBufferPointer<PlacedMark>
    private let samplesWritten = Atomic<Int>(0)
    private let samplesRead = Atomic<Int>(0)
    private let marksWritten = Atomic<Int>(0)
    private let marksRead = Atomic<Int>(0)
    private let readerWaits = Atomic<Bool>(false)
    private let writerWaits = Atomic<Bool>(false)
    private let time: TrackTime
    private let leastCapacity: Int

    /// Where the writer writes, and the format that it was made for; the writer's alone.
    private var writersRing = Ring(capacity: 0, from: 0)
    private var writtenFormat: StreamFormat?
    /// Where the reader reads; the reader's alone.
    private var readersRing = Ring(capacity: 0, from: 0)

    /// Storage for samples of one format, filled again from its start when its end is reached.
    private final class Ring {
        let storage: UnsafeMutableBufferPointer<Float>
        /// How many samples were written before it was begun.
        let start: Int

        init(capacity: Int, from start: Int) {
            storage = .allocate(capacity: capacity)
            self.start = start
        }

        deinit { storage.deallocate() }

        /// The storage of `count` samples, the first of which is number `number`: one piece or two.
        func pieces(at number: Int, count: Int) -> (first: Piece, second: Piece) {
            let offset = (number - start) % storage.count
            let first = min(count, storage.count - offset)
            return (
                Piece(rebasing: storage[offset..<offset + first]),
                Piece(rebasing: storage[..<(count - first)])
            )
        }
    }

    private typealias Piece = UnsafeMutableBufferPointer<Float>

    private struct PlacedMark {
        /// How many samples were written before it.
        var place: Int
        var mark: Mark
        /// Where the samples behind it are, if not where those before it are.
        var ring: Ring?
    }

    /// By default a second and a half of any format: what an output asks for at a time, and half as much again.
    init(
        holding time: TrackTime = .seconds(1.5),
        atLeast leastCapacity: Int = 1 << 14,
        marks markCapacity: Int = 64
    ) {
        self.time = time
        self.leastCapacity = leastCapacity
        marks = .allocate(capacity: markCapacity)
        marks.initialize(repeating: PlacedMark(place: 0, mark: Mark(wish: 0, kind: .end)))
    }

    deinit {
        marks.deinitialize()
        marks.deallocate()
    }

    // MARK: The writer's side: the decoder thread

    /// Whether `count` samples and a mark fit, or a mark alone; if not, the reader will wake the writer when half of the
    /// pipe is free.
    func hasRoom(for count: Int?) -> Bool {
        if isFree(count) { return true }
        writerWaits.store(true, ordering: .sequentiallyConsistent)
        return isFree(count)
    }

    /// Where the next samples are to be written, behind a mark that has told their format: `count` of them, for which there
    /// must be room, or fewer whole frames at the end of the ring.
    func space(for count: Int) -> UnsafeMutableBufferPointer<Float> {
        precondition(isFree(count), "more samples than the pipe has room for")
        return writersRing.pieces(at: samplesWritten.load(ordering: .relaxed), count: count).first
    }

    /// Hands over the first `count` samples of what ``space(for:)`` gave.
    func add(_ count: Int) {
        let written = samplesWritten.load(ordering: .relaxed)
        samplesWritten.store(written + count, ordering: .sequentiallyConsistent)
    }

    /// Adds a mark at the present place; `false` without effect when there is no room, as ``hasRoom(for:)`` says.
    func write(_ mark: Mark) -> Bool {
        guard hasRoom(for: nil) else { return false }
        let written = marksWritten.load(ordering: .relaxed)
        let place = samplesWritten.load(ordering: .relaxed)
        var ring: Ring?
        if case .sound(_, _, let format) = mark.kind, format != writtenFormat {
            writersRing = Ring(capacity: capacity(for: format), from: place)
            writtenFormat = format
            ring = writersRing
        }
        marks[written % marks.count] = PlacedMark(place: place, mark: mark, ring: ring)
        marksWritten.store(written + 1, ordering: .sequentiallyConsistent)
        return true
    }

    /// A whole number of frames, so that none is divided by the end of the ring.
    private func capacity(for format: StreamFormat) -> Int {
        let channels = Int(format.channels)
        let least = (leastCapacity + channels - 1) / channels * channels
        return max(least, format.samples(in: time))
    }

    /// Whether the reader has found too little since it was last asked here, and must be told that there is more.
    func takeReaderWaits() -> Bool {
        readerWaits.exchange(false, ordering: .acquiringAndReleasing)
    }

    private func isFree(_ count: Int?) -> Bool {
        // Samples that still are in a former ring count as if they were in this one, which only makes it wait longer.
        let used =
            samplesWritten.load(ordering: .relaxed) - samplesRead.load(ordering: .sequentiallyConsistent)
        let usedMarks =
            marksWritten.load(ordering: .relaxed) - marksRead.load(ordering: .sequentiallyConsistent)
        return usedMarks < marks.count && count.map { writersRing.storage.count - used >= $0 } ?? true
    }

    // MARK: The reader's side: the loop

    /// The mark that stands before the next sample, if one does.
    func nextMark() -> Mark? {
        guard let mark = placedMark, mark.place == samplesRead.load(ordering: .relaxed) else { return nil }
        return mark.mark
    }

    /// Passes the mark that ``nextMark()`` told.
    func passMark() {
        let index = marksRead.load(ordering: .relaxed) % marks.count
        if let ring = marks[index].ring {
            readersRing = ring
            marks[index].ring = nil
        }
        marksRead.add(1, ordering: .sequentiallyConsistent)
    }

    /// Whether samples come next.
    var hasSamples: Bool { readable > 0 }

    /// Copies samples up to the next mark; returns how many.
    func read(into target: UnsafeMutableBufferPointer<Float>) -> Int {
        let read = samplesRead.load(ordering: .relaxed)
        let count = min(target.count, readable)
        guard count > 0 else { return 0 }
        let (first, second) = readersRing.pieces(at: read, count: count)
        let end = target.update(fromContentsOf: first)
        _ = Piece(rebasing: target[end...]).update(fromContentsOf: second)
        samplesRead.store(read + count, ordering: .sequentiallyConsistent)
        return count
    }

    /// Throws away the samples up to the next mark; returns how many.
    func skip() -> Int {
        let count = readable
        samplesRead.add(count, ordering: .sequentiallyConsistent)
        return count
    }

    /// Says that the reader waits for more than it has found; `false` where more has come meanwhile.
    func waitForSound() -> Bool {
        readerWaits.store(true, ordering: .sequentiallyConsistent)
        guard readable > 0 || nextMark() != nil else { return true }
        readerWaits.store(false, ordering: .sequentiallyConsistent)
        return false
    }

    /// Whether the writer waits for room and half of the pipe is free by now, so that it must be woken.
    func takeWriterWaits() -> Bool {
        let used = samplesWritten.load(ordering: .relaxed) - samplesRead.load(ordering: .relaxed)
        guard used <= readersRing.storage.count / 2 else { return false }
        return writerWaits.exchange(false, ordering: .sequentiallyConsistent)
    }

    /// Samples before the next mark, or all where no mark follows.
    private var readable: Int {
        // A mark is written before the samples behind it, so the samples are counted first.
        let written = samplesWritten.load(ordering: .sequentiallyConsistent)
        return (placedMark?.place ?? written) - samplesRead.load(ordering: .relaxed)
    }

    private var placedMark: PlacedMark? {
        let read = marksRead.load(ordering: .relaxed)
        guard marksWritten.load(ordering: .sequentiallyConsistent) > read else { return nil }
        return marks[read % marks.count]
    }
}
