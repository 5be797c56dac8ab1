import EventLoop
import Music

/// What the decoder thread is at, one small step at a time; only that thread sees it.
struct DecoderWork {
    private enum State {
        case idle
        case decoding(DeckTrack, any Decoder)
        /// The track is decoded to its end and what follows it is not known or did not play.
        case ended(DeckTrack)
        /// Nothing follows the track, and the pipe says so.
        case finished(DeckTrack)
    }

    private let pipe: AudioPipe
    private let open: OpenDecoder
    private let events: Mailbox<DecoderEvent>
    /// Where a step decodes to: a few tens of milliseconds.
    private let buffer: UnsafeMutableBufferPointer<Float>

    private var state = State.idle
    private var generation: UInt64 = 0
    private var serial: UInt64 = 0
    private var following: DecoderFollowing?
    /// A mark that goes into the pipe before anything else does.
    private var pendingMark: Mark?
    /// Where in the track the last mark stands, and how many frames have been decoded behind it.
    private var markedPlace = TrackTime.zero
    private var framesBehindMark: Int64 = 0

    /// The buffer lasts as long as the thread, which is as long as the process or a test.
    init(pipe: AudioPipe, open: @escaping OpenDecoder, events: Mailbox<DecoderEvent>) {
        self.pipe = pipe
        self.open = open
        self.events = events
        buffer = .allocate(capacity: 4608)
    }

    mutating func take(_ wish: DecoderWish) {
        if let order = wish.order {
            following = nil
            perform(order)
        }
        if let following = wish.following { self.following = following }
    }

    /// Does one piece of work; `false` when there is nothing to do until something changes.
    mutating func step() -> Bool {
        guard advance() else { return false }
        if pipe.takeReaderWaits() { events.post(.hasSound) }
        return true
    }

    private mutating func advance() -> Bool {
        if let mark = pendingMark {
            guard pipe.write(mark) else { return false }
            pendingMark = nil
            return true
        }
        switch state {
        case .idle:
            return false
        case .decoding(let track, let decoder):
            return decode(track, decoder)
        case .ended(let track):
            guard let following, following.after == track.id else { return false }
            self.following = nil
            if let next = following.track { return takeUp(next) }
            pendingMark = Mark(generation: generation, kind: .end)
            state = .finished(track)
            return true
        case .finished(let track):
            guard let following, following.after == track.id, let next = following.track else { return false }
            self.following = nil
            return takeUp(next)
        }
    }

    private mutating func perform(_ order: DecoderOrder) {
        generation = order.generation
        pendingMark = nil
        guard let track = order.track else {
            state = .idle
            return
        }
        do throws(DecoderError) {
            // A jump within the track at hand keeps its decoder.
            if case .decoding(track, let decoder) = state {
                try start(track, decoder, at: order.start)
            } else {
                state = .idle
                try start(track, try open(track), at: order.start)
            }
        } catch {
            state = .idle
            events.post(.failed(track.id, error, generation: generation))
        }
    }

    private mutating func takeUp(_ next: DeckTrack) -> Bool {
        do throws(DecoderError) {
            try start(next, try open(next), at: nil)
            return true
        } catch {
            events.post(.failed(next.id, error, generation: generation))
            return false
        }
    }

    /// Goes over to decoding `track` at `place`; a fresh decoder stands at its start already (`nil`).
    private mutating func start(
        _ track: DeckTrack,
        _ decoder: any Decoder,
        at place: TrackTime?
    ) throws(DecoderError) {
        if let place { try decoder.seek(to: place) }
        state = .decoding(track, decoder)
        serial += 1
        mark(track, decoder, at: place ?? .zero)
    }

    private mutating func mark(_ track: DeckTrack, _ decoder: any Decoder, at place: TrackTime) {
        markedPlace = place
        framesBehindMark = 0
        pendingMark = Mark(
            generation: generation,
            kind: .sound(of: track, serial: serial, from: place, decoder.format)
        )
    }

    private mutating func decode(_ track: DeckTrack, _ decoder: any Decoder) -> Bool {
        guard pipe.hasRoom(for: buffer.count) else { return false }
        let format = decoder.format
        let whole = buffer.count / Int(format.channels) * Int(format.channels)
        do throws(DecoderError) {
            switch try decoder.read(into: UnsafeMutableBufferPointer(rebasing: buffer[..<whole])) {
            case .samples(let count):
                pipe.write(UnsafeBufferPointer(rebasing: buffer[..<count]))
                framesBehindMark += Int64(count / Int(format.channels))
            case .formatChange:
                let place = markedPlace + TrackTime(frames: framesBehindMark, rate: format.rate)
                mark(track, decoder, at: place)
            case .end:
                state = .ended(track)
            }
        } catch {
            events.post(.damaged(track.id, error))
            state = .ended(track)
        }
        return true
    }
}
