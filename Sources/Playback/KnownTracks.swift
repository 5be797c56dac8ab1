import Music

/// What is known of the entries that come next or are listed; of others nothing is kept.
struct KnownTracks {
    private struct Known {
        var track: Track
        /// Whether all has been read that is shown of a track that plays, or only a glance taken.
        var isWhole: Bool
        /// Whether the file has changed since.
        var isStale = false
    }

    private var known: [TrackID: Known] = [:]

    /// What is known of an entry; `nil` where nothing is.
    subscript(id: TrackID) -> Track? { known[id]?.track }

    /// Whether all is known that is shown of an entry that plays.
    func isWhole(_ id: TrackID) -> Bool { known[id]?.isWhole == true }

    /// Of `entries`, those of which something is still to be read.
    func missing(in entries: [QueueEntry], whole: Bool) -> [QueueEntry] {
        entries.filter { entry in
            guard let known = known[entry.id] else { return true }
            return known.isStale || whole && !known.isWhole
        }
    }

    mutating func learn(_ id: TrackID, _ track: Track, isWhole: Bool) {
        // A glance that comes late knows less.
        if !isWhole, let known = known[id], known.isWhole, !known.isStale { return }
        known[id] = Known(track: track, isWhole: isWhole || known[id]?.isWhole == true)
    }

    /// Takes in what is known of an entry before its cover is; where more was known until now, that stays until all is.
    mutating func learnText(_ id: TrackID, _ track: Track) {
        if let known = known[id], known.isWhole || known.track.cover != nil { return }
        known[id] = Known(track: track, isWhole: false)
    }

    /// The files at these paths have changed: what is known of them is shown until they have been read again.
    mutating func invalidate(where hasChanged: (FilePath) -> Bool) {
        for (id, entry) in known where hasChanged(entry.track.location.path) { known[id]?.isStale = true }
    }

    /// Files are elsewhere now.
    mutating func relocate(_ location: (TrackID) -> TrackLocation?) {
        for (id, entry) in known {
            guard let location = location(id), location != entry.track.location else { continue }
            known[id]?.track.location = location
            // Where it was, nothing could be read.
            if entry.track == Track(entry.track.location) { known[id]?.isStale = true }
        }
    }

    /// Entries that are not `near` are to be read again when they are, and their lyrics are forgotten at once.
    ///
    /// Their covers may have been removed by then.
    mutating func doubt(allBut near: Set<TrackID>) {
        for (id, entry) in known where !near.contains(id) && (entry.isWhole || entry.track.lyrics != nil) {
            known[id]?.isWhole = false
            known[id]?.track.lyrics = nil
        }
    }

    mutating func forgetAll(but ids: Set<TrackID>) {
        guard known.contains(where: { !ids.contains($0.key) }) else { return }
        known = known.filter { ids.contains($0.key) }
    }
}
