import EventLoop
import Music

/// What the decoder thread is at, one small step at a time; only that thread sees it.
struct DecoderWork {
    private enum State {
        case idle
        case decoding(any Decoder)
        /// The track is decoded to its end, and what follows it is not known, is nothing or did not play.
        case ended
    }

    /// A track that is decoded for a wish.
    private struct Sound {
        var wish: WishNumber
        var track: DeckTrack
    }

    /// Where the present sound has followed another, to which it may have to give way again.
    private struct Seam {
        var former: Sound
        /// Where the other was left before its end, so that this one begins over it.
        var overlapped: (decoder: any Decoder, place: TrackTime)?
    }

    private let pipe: AudioPipe
    private let open: OpenDecoder
    private let events: Mailbox<DecoderEvent>

    /// So many samples are decoded in one step: a few tens of milliseconds of most formats.
    private static let stepSize = 4608
    private var state = State.idle
    private var sound: Sound?
    private var seam: Seam?
    private var following: DecoderFollowing?
    /// A mark that goes into the pipe before anything else does.
    private var pendingMark: Mark?
    /// Where in the track the last mark stands, and how many frames have been decoded behind it.
    private var markedPlace = TrackTime.zero
    private var framesBehindMark: Int64 = 0

    init(pipe: AudioPipe, open: @escaping OpenDecoder, events: Mailbox<DecoderEvent>) {
        self.pipe = pipe
        self.open = open
        self.events = events
    }

    mutating func take(_ wish: DecoderWish) {
        if let order = wish.order {
            following = nil
            perform(order)
        }
        if let following = wish.following { take(following) }
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
        case .idle: return false
        case .decoding(let decoder): return decode(decoder)
        case .ended: return follow()
        }
    }

    // MARK: From one sound to another

    private mutating func perform(_ order: DecoderOrder) {
        pendingMark = nil
        seam = nil
        guard let track = order.track else {
            state = .idle
            sound = nil
            return
        }
        do throws(DecoderError) {
            // A jump within the track at hand keeps its decoder.
            let kept: (any Decoder)? =
                if case .decoding(let decoder) = state, sound?.track == track { decoder } else { nil }
            state = .idle
            let decoder = if let kept { kept } else { try open(track) }
            try decoder.seek(to: order.start)
            begin(Sound(wish: order.wish, track: track), decoder, at: order.start)
        } catch {
            sound = nil
            events.post(.failed(track.id, error, wish: order.wish))
        }
    }

    private mutating func take(_ following: DecoderFollowing) {
        // What follows the former sound is not the present one any more: back to where that began.
        if let seam, following.after == seam.former.wish { goBack(to: seam) }
        if following.after == sound?.wish { self.following = following }
    }

    private mutating func goBack(to seam: Seam) {
        self.seam = nil
        sound = seam.former
        state = .ended
        pendingMark = nil
        guard let (decoder, place) = seam.overlapped else { return }
        do throws(DecoderError) {
            try decoder.seek(to: place)
            begin(seam.former, decoder, at: place)
        } catch {
            events.post(.damaged(seam.former.track.id, error, wish: seam.former.wish))
        }
    }

    /// Goes over to what follows a track that has ended.
    private mutating func follow() -> Bool {
        guard let following, let former = sound else { return false }
        self.following = nil
        guard let next = following.track else {
            pendingMark = Mark(wish: following.wish, kind: .end)
            return true
        }
        guard let decoder = opened(next, for: following.wish) else { return false }
        seam = Seam(former: former)
        begin(Sound(wish: following.wish, track: next), decoder, at: .zero)
        return true
    }

    /// Begins what follows over the end of the present track, where both are of one format.
    private mutating func overlap(_ leaving: any Decoder, at overlap: Overlap) {
        guard let following, let next = following.track, let former = sound else { return }
        guard let entering = opened(next, for: following.wish) else {
            self.following = nil
            return
        }
        guard entering.format == leaving.format else {
            self.following?.overlap = nil
            return
        }
        self.following = nil
        seam = Seam(former: former, overlapped: (leaving, overlap.start))
        let decoder = CrossfadeDecoder(from: leaving, to: entering, length: overlap.length) {
            [events] error in
            events.post(.damaged(former.track.id, error, wish: former.wish))
        }
        begin(Sound(wish: following.wish, track: next), decoder, at: .zero)
    }

    private func opened(_ track: DeckTrack, for wish: WishNumber) -> (any Decoder)? {
        do throws(DecoderError) {
            return try open(track)
        } catch {
            events.post(.failed(track.id, error, wish: wish))
            return nil
        }
    }

    /// Goes on with a decoder that stands at `place`.
    private mutating func begin(_ sound: Sound, _ decoder: any Decoder, at place: TrackTime) {
        self.sound = sound
        state = .decoding(decoder)
        mark(sound, decoder, at: place)
    }

    private mutating func mark(_ sound: Sound, _ decoder: any Decoder, at place: TrackTime) {
        markedPlace = place
        framesBehindMark = 0
        pendingMark = Mark(wish: sound.wish, kind: .sound(of: sound.track, from: place, decoder.format))
    }

    // MARK: Decoding

    private mutating func decode(_ decoder: any Decoder) -> Bool {
        guard let sound, pipe.hasRoom(for: Self.stepSize) else { return false }
        let format = decoder.format
        let channels = Int(format.channels)
        var frames = Int64(Self.stepSize / channels)
        if let overlap = following?.overlap, let distance = distance(to: overlap.start, rate: format.rate) {
            if distance == 0 {
                self.overlap(decoder, at: overlap)
                return true
            }
            frames = min(frames, distance)
        }
        do throws(DecoderError) {
            switch try decoder.read(into: pipe.space(for: Int(frames) * channels)) {
            case .samples(let count):
                pipe.add(count)
                framesBehindMark += Int64(count / channels)
            case .formatChange:
                let place = markedPlace + TrackTime(frames: framesBehindMark, rate: format.rate)
                mark(sound, decoder, at: place)
            case .end:
                state = .ended
            }
        } catch {
            events.post(.damaged(sound.track.id, error, wish: sound.wish))
            state = .ended
        }
        return true
    }

    /// How many frames are decoded before `place`; `nil` where it is decoded already.
    private func distance(to place: TrackTime, rate: Int32) -> Int64? {
        let distance = place.frames(rate: rate) - markedPlace.frames(rate: rate) - framesBehindMark
        return distance < 0 ? nil : distance
    }
}
