import CSndfile

/// The order in which channels leave this module, by their number, and how those of a file get there.
///
/// It is the order of the loudspeakers in WAVE: front left and right, centre, low frequencies, back left and right, then
/// the sides; of which four channels have no centre, five no low frequencies, and seven one back for two. FLAC prescribes
/// the same. Vorbis and Opus have an order of their own, and AIFF, CAF and WAV can say theirs.
enum SpeakerLayout {
    enum Speaker: Equatable {
        case frontLeft, frontRight, centre, lowFrequency, backLeft, backRight, backCentre, sideLeft, sideRight
        case unknown
    }

    /// Where each channel that is given out comes from: the number of a channel of the file, `nil` for silence.
    typealias Routing = [Int?]

    /// The routing for a file of `count` channels; `nil` where the channels are in order already.
    static func routing(_ codec: SndfileHandle.Codec, channels count: Int, map: [CInt]) -> Routing? {
        let own: [Speaker] =
            switch codec {
            case .vorbis, .opus: xiphOrders[count] ?? []
            case .flac: []
            case .other: map.map(speaker)
            }
        guard own.count == count, count > 1, let routing = routing(from: own) else { return nil }
        return routing == Array(0..<count) ? nil : routing
    }

    /// The smallest order that has a place for every one of `speakers`; `nil` where none has.
    static func routing(from speakers: [Speaker]) -> Routing? {
        for wanted in orders where wanted.count >= speakers.count {
            for speakers in [speakers, speakers.map(\.counterpart)] where has(wanted, speakers) {
                return wanted.map { speakers.firstIndex(of: $0) }
            }
        }
        return nil
    }

    private static func has(_ wanted: [Speaker], _ speakers: [Speaker]) -> Bool {
        speakers.enumerated().allSatisfy { wanted.contains($1) && speakers.firstIndex(of: $1) == $0 }
    }

    /// What leaves, for two and more channels.
    private static let orders: [[Speaker]] = [
        [.frontLeft, .frontRight],
        [.frontLeft, .frontRight, .centre],
        [.frontLeft, .frontRight, .backLeft, .backRight],
        [.frontLeft, .frontRight, .centre, .backLeft, .backRight],
        [.frontLeft, .frontRight, .centre, .lowFrequency, .backLeft, .backRight],
        [.frontLeft, .frontRight, .centre, .lowFrequency, .backCentre, .sideLeft, .sideRight],
        [.frontLeft, .frontRight, .centre, .lowFrequency, .backLeft, .backRight, .sideLeft, .sideRight],
    ]

    /// The order of Vorbis, which Opus took over.
    private static let xiphOrders: [Int: [Speaker]] = [
        3: [.frontLeft, .centre, .frontRight],
        4: [.frontLeft, .frontRight, .backLeft, .backRight],
        5: [.frontLeft, .centre, .frontRight, .backLeft, .backRight],
        6: [.frontLeft, .centre, .frontRight, .backLeft, .backRight, .lowFrequency],
        7: [.frontLeft, .centre, .frontRight, .sideLeft, .sideRight, .backCentre, .lowFrequency],
        8: [
            .frontLeft, .centre, .frontRight, .sideLeft, .sideRight, .backLeft, .backRight, .lowFrequency,
        ],
    ]

    private static func speaker(_ number: CInt) -> Speaker {
        switch Int(number) {
        case SF_CHANNEL_MAP_LEFT, SF_CHANNEL_MAP_FRONT_LEFT: .frontLeft
        case SF_CHANNEL_MAP_RIGHT, SF_CHANNEL_MAP_FRONT_RIGHT: .frontRight
        case SF_CHANNEL_MAP_CENTER, SF_CHANNEL_MAP_FRONT_CENTER: .centre
        case SF_CHANNEL_MAP_LFE: .lowFrequency
        case SF_CHANNEL_MAP_REAR_LEFT: .backLeft
        case SF_CHANNEL_MAP_REAR_RIGHT: .backRight
        case SF_CHANNEL_MAP_REAR_CENTER: .backCentre
        case SF_CHANNEL_MAP_SIDE_LEFT: .sideLeft
        case SF_CHANNEL_MAP_SIDE_RIGHT: .sideRight
        default: .unknown
        }
    }
}

extension SpeakerLayout.Speaker {
    /// The sides for the backs and the other way round: with one pair of them, both words mean the same two loudspeakers.
    fileprivate var counterpart: Self {
        switch self {
        case .backLeft: .sideLeft
        case .backRight: .sideRight
        case .sideLeft: .backLeft
        case .sideRight: .backRight
        default: self
        }
    }
}
