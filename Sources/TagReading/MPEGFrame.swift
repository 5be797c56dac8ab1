import Music

/// How long a frame of MPEG audio plays, which some lyrics count in.
enum MPEGFrame {
    /// Of layer III at 44.1 kHz.
    static let usual = TrackTime(microseconds: 26_122)

    /// So much behind the tags a frame is looked for.
    private static let reach = 64 << 10

    /// How long a frame of the file plays, judged by its first; ``usual`` where none is found.
    static func length(in file: TagBytes) -> TrackTime {
        let bytes = file.bytes(at: startOfSound(file), count: reach)
        for place in bytes.indices.dropLast(3) where bytes[place] == 0xFF {
            if let length = length(bytes[place + 1], bytes[place + 2]) { return length }
        }
        return usual
    }

    private static func startOfSound(_ file: TagBytes) -> Int64 {
        var start: Int64 = 0
        // There may be two tags.
        for _ in 0..<4 {
            let head = file.bytes(at: start, count: 10)
            guard head.count == 10, head.starts(with: "ID3".utf8) else { break }
            let size = head[6...].reduce(0) { $0 << 7 | Int64($1 & 0x7F) }
            start += size + (head[5] & 0x10 == 0 ? 10 : 20)
        }
        return start
    }

    /// Reads the second and third byte of a frame's head; `nil` where they are none.
    private static func length(_ kind: UInt8, _ rates: UInt8) -> TrackTime? {
        let (version, layer) = (kind >> 3 & 3, kind >> 1 & 3)
        guard kind >= 0xE0, version != 1, layer != 0, rates >> 4 != 15, rates >> 2 & 3 != 3 else {
            return nil
        }
        let rate: Int64 =
            [44_100, 48_000, 32_000][Int(rates >> 2 & 3)] >> (version == 3 ? 0 : version == 2 ? 1 : 2)
        let samples: Int64 = layer == 3 ? 384 : layer == 1 && version != 3 ? 576 : 1152
        return TrackTime(microseconds: (samples * 1_000_000 + rate / 2) / rate)
    }
}
