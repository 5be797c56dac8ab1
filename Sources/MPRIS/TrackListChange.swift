package import Music
package import Playback

/// One change of the track list, as one signal tells it.
package enum TrackListChange: Equatable, Sendable {
    /// The list is another (T-9); a current track is one of it.
    case replaced([TrackID], current: TrackID?)
    /// A track has come in behind another, or at the start (T-10).
    case added(ListedTrack, after: TrackID?)
    /// A track has gone (T-11).
    case removed(TrackID)
    /// More, or something else, is known of a track (T-12, C155).
    case metadataChanged(ListedTrack)

    /// What takes a client from `old` to `new`: what it should hear before the player's own changes, and what after.
    ///
    /// New tracks come before the player says that one of them is current, and old ones go after the player has left
    /// them, so the current track is always in the client's list. Applied one by one, the changes make `new` of `old`,
    /// and what a track is added behind is in the list by then. A list that has little to do with the former one, or
    /// has the same tracks in another order, is told as a whole. `isOtherList` tells whether other tracks, or another
    /// order, are listed.
    package static func between(
        _ old: [ListedTrack],
        _ new: [ListedTrack],
        current: TrackID?
    ) -> (before: [TrackListChange], after: [TrackListChange], isOtherList: Bool) {
        // As good as free where nothing has touched the list since.
        guard old != new else { return ([], [], false) }
        let former = Dictionary(old.map { ($0.id, $0.track) }, uniquingKeysWith: { first, _ in first })
        let metadata = new.compactMap { listed in
            former[listed.id].flatMap { isOther(listed, than: $0) ? metadataChanged(listed) : nil }
        }
        let (oldIDs, newIDs) = (old.map(\.id), new.map(\.id))
        guard oldIDs != newIDs else { return (metadata, [], false) }

        let present = Set(newIDs)
        let removed = oldIDs.filter { !present.contains($0) }
        let addedCount = newIDs.count { former[$0] == nil }
        let hasKept = removed.count < oldIDs.count
        let isReordered = oldIDs.filter(present.contains) != newIDs.filter { former[$0] != nil }
        if !hasKept || isReordered || removed.count + addedCount > longestAccount {
            let listedCurrent = current.flatMap { present.contains($0) ? $0 : nil }
            return ([.replaced(newIDs, current: listedCurrent)] + metadata, [], true)
        }
        let additions = new.indices.filter { former[new[$0].id] == nil }.map { index in
            added(new[index], after: index > 0 ? newIDs[index - 1] : nil)
        }
        return (additions + metadata, removed.map(TrackListChange.removed), true)
    }

    /// Compared as sent: a change of what is not in the map is none.
    private static func isOther(_ listed: ListedTrack, than track: Track) -> Bool {
        listed.track != track
            && Metadata.value(of: listed) != Metadata.value(of: track, id: listed.id)
    }

    /// With more changes than this, a client is better off reading the list again.
    private static let longestAccount = 20
}
