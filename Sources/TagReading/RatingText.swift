/// How a listener likes a song, as tags have it: 0 to 1; what is not rated is `nil`.
enum RatingText {
    /// `0.8` of 1; 1 to 5 stars; up to 100; or up to 255, as in ID3v2.
    static func rating(_ text: String) -> Double? {
        guard let number = GainText.number(text), number > 0 else { return nil }
        if number <= 1, text.contains(where: { $0 == "." || $0 == "," }) { return number }
        return switch number {
        case ...5: number / 5
        case ...100: number / 100
        case ...255: stars(UInt8(number)) / 5
        default: nil
        }
    }

    /// What a `POPM` frame says: an address, NUL, a byte, and how often it was played.
    static func rating(_ frame: some Collection<UInt8>) -> String? {
        guard let end = frame.firstIndex(of: 0), let byte = frame[end...].dropFirst().first, byte > 0 else {
            return nil
        }
        return "\(stars(byte) / 5)"
    }

    /// The steps by which Windows and those that follow it count stars.
    private static func stars(_ byte: UInt8) -> Double {
        switch byte {
        case ..<32: 1
        case ..<96: 2
        case ..<160: 3
        case ..<224: 4
        default: 5
        }
    }
}
