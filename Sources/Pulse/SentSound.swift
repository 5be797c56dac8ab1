/// What a stream was given last and may have to be given again: when it falls silent softly, when it goes on after a rest.
///
/// Frames are counted from the stream's beginning; only as many as the server can hold are kept.
struct SentSound: ~Copyable {
    private let samples: UnsafeMutableBufferPointer<Float>
    private let channels: Int
    /// The frame behind the last one.
    private(set) var end: Int64 = 0
    /// The end as it was before anything was taken back.
    private var furthest: Int64 = 0

    /// Room for `capacity` frames.
    init(capacity: Int, channels: Int) {
        samples = .allocate(capacity: capacity * channels)
        self.channels = channels
    }

    deinit { samples.deallocate() }

    /// The first frame that is still known.
    var start: Int64 { max(0, furthest - Int64(samples.count / channels)) }

    mutating func append(_ added: UnsafeBufferPointer<Float>) {
        let kept = UnsafeBufferPointer(rebasing: added.suffix(samples.count))
        end += Int64(added.count / channels)
        furthest = max(furthest, end)
        guard let from = kept.baseAddress, let to = samples.baseAddress else { return }
        let place = place(of: end - Int64(kept.count / channels))
        let first = min(kept.count, samples.count - place)
        (to + place).update(from: from, count: first)
        to.update(from: from + first, count: kept.count - first)
    }

    mutating func appendSilence(_ frames: Int64) {
        withUnsafeTemporaryAllocation(of: Float.self, capacity: Int(frames) * channels) { silence in
            silence.initialize(repeating: 0)
            append(UnsafeBufferPointer(silence))
        }
    }

    /// Forgets the last `frames`.
    mutating func takeBack(_ frames: Int64) {
        end = max(start, end - frames)
    }

    /// Writes the frames from `frame` on into `target`, silence behind the end and in place of what is not known any more.
    func copy(from frame: Int64, into target: UnsafeMutableBufferPointer<Float>) {
        for index in 0..<target.count / channels {
            let wanted = frame + Int64(index)
            let isKnown = (start..<end).contains(wanted)
            let place = place(of: wanted)
            for channel in 0..<channels {
                target[index * channels + channel] = isKnown ? samples[place + channel] : 0
            }
        }
    }

    private func place(of frame: Int64) -> Int {
        Int(frame % Int64(samples.count / channels)) * channels
    }
}
