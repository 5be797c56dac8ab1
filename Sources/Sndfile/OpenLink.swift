import Audio
import Music

/// One stream of a file, open for reading, its channels brought in order.
final class OpenLink {
    let format: StreamFormat
    /// Which of the file's streams it is.
    let number: Int
    let handle: SndfileHandle

    private let routing: SpeakerLayout.Routing?
    /// The first frame, decoded to find out whether there is sound at all and not given out yet.
    private var ahead: [Float]?
    /// Frames as the file has them, on their way into order.
    private var unordered: [Float] = []

    /// Opens what lies in the `pieces` of `file`, which stays as it is.
    ///
    /// With `isStereo` a stream of one channel gives two of the same.
    init(
        _ file: MusicFile,
        _ pieces: [Range<Int64>],
        number: Int,
        isStereo: Bool = false
    ) throws(DecoderError) {
        handle = try SndfileHandle(try SoundBytes(file, pieces))
        routing =
            isStereo && handle.channels == 1
            ? [0, 0] : SpeakerLayout.routing(handle.codec, channels: handle.channels, map: handle.channelMap)
        format = StreamFormat(rate: handle.rate, channels: Int32(routing?.count ?? handle.channels))
        self.number = number
        if routing != nil { unordered = [Float](repeating: 0, count: handle.channels * 512) }
    }

    /// Decodes the first frame; throws where there is none.
    func readAhead() throws(DecoderError) {
        var frame = [Float](repeating: 0, count: Int(format.channels))
        let count = frame.withUnsafeMutableBufferPointer { read(into: $0) }
        if count > 0 {
            ahead = frame
        } else if let failure = handle.failure {
            throw failure
        } else if handle.frames == 0 {
            throw .notMusic("there is no sound in it")
        } else {
            throw .damaged("no sound in it can be decoded")
        }
    }

    /// Writes the next frames; returns how many, 0 at the end or where nothing can be decoded any more.
    func read(into samples: UnsafeMutableBufferPointer<Float>) -> Int {
        let channels = Int(format.channels)
        let room = samples.count / channels
        guard let target = samples.baseAddress, room > 0 else { return 0 }
        if let frame = ahead {
            ahead = nil
            for (index, sample) in frame.enumerated() { target[index] = sample }
            return 1
        }
        guard let routing else { return handle.read(into: target, frames: room) }
        return unordered.withUnsafeMutableBufferPointer { unordered in
            guard let source = unordered.baseAddress else { return 0 }
            let own = handle.channels
            let count = handle.read(into: source, frames: min(room, unordered.count / own))
            for (place, from) in routing.enumerated() {
                for frame in 0..<count {
                    target[frame * channels + place] = from.map { source[frame * own + $0] } ?? 0
                }
            }
            return count
        }
    }

    /// Goes to `frame`; whether it is there.
    func seek(to frame: Int64) -> Bool {
        ahead = nil
        return handle.seek(to: frame)
    }

    /// Reads on over `count` frames, as far as they go.
    func skip(_ count: Int64) {
        var left = count
        withUnsafeTemporaryAllocation(of: Float.self, capacity: 1024 * Int(format.channels)) { buffer in
            while left > 0 {
                let frames = Int(min(left, 1024))
                let room = UnsafeMutableBufferPointer(rebasing: buffer[..<(frames * Int(format.channels))])
                let count = read(into: room)
                guard count > 0 else { return }
                left -= Int64(count)
            }
        }
    }
}
