import Glibc

/// Finds where frames of MPEG audio begin: libmpg123 itself hunts for them in everything and finds "music" in noise.
enum FirstFrame {
    enum Finding: Equatable {
        /// The first frame is so many bytes from the beginning.
        case frame(Int)
        /// There is text instead.
        case text
        /// No frames as far as the bytes go.
        case nothing
    }

    /// Judges the bytes behind the tags in front; `isWhole` says that nothing follows them.
    static func find(in bytes: [UInt8], isWhole: Bool) -> Finding {
        if let frame = firstFrame(in: bytes, isWhole: isWhole) {
            // Behind an info frame the stream may be cut, but it is still the beginning.
            return .frame(InfoFrame(bytes) == nil ? frame : 0)
        }
        return isText(bytes.prefix(512)) ? .text : .nothing
    }

    /// The place of the first of three frames in a row, or of two with which the sound ends.
    ///
    /// A single header is found every few thousand bytes of noise, three in a row practically never.
    private static func firstFrame(in bytes: [UInt8], isWhole: Bool) -> Int? {
        bytes.withUnsafeBytes { bytes in
            let frames = FrameSearch(bytes: bytes, isWhole: isWhole)
            var place = 0
            while let start = frames.nextSync(from: place) {
                if frames.areFrames(at: start) { return start }
                place = start + 1
            }
            return nil
        }
    }

    private static func isText(_ bytes: ArraySlice<UInt8>) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy { $0 >= 32 || $0 == 9 || $0 == 10 || $0 == 13 }
    }
}

/// Follows frames from header to header.
private struct FrameSearch {
    let bytes: UnsafeRawBufferPointer
    let isWhole: Bool

    func nextSync(from place: Int) -> Int? {
        guard place < bytes.count, let base = bytes.baseAddress else { return nil }
        return memchr(base + place, 0xFF, bytes.count - place).map { UnsafeRawPointer($0) - base }
    }

    func areFrames(at start: Int) -> Bool {
        guard let first = header(at: start) else { return false }
        if first.bitRate == 0 { return areFreeFrames(at: start, first) }
        var (place, header, count) = (start, first, 1)
        while let length = header.length {
            place += length
            guard let next = self.header(at: place), next.isOfOneStream(with: first) else {
                return count >= 2 && isEnd(at: place)
            }
            (header, count) = (next, count + 1)
            if count == 3 { return true }
        }
        return false
    }

    /// In free format the distance of two headers is the length of all frames, but for the padding.
    private func areFreeFrames(at start: Int, _ first: FrameHeader) -> Bool {
        let longest = 8192
        var place = start + 24
        while let second = nextSync(from: place), second - start < longest {
            if header(at: second)?.isOfOneStream(with: first) == true {
                let slack = first.layer == 1 ? 4 : 1
                let third = second + (second - start)
                if [0, -slack, slack].contains(where: {
                    header(at: third + $0)?.isOfOneStream(with: first) == true
                }) {
                    return true
                }
            }
            place = second + 1
        }
        return false
    }

    private func header(at place: Int) -> FrameHeader? {
        guard place + 4 <= bytes.count else { return nil }
        return FrameHeader(bytes[place], bytes[place + 1], bytes[place + 2], bytes[place + 3])
    }

    /// Whether nothing but tags follows, or at most a little of what nobody knows.
    private func isEnd(at place: Int) -> Bool {
        if isWhole, place + 1024 > bytes.count { return true }
        guard place + 4 <= bytes.count else { return false }
        return ["TAG", "APET", "LYRI", "ID3", "3DI"].contains { bytes[place...].starts(with: $0.utf8) }
    }
}
