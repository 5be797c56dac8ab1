import EventLoop
import Music
import Synchronization

/// The thread that opens, seeks and decodes files: all of that may block, and the loop never may.
///
/// It is told what is wanted, and the latest order replaces those before it: of a hundred seeks only the last is
/// carried out. What it decodes goes into the pipe, as far ahead as that has room.
final class DecoderThread {
    /// What it decodes into.
    let pipe: AudioPipe
    private let wishes = Wishes()
    private let thread: WorkerThread

    /// Starts the thread, which posts `events`.
    init(pipe: AudioPipe, open: @escaping OpenDecoder, events: Mailbox<DecoderEvent>) throws(EventLoopError) {
        self.pipe = pipe
        thread = try WorkerThread(name: "decoder") { [wishes] in
            var work = DecoderWork(pipe: pipe, open: open, events: events)
            while let wish = wishes.take() {
                work.take(wish)
                while work.step(), !wishes.hasUrgent {}
                wishes.wait()
            }
            wishes.change { $0.hasEnded = true }
        }
    }

    /// Begins a new order, leaving whatever is being decoded.
    func perform(_ order: DecoderOrder, following: DecoderFollowing? = nil) {
        wishes.change { wish in
            wish.order = order
            wish.following = following
        }
    }

    /// Says what comes after a track; where something else has been begun there, that is left.
    func setFollowing(_ following: DecoderFollowing) {
        wishes.change { $0.following = following }
    }

    /// Says that the pipe has room again.
    func wake() {
        wishes.change { _ in }
    }

    // MARK: A file in which it hangs

    /// Whether it has not even looked at the latest order yet.
    var isBehind: Bool { wishes.hasOrder }

    /// Leaves the thread to itself: it ends when it can, and what it still decodes is of no interest.
    ///
    /// Returns what it has not looked at.
    func abandon() -> DecoderWish {
        var left = DecoderWish()
        wishes.change { wish in
            left = wish
            wish = DecoderWish(isOver: true)
        }
        return left
    }

    /// Takes up what another thread has not looked at.
    func take(_ wish: DecoderWish) {
        wishes.change { $0 = wish }
    }

    /// Lets go of a thread that was abandoned and has ended; `false` where it has not.
    func joinIfEnded() -> Bool {
        guard wishes.hasEnded else { return false }
        thread.join()
        return true
    }

    /// Ends the thread and waits for it; a file that hangs is waited for.
    func end() {
        wishes.change { $0.isOver = true }
        thread.join()
    }
}

/// Wishes for sound are numbered as they come; what is decoded for one carries its number.
typealias WishNumber = UInt64

/// A track to be decoded from a place in it, or nothing.
struct DecoderOrder: Equatable, Sendable {
    var wish: WishNumber
    var track: DeckTrack?
    var start = TrackTime.zero
}

/// What is decoded behind the sound of another wish: another track, or nothing.
struct DecoderFollowing: Equatable, Sendable {
    var wish: WishNumber
    var after: WishNumber
    var track: DeckTrack?
    /// Where it begins over the end of the one before; where that place is decoded already it begins behind the end.
    var overlap: Overlap?
}

/// What the decoder thread tells the loop.
enum DecoderEvent: Equatable, Sendable {
    /// There are marks or samples again for a reader that waited.
    case hasSound
    /// The track cannot be played from the place asked for.
    case failed(TrackID, DecoderError, wish: WishNumber)
    /// The track ends early; what could be decoded plays.
    case damaged(TrackID, DecoderError, wish: WishNumber)
}

/// What the loop wants that the thread has not looked at yet.
struct DecoderWish: Sendable {
    var order: DecoderOrder?
    var following: DecoderFollowing?
    var isOver = false
    /// Said by the thread as its last.
    var hasEnded = false
}

/// The slot by which wishes reach the thread, and what it sleeps on.
private final class Wishes: Sendable {
    private let waiting = Mutex(DecoderWish())
    private let changed = Semaphore()

    func change(_ body: (inout DecoderWish) -> Void) {
        waiting.withLock { body(&$0) }
        changed.signal()
    }

    /// Whether what is being done may be pointless.
    var hasUrgent: Bool {
        waiting.withLock { $0.order != nil || $0.following != nil || $0.isOver }
    }

    var hasOrder: Bool {
        waiting.withLock { $0.order != nil }
    }

    var hasEnded: Bool {
        waiting.withLock { $0.hasEnded }
    }

    /// Sleeps until something has changed since the last wait.
    func wait() {
        changed.wait()
    }

    /// All that is wanted anew; `nil` when the thread is to end.
    func take() -> DecoderWish? {
        waiting.withLock { wish in
            defer { wish = DecoderWish(isOver: wish.isOver) }
            return wish.isOver ? nil : wish
        }
    }
}
