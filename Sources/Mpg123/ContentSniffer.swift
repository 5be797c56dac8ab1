import Glibc

/// What a file is, judged by its bytes alone: libmpg123 hunts for frames in everything and finds "music" in pictures,
/// PCM and FLAC.
enum ContentSniffer {
    enum Content: Equatable {
        /// MPEG audio whose first frame is so many bytes from the beginning.
        case mpeg(Int)
        /// Something else, in words that go behind a file's path.
        case other(String)
        /// No frames as far as the bytes go.
        case unknown
    }

    /// Judges the bytes behind the tags in front; `isWhole` says that nothing follows them.
    static func content(of bytes: [UInt8], isWhole: Bool) -> Content {
        if let format = foreignFormat(bytes) { return .other("it is \(format), not MP3") }
        if let frame = firstFrame(in: bytes, isWhole: isWhole) {
            // Behind an info frame the stream may be cut, but it is still the beginning.
            return .mpeg(InfoFrame(bytes) == nil ? frame : 0)
        }
        return isText(bytes.prefix(512)) ? .other("it is text, not music") : .unknown
    }

    /// The size of the ID3v2 tag that `bytes` begin with, with header and footer; `nil` where there is none.
    ///
    /// Ten bytes are enough. The version does not matter: the size is where it always was.
    static func tagSize(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= 10, bytes.starts(with: "ID3".utf8), bytes[6...9].allSatisfy({ $0 < 128 }) else {
            return nil
        }
        let body = bytes[6...9].reduce(0) { $0 << 7 | Int($1) }
        return body + (bytes[5] & 0x10 == 0 ? 10 : 20)
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

    private static func foreignFormat(_ bytes: [UInt8]) -> String? {
        func has(_ magic: String, at place: Int = 0) -> Bool {
            bytes.dropFirst(place).starts(with: magic.utf8)
        }
        if has("RIFF") {
            if has("WEBP", at: 8) { return "a picture" }
            guard has("WAVE", at: 8) else { return "RIFF" }
            return isMPEGWave(bytes) ? nil : "WAV"
        }
        if has("ftyp", at: 4) { return "MP4" }
        if let known = magics.first(where: { bytes.starts(with: $0.bytes) }) { return known.format }
        return nil
    }

    /// What no MPEG audio begins with.
    private static let magics: [(bytes: [UInt8], format: String)] = [
        (Array("fLaC".utf8), "FLAC"), (Array("OggS".utf8), "Ogg"), (Array("FORM".utf8), "AIFF"),
        (Array("MThd".utf8), "MIDI"), (Array("wvpk".utf8), "WavPack"), (Array("MAC ".utf8), "Monkey's Audio"),
        (Array("MPCK".utf8), "Musepack"), (Array("caff".utf8), "CAF"), (Array("RF64".utf8), "WAV"),
        ([0x30, 0x26, 0xB2, 0x75], "WMA"), ([0x1A, 0x45, 0xDF, 0xA3], "Matroska"),
        ([0x00, 0x00, 0x01, 0xBA], "a video"), ([0x00, 0x00, 0x01, 0xB3], "a video"),
        ([0x89, 0x50, 0x4E, 0x47], "a picture"), ([0xFF, 0xD8, 0xFF], "a picture"),
        (Array("GIF8".utf8), "a picture"), (Array("%PDF".utf8), "a PDF"),
        ([0x50, 0x4B, 0x03, 0x04], "a ZIP archive"), ([0x1F, 0x8B], "a gzip archive"),
        ([0x7F, 0x45, 0x4C, 0x46], "a program"),
    ]

    /// Whether the WAV says that it holds MPEG audio: format tag 0x50 (layers 1 and 2) or 0x55 (layer 3).
    private static func isMPEGWave(_ bytes: [UInt8]) -> Bool {
        var place = 12
        while place + 10 <= bytes.count {
            if bytes[place...].starts(with: "fmt ".utf8) {
                return [0x50, 0x55].contains(Int(bytes[place + 8]) | Int(bytes[place + 9]) << 8)
            }
            let size = (4..<8).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * ($1 - 4)) }
            place += 8 + size + size & 1
        }
        return false
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
