import Music

/// What a tag says of loudness, in whichever spelling.
struct GainFields {
    /// Of `REPLAYGAIN_TRACK_GAIN` and the like; of `R128_TRACK_GAIN`; of binary frames, and of older ones.
    private var (named, r128, frames, oldFrames) = (ReplayGain(), ReplayGain(), ReplayGain(), ReplayGain())

    private static let fields: [String: any WritableKeyPath<GainFields, Double?> & Sendable] = [
        "REPLAYGAIN_TRACK_GAIN": \.named.trackGain, "REPLAYGAIN_ALBUM_GAIN": \.named.albumGain,
        "REPLAYGAIN_TRACK_PEAK": \.named.trackPeak, "REPLAYGAIN_ALBUM_PEAK": \.named.albumPeak,
        // As the first programs wrote them.
        "RG_RADIO": \.oldFrames.trackGain, "RG_AUDIOPHILE": \.oldFrames.albumGain,
        "RG_PEAK": \.oldFrames.trackPeak,
        "R128_TRACK_GAIN": \.r128.trackGain, "R128_ALBUM_GAIN": \.r128.albumGain,
    ]

    /// Takes a text with the name `name`, in upper case; the first of that name counts that can be understood.
    mutating func take(_ name: String, _ value: @autoclosure () -> String) {
        guard let field = Self.fields[name], self[keyPath: field] == nil else { return }
        let value = value()
        if name.hasPrefix("R128") {
            // In 256ths of a decibel, for a loudness of −23 LUFS (RFC 7845, 5.2.1).
            self[keyPath: field] = GainText.number(value).map { $0 / 256 + 5 }
        } else {
            self[keyPath: field] = GainText.number(value)
        }
    }

    /// Takes an `RVA2` frame of ID3v2.4: what it is for, NUL, then a channel, 512ths of a decibel and a peak each.
    mutating func takeRelativeVolume(_ frame: some Collection<UInt8>) {
        let name = String(decoding: frame.prefix(64).prefix { $0 != 0 }, as: UTF8.self).lowercased()
        var rest = frame.drop { $0 != 0 }.dropFirst()
        let isAlbum = name == "album" || name == "audiophile"
        while rest.count >= 4 {
            let isMaster = rest.first == 1
            let steps = Int16(truncatingIfNeeded: rest.dropFirst().bigEndian(2))
            let peakBits = Int(rest.dropFirst(3).bigEndian(1))
            rest = rest.dropFirst(4 + (peakBits + 7) / 8)
            guard isMaster else { continue }
            let gain = Double(steps) / 512
            if isAlbum {
                frames.albumGain = frames.albumGain ?? gain
            } else {
                frames.trackGain = frames.trackGain ?? gain
            }
        }
    }

    /// Takes an `RGAD` frame of the first proposal: a peak, then for track and album a name, an origin and tenths.
    mutating func takeAdjustment(_ frame: some Collection<UInt8>) {
        guard frame.count >= 8 else { return }
        let peak = Double(Float(bitPattern: UInt32(truncatingIfNeeded: frame.bigEndian(4))))
        oldFrames.trackPeak = oldFrames.trackPeak ?? peak
        for word in [frame.dropFirst(4).bigEndian(2), frame.dropFirst(6).bigEndian(2)] {
            let tenths = Double(word & 0x1FF) * (word & 0x200 == 0 ? 1 : -1)
            switch word >> 13 {
            case 1: oldFrames.trackGain = oldFrames.trackGain ?? tenths / 10
            case 2: oldFrames.albumGain = oldFrames.albumGain ?? tenths / 10
            default: continue
            }
        }
    }

    /// The values to use; in Opus those are the ones of its own kind (`prefersR128`).
    func replayGain(prefersR128: Bool = false) -> ReplayGain {
        let texts = prefersR128 ? r128.filled(from: named) : named.filled(from: r128)
        return texts.filled(from: frames).filled(from: oldFrames)
    }
}

/// Numbers as tags of loudness have them.
enum GainText {
    /// The number in `-6.50 dB`, `+1,5dB`, `−3` or `0.987654`; `nil` where there is none to be understood.
    static func number(_ text: String) -> Double? {
        var digits: [UInt8] = []
        var rest = Text.clean(text).unicodeScalars[...]
        if let sign = rest.first, ["+", "-", "\u{2212}"].contains(sign) {
            rest.removeFirst()
            if sign != "+" { digits.append(UInt8(ascii: "-")) }
        }
        while let scalar = rest.first, let byte = digit(scalar) {
            digits.append(byte)
            rest.removeFirst()
        }
        let unit = String(rest.filter { !$0.properties.isWhitespace }.map(Character.init)).lowercased()
        guard ["", "db", "lu"].contains(unit) else { return nil }
        return Double(String(decoding: digits, as: UTF8.self))
    }

    /// A digit or the point, which is a comma where the program that wrote it thought in such a language.
    private static func digit(_ scalar: Unicode.Scalar) -> UInt8? {
        switch scalar {
        case "0"..."9": UInt8(scalar.value)
        case ".", ",": UInt8(ascii: ".")
        default: nil
        }
    }
}
