import CPulse

/// Which loudspeakers the channels of a stream are for: the order in which decoders give them.
///
/// That is WAVE's, of which libpulse's own map for so many channels takes the first ones: it would play four channels as
/// two in front, a centre and low frequencies, and the sides of eight in front of the listener.
func speakerMap(channels: UInt8) -> pa_channel_map {
    var map = pa_channel_map()
    guard let positions = positions(channels) else {
        pa_channel_map_init_extend(&map, UInt32(channels), PA_CHANNEL_MAP_WAVEEX)
        return map
    }
    pa_channel_map_init(&map)
    map.channels = channels
    withUnsafeMutableBytes(of: &map.map) { bytes in
        for (index, position) in positions.enumerated() {
            bytes.storeBytes(
                of: position,
                toByteOffset: index * MemoryLayout<pa_channel_position_t>.stride,
                as: pa_channel_position_t.self
            )
        }
    }
    return map
}

/// For the numbers of channels that are in use; `nil` for one, two and odd ones, which libpulse knows as well.
private func positions(_ channels: UInt8) -> [pa_channel_position_t]? {
    let front = [PA_CHANNEL_POSITION_FRONT_LEFT, PA_CHANNEL_POSITION_FRONT_RIGHT]
    let centre = [PA_CHANNEL_POSITION_FRONT_CENTER]
    let low = [PA_CHANNEL_POSITION_LFE]
    let back = [PA_CHANNEL_POSITION_REAR_LEFT, PA_CHANNEL_POSITION_REAR_RIGHT]
    let side = [PA_CHANNEL_POSITION_SIDE_LEFT, PA_CHANNEL_POSITION_SIDE_RIGHT]
    return switch channels {
    case 3: front + centre
    case 4: front + back
    case 5: front + centre + back
    case 6: front + centre + low + back
    case 7: front + centre + low + [PA_CHANNEL_POSITION_REAR_CENTER] + side
    case 8: front + centre + low + back + side
    default: nil
    }
}
