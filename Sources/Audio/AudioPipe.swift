import Music
import Synchronization

/// What is true of the samples that follow it in an ``AudioPipe``.
struct Mark: Equatable, Sendable {
    enum Kind: Equatable, Sendable {
        /// The samples are of this track, beginning at this place in it.
        ///
        /// Each time that a track begins anew the serial number grows; where only the format changes it stays.
        case sound(of: DeckTrack, serial: UInt64, from: TrackTime, StreamFormat)
        /// Nothing follows: what was written so far is all there is to play.
        case end
    }

    /// Which order of the loop this answers; what answers an old one is thrown away.
    var generation: UInt64
    var kind: Kind
}

/// Two rings between the decoder thread and the loop: samples, and marks that say what the samples are.
///
/// One thread writes and one reads, without a lock; whoever has to wait for the other side says so here and is woken
/// by what the other side's calls return. A track that changes, a jump and the end are marks among the samples, so
/// whoever takes the samples knows to the frame what it has taken.
final class AudioPipe: @unchecked Sendable {
    // The storage is shared by its two ends: samples and marks in `read..<written` are the reader's, the others the
    // writer's, and the counters are published after the contents.
    private let samples: UnsafeMutableBufferPointer<Float>
    private let marks: UnsafeMutableBufferPointer<PlacedMark>
    private let samplesWritten = Atomic<Int>(0)
    private let samplesRead = Atomic<Int>(0)
    private let marksWritten = Atomic<Int>(0)
    private let marksRead = Atomic<Int>(0)
    private let readerWaits = Atomic<Bool>(false)
    private let writerWaits = Atomic<Bool>(false)

    private struct PlacedMark {
        /// How many samples were written before it.
        var place: Int
        var mark: Mark
    }

    /// About a second and a half of CD sound by default: what an output asks for at a time, and half as much again.
    init(capacity: Int = 1 << 17, markCapacity: Int = 64) {
        samples = .allocate(capacity: capacity)
        marks = .allocate(capacity: markCapacity)
        let blank = PlacedMark(place: 0, mark: Mark(generation: 0, kind: .end))
        marks.initialize(repeating: blank)
    }

    deinit {
        marks.deinitialize()
        samples.deallocate()
        marks.deallocate()
    }

    // MARK: The writer's side: the decoder thread

    /// Whether `count` samples and a mark fit; if not, the reader will wake the writer when half of the pipe is free.
    func hasRoom(for count: Int) -> Bool {
        if isFree(count) { return true }
        writerWaits.store(true, ordering: .sequentiallyConsistent)
        return isFree(count)
    }

    /// Adds samples, for which there must be room.
    func write(_ source: UnsafeBufferPointer<Float>) {
        let written = samplesWritten.load(ordering: .relaxed)
        precondition(isFree(source.count), "more samples than the pipe has room for")
        guard let from = source.baseAddress, let to = samples.baseAddress else { return }
        let start = written % samples.count
        let first = min(source.count, samples.count - start)
        (to + start).update(from: from, count: first)
        to.update(from: from + first, count: source.count - first)
        samplesWritten.store(written + source.count, ordering: .sequentiallyConsistent)
    }

    /// Adds a mark at the present place; `false` without effect when there is no room, as ``hasRoom(for:)`` says.
    func write(_ mark: Mark) -> Bool {
        guard hasRoom(for: 0) else { return false }
        let written = marksWritten.load(ordering: .relaxed)
        let place = samplesWritten.load(ordering: .relaxed)
        marks[written % marks.count] = PlacedMark(place: place, mark: mark)
        marksWritten.store(written + 1, ordering: .sequentiallyConsistent)
        return true
    }

    /// Whether the reader has found too little since it was last asked here, and must be told that there is more.
    func takeReaderWaits() -> Bool {
        readerWaits.exchange(false, ordering: .acquiringAndReleasing)
    }

    private func isFree(_ count: Int) -> Bool {
        let used =
            samplesWritten.load(ordering: .relaxed) - samplesRead.load(ordering: .sequentiallyConsistent)
        let usedMarks =
            marksWritten.load(ordering: .relaxed) - marksRead.load(ordering: .sequentiallyConsistent)
        return samples.count - used >= count && usedMarks < marks.count
    }

    // MARK: The reader's side: the loop

    /// The mark that stands before the next sample, if one does.
    func nextMark() -> Mark? {
        guard let mark = placedMark, mark.place == samplesRead.load(ordering: .relaxed) else { return nil }
        return mark.mark
    }

    /// Passes the mark that ``nextMark()`` told.
    func passMark() {
        marksRead.add(1, ordering: .sequentiallyConsistent)
    }

    /// Whether samples come next.
    var hasSamples: Bool { readable > 0 }

    /// Copies samples up to the next mark; returns how many.
    func read(into target: UnsafeMutableBufferPointer<Float>) -> Int {
        let read = samplesRead.load(ordering: .relaxed)
        let count = min(target.count, readable)
        guard let to = target.baseAddress, let from = samples.baseAddress, count > 0 else { return 0 }
        let start = read % samples.count
        let first = min(count, samples.count - start)
        to.update(from: from + start, count: first)
        (to + first).update(from: from, count: count - first)
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
        guard used <= samples.count / 2 else { return false }
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
